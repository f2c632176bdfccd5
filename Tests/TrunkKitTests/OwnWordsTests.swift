import Testing
import TrunkKit

@Suite struct OwnWordsTests {
  @Test(arguments: [
    "One.", "Really?!", "“Slow.”", "(Again.)", "At 6.30 in the rain.", "Das 3. Mal, z. B. heute.", "Dr. Frei says so.",
    "Well… no.", "下雨了。", "...", "Wait…",
  ])
  func aSentenceEndsWhereAReaderWouldPause(sentence: String) {
    let next = String(repeating: "A", count: OwnWords.limit)
    let space = sentence == "下雨了。" ? "" : " "
    #expect(OwnWords.firstSentences(of: sentence + space + next) == sentence)
  }

  @Test(arguments: [
    ("", ""), (" \n ", ""), ("one", "one"), ("  One. Two. ", "One. Two."), ("Held. Twice", "Held. Twice"),
    ("First line\nsecond", "First line"), ("First. Line.\nSecond.", "First. Line."), ("下雨了。很冷。", "下雨了。很冷。"),
  ])
  func whatFitsInTheSameLineIsTaken(text: String, sentences: String) {
    #expect(OwnWords.firstSentences(of: text) == sentences)
  }

  @Test func aLongSentenceIsCutBetweenTwoWords() {
    let long = Array(repeating: "longer", count: 20).joined(separator: " ") + "."
    let sentence = OwnWords.firstSentences(of: long)
    #expect(sentence == Array(repeating: "longer", count: 12).joined(separator: " ") + "…")
    #expect(OwnWords.firstSentences(of: String(repeating: "字", count: 200)).count == OwnWords.limit + 1)
    let fitting = String(repeating: "a", count: 84) + " fits."
    #expect(OwnWords.firstSentences(of: fitting) == fitting, "90 characters")
    #expect(OwnWords.firstSentences(of: fitting + " Next.") == fitting)
  }

  @Test func withoutWordsTheTitleStands() {
    #expect(OwnWords.quoted("Held. Twice.\n", orTitle: "The cello") == "“Held. Twice.”")
    #expect(OwnWords.quoted(" ", orTitle: "The cello") == "The cello")
    #expect(OwnWords.quoted(nil, orTitle: "The cello") == "The cello")
  }
}
