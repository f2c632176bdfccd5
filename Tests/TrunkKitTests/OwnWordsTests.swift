import Testing
import TrunkKit

@Suite struct OwnWordsTests {
  @Test(arguments: [
    ("", ""), (" \n ", ""), ("one", "one"), ("  One.  Two. ", "One."), ("Really?! Yes.", "Really?!"),
    ("First line\nsecond", "First line"), ("“Slow.” She meant it.", "“Slow.”"), ("(Again.) And again.", "(Again.)"),
    ("At 6.30 in the rain. Cold.", "At 6.30 in the rain."),
    ("Das 3. Mal, z. B. heute. Ja.", "Das 3. Mal, z. B. heute."),
    ("Dr. Frei says so. Fine.", "Dr. Frei says so."), ("Well… no. Yes.", "Well… no."), ("下雨了。很冷。", "下雨了。"),
    ("...", "..."), ("Wait… What?", "Wait…"),
  ])
  func aSentenceEndsWhereAReaderWouldPause(text: String, sentence: String) {
    #expect(OwnWords.firstSentence(of: text) == sentence)
  }

  @Test func aLongSentenceIsCutBetweenTwoWords() {
    let long = Array(repeating: "longer", count: 20).joined(separator: " ") + "."
    let sentence = OwnWords.firstSentence(of: long)
    #expect(sentence == Array(repeating: "longer", count: 12).joined(separator: " ") + "…")
    #expect(OwnWords.firstSentence(of: String(repeating: "字", count: 200)).count == OwnWords.limit + 1)
    let fitting = String(repeating: "a", count: 84) + " fits."
    #expect(OwnWords.firstSentence(of: fitting) == fitting, "90 characters")
    #expect(OwnWords.firstSentence(of: fitting + " Next.") == fitting)
  }

  @Test func withoutWordsTheTitleStands() {
    #expect(OwnWords.quoted("Held. Twice.", orTitle: "The cello") == "“Held.”")
    #expect(OwnWords.quoted(" ", orTitle: "The cello") == "The cello")
    #expect(OwnWords.quoted(nil, orTitle: "The cello") == "The cello")
  }
}
