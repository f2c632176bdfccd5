import TrunkModel

/// What the entries of a year say: the words used most, and entries to read again.
public struct YearTexts: Sendable, Equatable {
  /// The words used most, the most frequent first, each in the user's most frequent spelling.
  public let words: [String]
  /// At most three, oldest first.
  public let reread: [TimelineEntry]

  /// The maximum number of words.
  private static let wordLimit = 16
  /// A word that occurs only once is no habit.
  private static let fewestUses = 2

  /// - Parameter entries: oldest first.
  init(_ entries: [TimelineEntry]) {
    words = YearTexts.words(of: entries)
    reread = YearTexts.choose(entries)
  }

  private static func words(of entries: [TimelineEntry]) -> [String] {
    // Counts the spellings of each word, to show `Cello` rather than `cello` if it is written so.
    var spellings: [String: [String: Int]] = [:]
    for entry in entries {
      let bytes = Array(entry.text.utf8)
      let words = Words(entry.text).words
      let stopWords = StopWords.of(words)
      for word in words where isTelling(word.folded) && !stopWords.contains(word.folded) {
        spellings[word.folded, default: [:]][String(decoding: bytes[word.range], as: UTF8.self), default: 0] += 1
      }
    }
    let counted = spellings.map { (folded: $0, count: $1.values.reduce(0, +), spellings: $1) }
      .filter { $0.count >= fewestUses }
      .sorted { ($1.count, $0.folded) < ($0.count, $1.folded) }
    return counted.prefix(wordLimit).map { word in
      word.spellings.min { ($1.value, $0.key) < ($0.value, $1.key) }?.key ?? word.folded
    }
  }

  private static func isTelling(_ word: String) -> Bool {
    word.count > 2 && !word.allSatisfy(\.isNumber)
  }

  /// The longest entry of each third of the year's entries: they cover the year, and the choice never changes by itself
  /// once the year is over.
  private static func choose(_ entries: [TimelineEntry]) -> [TimelineEntry] {
    let written = entries.filter { !$0.text.trimmed.isEmpty }
    return (0..<3).compactMap { third in
      written[(written.count * third / 3)..<(written.count * (third + 1) / 3)]
        .max { $0.text.utf8.count < $1.text.utf8.count }
    }
  }
}

extension GardenModel {
  /// Reads the entries of a year.
  public func texts(of year: YearInGrowth) async throws -> YearTexts {
    await GardenModel.texts(of: try await entries(year.entries))
  }

  /// A thousand entries take a few milliseconds.
  @concurrent private nonisolated static func texts(of entries: [TimelineEntry]) async -> YearTexts {
    YearTexts(entries)
  }
}
