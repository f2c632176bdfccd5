import SQLiteKit
import TrunkModel

/// What an import of an earlier journal would do, or has done.
public struct PagePlan: Sendable {
  /// A page that is here already with other contents, under its number.
  public struct Changed: Sendable, Equatable {
    public let id: Int64
    public let page: EarlierPage
  }

  /// A page whose words another source has on the same day. It isn't imported.
  public struct Doubled: Sendable, Equatable {
    public let page: EarlierPage
    public let other: PageSource
  }

  /// The source that is here already; `nil` for a new one.
  public internal(set) var source: PageSource?
  public internal(set) var new: [EarlierPage] = []
  public internal(set) var changed: [Changed] = []
  /// The number of pages that are here already with the same contents.
  public internal(set) var known = 0
  /// The number of pages that the user has removed. They don't come back.
  public internal(set) var removed = 0
  public internal(set) var doubled: [Doubled] = []

  /// Whether the import changes nothing.
  public var isEmpty: Bool { new.isEmpty && changed.isEmpty }

  /// The plan for a garden without pages.
  public init(intoEmptyGarden journal: EarlierJournal) { new = PageTable.withoutRepeatedIDs(journal.pages) }

  fileprivate init(source: PageSource?) { self.source = source }
}

extension PageTable {
  /// Compares a journal with what is here.
  func plan(_ journal: EarlierJournal) throws -> PagePlan {
    let pages = PageTable.withoutRepeatedIDs(journal.pages)
    let source = try source(of: journal)
    var plan = PagePlan(source: source)
    let known = try source.map { try knownPages(of: $0.id) } ?? [:]
    let others = "SELECT EXISTS (SELECT 1 FROM pages WHERE source <> ? AND removed = 0)"
    let hasOthers = try database.integer(others, .integer(source?.id ?? 0)) == 1
    for page in pages {
      if let found = known[ExactID(page.sourceID)] {
        if found.isRemoved {
          plan.removed += 1
        } else if found.digest == digest(of: page) {
          plan.known += 1
        } else {
          plan.changed.append(.init(id: found.id, page: page))
        }
      } else if hasOthers, let other = try sourceWithWords(of: page, otherThan: source?.id ?? 0) {
        plan.doubled.append(.init(page: page, other: other))
      } else {
        plan.new.append(page)
      }
    }
    return plan
  }

  /// Of pages with the same ID, only the first counts.
  static func withoutRepeatedIDs(_ pages: [EarlierPage]) -> [EarlierPage] {
    var ids: Set<ExactID> = []
    return pages.filter { ids.insert(ExactID($0.sourceID)).inserted }
  }

  /// Finds the source of an earlier import of the same journal: one with its format and name, or else the one whose
  /// pages with the same IDs are mostly the same, because a newer export may have another name.
  func source(of journal: EarlierJournal) throws -> PageSource? {
    let sources = try sources().filter { $0.format.hasSameBytes(as: journal.format) }
    if let named = sources.first(where: { $0.name.hasSameBytes(as: journal.name) }) { return named }
    var best: (source: PageSource, same: Int)?
    for source in sources {
      let known = try knownPages(of: source.id)
      var (shared, same) = (0, 0)
      for page in journal.pages {
        guard let found = known[ExactID(page.sourceID)], !found.isRemoved else { continue }
        shared += 1
        if found.digest == digest(of: page) { same += 1 }
      }
      if same > 0, 2 * same >= shared, same > best?.same ?? 0 { best = (source, same) }
    }
    return best?.source
  }

  private struct KnownPage {
    let id: Int64
    let isRemoved: Bool
    let digest: [UInt8]
  }

  private func knownPages(of source: Int64) throws -> [ExactID: KnownPage] {
    var known: [ExactID: KnownPage] = [:]
    let sql = "SELECT source_id, id, removed, sha256 FROM pages WHERE source = ?"
    for (id, page) in try database.all(
      sql, .integer(source),
      map: {
        (ExactID($0.text(0)), KnownPage(id: $0.integer(1), isRemoved: $0.integer(2) != 0, digest: $0.blob(3)))
      })
    { known[id] = page }
    return known
  }

  /// Returns the source that has the words of a page on the same day, however they are spaced or marked up.
  private func sourceWithWords(of page: EarlierPage, otherThan source: Int64) throws -> PageSource? {
    let others = try database.all(
      """
      SELECT source, pages.title, text, format, name FROM pages JOIN sources ON sources.id = source
      WHERE day = ? AND removed = 0 AND source <> ?
      """, .integer(Int64(page.date.day.number)), .integer(source)
    ) { row in
      let found = PageSource(id: row.integer(0), format: row.text(3), name: row.text(4))
      return (source: found, words: PageTable.words(row.text(1), row.text(2)))
    }
    if others.isEmpty { return nil }
    let words = PageTable.words(page.title, page.text)
    return words.isEmpty ? nil : others.first { $0.words == words }?.source
  }

  private static func words(_ title: String, _ text: String) -> [Unicode.Scalar] {
    [title, text].flatMap { $0.unicodeScalars.filter(\.isWordPart) }
  }
}
