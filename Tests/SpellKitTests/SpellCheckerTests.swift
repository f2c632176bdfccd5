import XCTest

@testable import SpellKit

/// These need the dictionaries `hunspell-en-us` and `hunspell-de-de`.
final class SpellCheckerTests: XCTestCase {
  private func misspelt(_ text: String, _ languages: String...) async -> [String] {
    await SpellChecker(languages: languages).misspelt(in: text).map(\.text)
  }

  func testTheInstalledDictionariesAreListed() async {
    let languages = await SpellChecker.installedLanguages()
    XCTAssertTrue(languages.contains("en_US") && languages.contains("de_DE"), "\(languages)")
  }

  func testMisspeltWordsAreFoundInTheirLanguage() async {
    let english = await misspelt("The garden grows beautifuly. It’s quiet, isn't it?", "en_US")
    XCTAssertEqual(english, ["beautifuly"])
    let german = await misspelt("Der Garten wächst schöhn, Gießkannen stehen bereit.", "de_DE")
    XCTAssertEqual(german, ["schöhn"])
  }

  func testPlacesAreCountedInUnicodeScalars() async {
    let text = "👩‍👩‍👧 e\u{301}té hapy"
    let words = await SpellChecker(languages: ["en_US"]).misspelt(in: text)
    let scalars = Array(text.unicodeScalars)
    XCTAssertEqual(words.last?.text, "hapy")
    XCTAssertEqual(
      words.last.map { String(String.UnicodeScalarView(scalars[$0.range])) }, "hapy")
  }

  func testTextThatNoDictionaryHasIsSkipped() {
    let text = "see https://exampel.org/pth, me@exampel.org, snake_caze, /etc/pth, exampel.org b2b 12th 日本語 ends."
    XCTAssertEqual(SpelledWord.words(in: text).map(\.text), ["see", "ends"])
  }

  func testWordsEndAtHyphensAndQuotes() {
    XCTAssertEqual(
      SpelledWord.words(in: "‘well-known’ and/or “don’t”, l'eau… (yes)").map(\.text),
      ["well", "known", "and", "or", "don't", "l'eau", "yes"])
  }

  func testEveryWordIsCorrectWithoutADictionary() async {
    let words = await misspelt("Qwertz asdfgh", "xx_XX", "C")
    XCTAssertEqual(words, [])
    let suggestions = await SpellChecker(languages: []).suggestions(for: "hapy")
    XCTAssertEqual(suggestions, [])
  }

  func testTheExactLanguageIsPreferredToAnotherCountry() {
    let installed = ["de_AT", "de_DE", "en_US"]
    XCTAssertEqual(SpellChecker.choose(from: installed, preferred: ["de_DE", "de"]), "de_DE")
    XCTAssertEqual(SpellChecker.choose(from: installed, preferred: ["en_GB", "en", "C"]), "en_US")
    XCTAssertEqual(SpellChecker.choose(from: installed, preferred: ["fr_FR", "fr", "C"]), nil)
  }

  func testSuggestionsAndAddedWords() async {
    let checker = SpellChecker(languages: ["en_US"])
    let suggestions = await checker.suggestions(for: "beautifuly")
    XCTAssertTrue(suggestions.contains("beautifully"), "\(suggestions)")
    XCTAssertLessThanOrEqual(suggestions.count, SpellChecker.suggestionLimit)
    let word = "trunkish"
    let before = await checker.misspelt(in: word)
    XCTAssertEqual(before.map(\.text), [word])
    await checker.add(word)
    let after = await checker.misspelt(in: word)
    XCTAssertEqual(after, [])
    // Another checker reads the user's own dictionary from its file.
    let again = await misspelt(word, "en_US")
    XCTAssertEqual(again, [])
  }
}
