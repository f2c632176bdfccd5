import CPango
import Synchronization

/// Where words of a language can be divided, by Liang's patterns in the system's dictionaries.
///
/// A dictionary has a line for each pattern, such as `.ach4` or `2ck`: letters, and between them how much they ask for
/// a hyphen (odd numbers) or forbid it (even ones). The highest number of all patterns in a word counts.
struct Hyphenation: Sendable {
  /// By their letters; one number before each letter and one after the last.
  private let patterns: [[Unicode.Scalar]: [UInt8]]
  private let longest: Int

  /// Shorter words aren't divided, and no part is shorter than this.
  private static let shortestWord = 9
  private static let shortestPart = 4
  private static let files = ["en": "en_US", "de": "de_DE", "fr": "fr", "es": "es_ES"]
  private static let loaded = Mutex<[String: Hyphenation?]>([:])

  /// - Returns: `nil` if the system has no dictionary for this language.
  static func of(_ language: String) -> Hyphenation? {
    loaded.withLock { loaded in
      if let known = loaded[language] { return known }
      let found = files[language].flatMap { contents("/usr/share/hyphen/hyph_\($0).dic") }.map(Hyphenation.init)
      loaded[language] = .some(found)
      return found
    }
  }

  private static func contents(_ path: String) -> [UInt8]? {
    var text: UnsafeMutablePointer<CChar>?
    var length: gsize = 0
    guard g_file_get_contents(path, &text, &length, nil) != 0, let text else { return nil }
    defer { g_free(text) }
    return Array(UnsafeRawBufferPointer(start: text, count: Int(length)))
  }

  /// - Parameter dictionary: in UTF-8 or ISO 8859-1, as its first line says.
  init(_ dictionary: [UInt8]) {
    var patterns: [[Unicode.Scalar]: [UInt8]] = [:]
    var lines = dictionary.split(separator: UInt8(ascii: "\n"))[...]
    let isUTF8 = lines.first?.starts(with: "UTF-8".utf8) == true
    // What comes before it finds the parts of compounds. The patterns after it divide whole words well enough.
    if let level = lines.lastIndex(where: { $0.starts(with: "NEXTLEVEL".utf8) }) { lines = lines[level...] }
    for line in lines.dropFirst() {
      let text = isUTF8 ? Array(String(decoding: line, as: UTF8.self).unicodeScalars) : line.map { Unicode.Scalar($0) }
      // Capital letters begin a setting. Other spellings at a hyphen, which a slash begins, aren't supported.
      guard let first = text.first, first != "%", first != "#", !("A"..."Z").contains(first), !text.contains("/")
      else { continue }
      var (letters, numbers): ([Unicode.Scalar], [UInt8]) = ([], [0])
      for scalar in text where !scalar.properties.isWhitespace {
        if ("0"..."9").contains(scalar) {
          numbers[numbers.count - 1] = UInt8(scalar.value - 48)
        } else {
          letters.append(scalar)
          numbers.append(0)
        }
      }
      patterns[letters] = numbers
    }
    (self.patterns, longest) = (patterns, patterns.keys.map(\.count).max() ?? 0)
  }

  /// The text with soft hyphens in its long words.
  func hyphenated(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var word: [Unicode.Scalar] = []
    for scalar in text.unicodeScalars {
      if scalar.properties.isAlphabetic {
        word.append(scalar)
      } else {
        result += divided(word)
        word.removeAll()
        result.append(scalar)
      }
    }
    return String(result + divided(word))
  }

  private func divided(_ word: [Unicode.Scalar]) -> [Unicode.Scalar] {
    // Names of genes and keys aren't words.
    guard (Hyphenation.shortestWord...60).contains(word.count) else { return word }
    let letters = ["."] + word.map { $0.properties.lowercaseMapping.unicodeScalars.first ?? $0 } + ["."]
    var levels = [UInt8](repeating: 0, count: letters.count + 1)
    for start in letters.indices {
      for end in (start + 1)...min(start + longest, letters.count) {
        guard let numbers = patterns[Array(letters[start..<end])] else { continue }
        for (offset, number) in numbers.enumerated() { levels[start + offset] = max(levels[start + offset], number) }
      }
    }
    let places = Hyphenation.shortestPart...(word.count - Hyphenation.shortestPart)
    return word.indices.flatMap { index in
      // The level before a letter; the dot before the word moves it by one.
      places.contains(index) && levels[index + 1] % 2 == 1 ? ["\u{AD}", word[index]] : [word[index]]
    }
  }
}
