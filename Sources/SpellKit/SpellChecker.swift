/// Finds misspelt words, away from the main thread. Loads its dictionary for the first text.
///
/// Without a dictionary for the language, all words count as correct.
public actor SpellChecker {
  private let preferred: [String]
  private var loaded: SpellDictionary??

  /// The maximum number of Unicode scalars of a text that are checked; the rest is ignored.
  public static let limit = 20_000
  /// The maximum number of suggestions for a word.
  public static let suggestionLimit = 5

  /// - Parameter languages: tags such as `de_AT` or `de`, the preferred one first.
  public init(languages: [String]) {
    preferred = languages
  }

  /// The tags of all dictionaries of this computer, sorted, for example `de_DE`.
  @concurrent public static func installedLanguages() async -> [String] { SpellDictionary.languages }

  /// Whether this computer has a dictionary of this language, perhaps that of another country.
  public static func hasDictionary(_ language: String) -> Bool {
    choose(from: SpellDictionary.languages, preferred: [language]) != nil
  }

  /// The words of a text that the dictionary doesn't know.
  public func misspelt(in text: String) -> [SpelledWord] {
    guard let dictionary else { return [] }
    var known: [String: Bool] = [:]
    return SpelledWord.words(in: String(text.unicodeScalars.prefix(Self.limit))).filter { word in
      if let isKnown = known[word.text] { return !isKnown }
      let isKnown = dictionary.knows(word.text)
      known[word.text] = isKnown
      return !isKnown
    }
  }

  /// Returns similar words, the most similar first.
  public func suggestions(for word: String) -> [String] {
    Array(dictionary?.suggestions(for: word).prefix(Self.suggestionLimit) ?? [])
  }

  /// Adds a word to the user's own dictionary.
  public func add(_ word: String) {
    dictionary?.add(word)
  }

  private var dictionary: SpellDictionary? {
    if let loaded { return loaded }
    let made = Self.choose(from: SpellDictionary.languages, preferred: preferred).flatMap { SpellDictionary($0) }
    loaded = .some(made)
    return made
  }

  /// The first preferred language that is installed; else a dictionary for another country with that language.
  static func choose(from installed: [String], preferred: [String]) -> String? {
    for language in preferred {
      if installed.contains(language) { return language }
    }
    for language in preferred {
      let plain = language.prefix { $0 != "_" }
      if let found = installed.first(where: { $0.prefix { $0 != "_" } == plain }) { return found }
    }
    return nil
  }
}
