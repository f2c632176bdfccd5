import Testing

@testable import TrunkKit

@Suite struct StopWordsTests {
  private func telling(_ text: String) -> [String] {
    let words = Words(text).words
    let stopWords = StopWords.of(words)
    return words.map(\.folded).filter { !stopWords.contains($0) }
  }

  @Test(arguments: [
    "J’ai revu la rivière. Aujourd’hui, la rivière était haute, mais elle n’est pas entrée.",
    "He vuelto al río. Hoy la rivière era alta: también es así la rivière en otoño.",
    "Die rivière war hoch. Heute haben wir sie noch nicht gesehen, aber die rivière ist da.",
    "The rivière was high. We have not seen it yet, but the rivière is there.",
  ])
  func commonWordsAreLeftOutInEachLanguage(text: String) {
    #expect(telling(text).contains("riviere"))
    #expect(Set(telling(text)).isDisjoint(with: ["mais", "hoy", "aber", "the"]))
  }

  @Test func wordsOfOtherLanguagesStay() {
    #expect(
      telling("We went to see it by car, and the car was hot.").contains("car"), "“car” is a conjunction in French")
  }
}
