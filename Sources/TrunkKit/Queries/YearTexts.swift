import TrunkModel

/// The entries and earlier pages of a year to read again, and the harvests with the most words.
public struct YearTexts: Sendable, Equatable {
  /// At most three, oldest first.
  public let reread: [JournalText]

  /// The ids of at most three harvested sprouts, the first harvest first.
  public let fullest: [String]

  /// - Parameters:
  ///   - texts: oldest first.
  ///   - harvested: the ids of the sprouts harvested in this year, the first harvest first.
  init(_ texts: [JournalText], harvested: [String] = []) {
    reread = YearTexts.choose(texts)
    var words: [ExactID: Int] = [:]
    for case .entry(let entry) in texts {
      if let id = entry.item.sproutID { words[ExactID(id), default: 0] += entry.text.utf8.count }
    }
    let lengths = harvested.map { words[ExactID($0), default: 0] }
    let chosen = harvested.indices.filter { lengths[$0] > 0 }.sorted { (lengths[$1], $0) < (lengths[$0], $1) }.prefix(3)
    fullest = chosen.sorted().map { harvested[$0] }
  }

  /// The longest text of each third of the year's texts, but no text twice: they cover the year, and the choice never
  /// changes by itself once the year is over.
  private static func choose(_ texts: [JournalText]) -> [JournalText] {
    let written = texts.filter { !$0.words.trimmed.isEmpty }
    var chosen: [JournalText] = []
    for third in 0..<3 {
      let longest = written[(written.count * third / 3)..<(written.count * (third + 1) / 3)]
        .filter { text in !chosen.contains { $0.words == text.words } }
        .max { $0.words.utf8.count < $1.words.utf8.count }
      if let longest { chosen.append(longest) }
    }
    return chosen
  }
}

extension GardenModel {
  /// Reads the entries of a year.
  /// - Parameter pages: the earlier pages of the year, newest first.
  public func texts(of year: YearInGrowth, _ pages: [PageLine] = []) async throws -> YearTexts {
    let lines = JournalLine.merged(year.entries.reversed(), pages).reversed()
    return await GardenModel.yearTexts(try await texts(of: Array(lines)), harvested: year.harvested.map(\.id))
  }

  /// A thousand entries take a few milliseconds.
  @concurrent private nonisolated static func yearTexts(_ texts: [JournalText], harvested: [String]) async -> YearTexts
  {
    YearTexts(texts, harvested: harvested)
  }
}
