import Testing

@testable import SpellKit

/// These need the dictionaries `hunspell-en-us` and `hunspell-de-de`.
@Suite(.serialized) struct SpellCheckerTests {
  private func misspelt(_ text: String, _ languages: String...) async -> [String] {
    await SpellChecker(languages: languages).misspelt(in: text).map(\.text)
  }

  @Test func theInstalledDictionariesAreListed() async {
    let languages = await SpellChecker.installedLanguages()
    #expect(languages.contains("en_US") && languages.contains("de_DE"))
  }

  @Test func misspeltWordsAreFoundInTheirLanguage() async {
    let english = await misspelt("The garden grows beautifuly. It’s quiet, isn't it?", "en_US")
    #expect(english == ["beautifuly"])
    let german = await misspelt("Der Garten wächst schöhn, Gießkannen stehen bereit.", "de_DE")
    #expect(german == ["schöhn"])
  }

  @Test func placesAreCountedInUnicodeScalars() async {
    let text = "👩‍👩‍👧 e\u{301}té hapy"
    let words = await SpellChecker(languages: ["en_US"]).misspelt(in: text)
    let scalars = Array(text.unicodeScalars)
    #expect(words.last?.text == "hapy")
    #expect(words.last.map { String(String.UnicodeScalarView(scalars[$0.range])) } == "hapy")
  }

  @Test func addressesCodeAndNumbersAreSkipped() {
    let text = "see https://exampel.org/pth, me@exampel.org, snake_caze, /etc/pth, exampel.org b2b 12th 日本語 ends."
    #expect(SpelledWord.words(in: text).map(\.text) == ["see", "ends"])
  }

  @Test func wordsEndAtHyphensAndQuotes() {
    #expect(
      SpelledWord.words(in: "‘well-known’ and/or “don’t”, l'eau… (yes)").map(\.text)
        == ["well", "known", "and", "or", "don't", "l'eau", "yes"])
  }

  @Test func everyWordIsCorrectWithoutADictionary() async {
    let words = await misspelt("Qwertz asdfgh", "xx_XX", "C")
    #expect(words == [])
    let suggestions = await SpellChecker(languages: []).suggestions(for: "hapy")
    #expect(suggestions == [])
  }

  @Test func theExactLanguageIsPreferredToAnotherCountry() {
    let installed = ["de_AT", "de_DE", "en_US"]
    #expect(SpellChecker.choose(from: installed, preferred: ["de_DE", "de"]) == "de_DE")
    #expect(SpellChecker.choose(from: installed, preferred: ["en_GB", "en", "C"]) == "en_US")
    #expect(SpellChecker.choose(from: installed, preferred: ["fr_FR", "fr", "C"]) == nil)
  }

  @Test func suggestionsAndAddedWords() async {
    let checker = SpellChecker(languages: ["en_US"])
    let suggestions = await checker.suggestions(for: "beautifuly")
    #expect(suggestions.contains("beautifully"))
    #expect(suggestions.count <= SpellChecker.suggestionLimit)
    let word = "trunkish"
    let before = await checker.misspelt(in: word)
    #expect(before.map(\.text) == [word])
    await checker.add(word)
    let after = await checker.misspelt(in: word)
    #expect(after == [])
    // Another checker reads the user's own dictionary from its file.
    let again = await misspelt(word, "en_US")
    #expect(again == [])
  }
}
