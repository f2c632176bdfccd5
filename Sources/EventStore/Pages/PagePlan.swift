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
    let (source, found) = try source(of: journal, pages)
    var (plan, added) = (PagePlan(source: source), [EarlierPage]())
    for (page, match) in zip(pages, try found ?? matches(of: pages, in: source)) {
      switch match {
      case .known: plan.known += 1
      case .removed: plan.removed += 1
      case .changed(let id, let sourceID):
        var version = page
        version.sourceID = sourceID
        plan.changed.append(.init(id: id, page: version))
      case .new(let page): added.append(page)
      }
    }
    (plan.new, plan.doubled) = try withoutDoubled(added, otherThan: source?.id ?? 0)
    return plan
  }

  private func matches(of pages: [EarlierPage], in source: PageSource?) throws -> [PageMatcher.Match] {
    var matcher = try PageMatcher(self, source: source)
    return try matcher.matches(of: pages)
  }

  /// Of pages with the same ID, only the first counts.
  static func withoutRepeatedIDs(_ pages: [EarlierPage]) -> [EarlierPage] {
    var ids: Set<ExactID> = []
    return pages.filter { ids.insert(ExactID($0.sourceID)).inserted }
  }

  /// Finds the source of an earlier import of the same journal: the one whose pages with the same IDs are mostly the
  /// same or versions of them. A newer export may have another name, and two notebooks whose IDs are days may share
  /// IDs and even their name. Without common IDs, the name decides.
  func source(of journal: EarlierJournal) throws -> PageSource? {
    try source(of: journal, PageTable.withoutRepeatedIDs(journal.pages)).source
  }

  /// - Returns: also where its pages are in the source, if that was needed to find it.
  private func source(
    of journal: EarlierJournal, _ pages: [EarlierPage]
  ) throws -> (source: PageSource?, matches: [PageMatcher.Match]?) {
    let sources = try sources().filter { $0.format.hasSameBytes(as: journal.format) }
    var best: (source: PageSource, common: Common)?
    var named: PageSource?
    for source in sources {
      guard let common = try common(pages, source) else {
        if source.name.hasSameBytes(as: journal.name) { named = source }
        continue
      }
      let same = common.same
      if same > 0, 2 * same >= common.shared, same > best?.common.same ?? 0 { best = (source, common) }
    }
    return (best?.source ?? named, best?.common.matches)
  }

  /// The number of pages whose words are compared to find a source.
  private static let compared = 1000

  /// What pages have in common with a source.
  private struct Common {
    /// The number of pages whose IDs the source has, and of those that are there, as they are or in another version.
    let shared, same: Int
    let matches: [PageMatcher.Match]
  }

  /// - Returns: `nil` if the source has none of their IDs.
  private func common(_ pages: [EarlierPage], _ source: PageSource) throws -> Common? {
    var matcher = try PageMatcher(self, source: source)
    let shared = pages.count { matcher.has($0.sourceID) }
    if shared == 0 { return nil }
    let matches = try matcher.matches(of: pages)
    var (same, compared) = (0, 0)
    for (page, match) in zip(pages, matches) {
      switch match {
      case .known: same += 1
      case .changed(let id, _) where compared < PageTable.compared:
        compared += 1
        if try isAlike(page, id) { same += 1 }
      default: break
      }
    }
    return Common(shared: shared, same: same, matches: matches)
  }

  /// Separates the pages whose words another source has on the same day, however they are spaced or marked up.
  private func withoutDoubled(
    _ pages: [EarlierPage], otherThan source: Int64
  ) throws -> (new: [EarlierPage], doubled: [PagePlan.Doubled]) {
    var others: [Day: [String: PageSource]] = [:]
    for day in Set(pages.map(\.date.day)) {
      others[day] = try database.all(
        """
        SELECT source, pages.title, text, format, name FROM pages JOIN sources ON sources.id = source
        WHERE day = ? AND removed = 0 AND source <> ?
        """, .integer(Int64(day.number)), .integer(source)
      ) { row in
        let found = PageSource(id: row.integer(0), format: row.text(3), name: row.text(4))
        return (PageTable.words(row.text(1), row.text(2)), found)
      }.reduce(into: [:]) { $0[$1.0] = $0[$1.0] ?? $1.1 }
    }
    var (new, doubled): ([EarlierPage], [PagePlan.Doubled]) = ([], [])
    for page in pages {
      let words = PageTable.words(page.title, page.text)
      if !words.isEmpty, let other = others[page.date.day]?[words] {
        doubled.append(.init(page: page, other: other))
      } else {
        new.append(page)
      }
    }
    return (new, doubled)
  }

  /// A digest of the words; empty without any.
  private static func words(_ title: String, _ text: String) -> String {
    var words = String.UnicodeScalarView()
    for text in [title, text] { words.append(contentsOf: text.unicodeScalars.lazy.filter(\.isWordPart)) }
    return words.isEmpty ? "" : SHA256().digest(of: String(words)).hexadecimal
  }
}
