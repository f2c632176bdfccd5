import TrunkModel

/// The entries of a year to read again, and the harvests with the most words.
public struct YearTexts: Sendable, Equatable {
  /// At most three, oldest first.
  public let reread: [TimelineEntry]

  /// The ids of at most three harvested sprouts, the first harvest first.
  public let fullest: [String]

  /// - Parameters:
  ///   - entries: oldest first.
  ///   - harvested: the ids of the sprouts harvested in this year, the first harvest first.
  init(_ entries: [TimelineEntry], harvested: [String] = []) {
    reread = YearTexts.choose(entries)
    var words: [ExactID: Int] = [:]
    for entry in entries { if let id = entry.item.sproutID { words[ExactID(id), default: 0] += entry.text.utf8.count } }
    let lengths = harvested.map { words[ExactID($0), default: 0] }
    let chosen = harvested.indices.filter { lengths[$0] > 0 }.sorted { (lengths[$1], $0) < (lengths[$0], $1) }.prefix(3)
    fullest = chosen.sorted().map { harvested[$0] }
  }

  /// The longest entry of each third of the year's entries, but no text twice: they cover the year, and the choice
  /// never changes by itself once the year is over.
  private static func choose(_ entries: [TimelineEntry]) -> [TimelineEntry] {
    let written = entries.filter { !$0.text.trimmed.isEmpty }
    var chosen: [TimelineEntry] = []
    for third in 0..<3 {
      let longest = written[(written.count * third / 3)..<(written.count * (third + 1) / 3)]
        .filter { entry in !chosen.contains { $0.text == entry.text } }
        .max { $0.text.utf8.count < $1.text.utf8.count }
      if let longest { chosen.append(longest) }
    }
    return chosen
  }
}

extension GardenModel {
  /// Reads the entries of a year.
  public func texts(of year: YearInGrowth) async throws -> YearTexts {
    await GardenModel.texts(of: try await entries(year.entries), harvested: year.harvested.map(\.id))
  }

  /// A thousand entries take a few milliseconds.
  @concurrent private nonisolated static func texts(of entries: [TimelineEntry], harvested: [String]) async -> YearTexts
  {
    YearTexts(entries, harvested: harvested)
  }
}
