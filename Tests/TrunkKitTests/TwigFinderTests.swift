import TestSupport
import Testing
import TrunkModel

@testable import TrunkKit

@MainActor @Suite struct TwigFinderTests {
  nonisolated private static let languages = ["de", "en", "es", "fr"]
  private let practice = Node.twig(branch: 2, twig: 0)

  private func finder(_ language: String = "en", _ garden: Garden = Garden(zone: .utc)) -> TwigFinder {
    TwigFinder(garden, language: language)
  }

  @Test(arguments: languages) func eachTwigHasAtLeastEightWords(language: String) {
    let words = ResourceTexts.words(in: language)
    #expect(words.keys.count == 64)
    for twig in Node.twigs {
      let folded = words[twig, default: []].map(\.folded)
      #expect(Set(folded).count == folded.count && folded.count >= 8, "\(twig.name): \(folded)")
      #expect(!folded.contains(twig.name), "the name itself is known")
      for word in words[twig, default: []] {
        let isLowerCase = word == word.lowercased()
        #expect(!word.isEmpty && (isLowerCase || language == "de" && word.first?.isUppercase == true), "\(word)")
      }
    }
  }

  @Test(arguments: languages) func eachWordFindsItsTwig(language: String) {
    let finder = finder(language)
    for (twig, words) in ResourceTexts.words(in: language) {
      for word in words { #expect(finder.matches(word).contains(twig), "\(language): \(word)") }
    }
  }

  @Test func musicFindsPractice() {
    #expect(finder().matches("music").first == practice)
    #expect(finder("de").matches("musik").first == practice)
    #expect(finder("fr").matches("Musique").first == practice)
    #expect(finder("es").matches("musica").first == practice)
    #expect(finder("es").matches("música").first == practice)
    #expect(finder("it").matches("music").first == practice, "a language without a file has the English words")
  }

  @Test func theBeginningOfANameIsFirst() {
    #expect(finder().matches("prac").first == practice)
    #expect(finder("de").matches("prac").first == practice, "English names are accepted in each language")
    #expect(finder().matches("voice prac") == [practice])
    #expect(finder().matches("voice").count == TwigFinder.matchLimit)
    #expect(finder().matches("  ").isEmpty)
    #expect(finder().matches("xyzzy").isEmpty)
    #expect(finder().matches("music xyzzy").isEmpty)
  }

  @Test func partsOfCompoundsMatchLast() {
    let found = finder("de").matches("garten")
    #expect(found.first == .twig(branch: 3, twig: 6), "the word itself")
    #expect(finder("de").matches("training").contains(.twig(branch: 0, twig: 1)), "Krafttraining")
  }

  @Test func findsByWhatIsInTheGarden() async throws {
    let fixture = try await GardenFixture()
    try await fixture.plant("Suite", on: "voice/practice", leaf: .new(name: "The zither"))
    try await fixture.model.createSeedling(on: .twig(branch: 5, twig: 1), title: "Kayak on the Elbe")
    try await fixture.model.update(.twig(branch: 3, twig: 3), label: "Velos", note: "Everything with spokes")
    let finder = finder("en", fixture.model.garden)
    #expect(finder.matches("zith") == [practice])
    #expect(finder.matches("kayak") == [.twig(branch: 5, twig: 1)])
    #expect(finder.matches("velos") == [.twig(branch: 3, twig: 3)])
    #expect(finder.matches("repair").first == .twig(branch: 3, twig: 3), "its default name")
    #expect(finder.matches("spokes") == [.twig(branch: 3, twig: 3)])
    #expect(finder.suggestions(forTitle: "Zither, second book").first == practice)
  }

  @Test func suggestsTwigsForATitle() {
    #expect(finder().suggestions(forTitle: "Play cello every morning").contains(practice))
    #expect(finder().suggestions(forTitle: "Run a marathon").first == .twig(branch: 0, twig: 2))
    #expect(finder().suggestions(forTitle: "Meditation").contains(.twig(branch: 5, twig: 7)))
    #expect(finder("de").suggestions(forTitle: "Das Fahrrad reparieren").first == .twig(branch: 3, twig: 3))
    #expect(finder("fr").suggestions(forTitle: "Apprendre l’espagnol").first == .twig(branch: 1, twig: 7))
    #expect(finder("es").suggestions(forTitle: "Ahorrar para la hipoteca").first == .twig(branch: 7, twig: 4))
    #expect(finder().suggestions(forTitle: "What about this and that?").isEmpty)
    #expect(finder().suggestions(forTitle: "").isEmpty)
    for title in ["Sleep, walk, read, cook, write and sing", "home garden family"] {
      #expect(finder().suggestions(forTitle: title).count == TwigFinder.suggestionLimit)
    }
  }
}
