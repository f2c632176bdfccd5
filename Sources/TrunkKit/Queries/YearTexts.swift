import TrunkModel

/// The entries of a year to read again.
public struct YearTexts: Sendable, Equatable {
  /// At most three, oldest first.
  public let reread: [TimelineEntry]

  /// - Parameter entries: oldest first.
  init(_ entries: [TimelineEntry]) { reread = YearTexts.choose(entries) }

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
