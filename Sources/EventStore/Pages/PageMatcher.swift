import SQLiteKit
import TrunkModel

/// Finds the pages of an import among those of its source.
///
/// Many journals give their entries no ID. The readers of those make one of the date and a number, such as
/// `2024-01-01T09:00#2`, so what is deleted there moves the numbers of what follows. That is why such a page is looked
/// for by its contents first, and replaces another one only if it is alike.
struct PageMatcher {
  enum Match {
    /// Here with the same contents.
    case known
    /// Removed by the user.
    case removed
    /// Another version of the page with this number in the table and this ID.
    case changed(Int64, String)
    case new(EarlierPage)
  }

  private let table: PageTable
  private let known: [ExactID: KnownPage]
  /// The IDs with numbers, by the part before the number.
  private var numbered: [String: [ExactID]] = [:]
  private var taken: Set<ExactID> = []
  /// The parts before the number whose pages have other numbers now.
  private var moved: Set<String> = []

  /// A page of a source.
  struct KnownPage {
    let id: Int64
    let isRemoved: Bool
    /// The digest of its contents as text, also after it was removed; empty if that isn't known any more.
    let contents: String
  }

  /// The number of pages with the same date above which their contents are not compared: not a journal that anyone
  /// has written.
  private static let mostAtOnce = 100

  init(_ table: PageTable, source: PageSource?) throws {
    self.table = table
    known = try source.map { try table.knownPages(of: $0.id) } ?? [:]
    for id in known.keys {
      if let base = PageMatcher.base(of: id.text) { numbered[base, default: []].append(id) }
    }
  }

  /// Whether the source has a page with this ID that wasn't removed.
  func has(_ id: String) -> Bool { known[ExactID(id)]?.isRemoved == false }

  /// - Parameter pages: with different IDs.
  mutating func matches(of pages: [EarlierPage]) throws -> [Match] {
    for page in pages {
      if let base = PageMatcher.base(of: page.sourceID), known[ExactID(page.sourceID)] == nil {
        numbered[base, default: []].append(ExactID(page.sourceID))
      }
    }
    var matches = pages.map { sameContents(as: $0) }
    for (index, page) in pages.enumerated() where matches[index] == nil {
      matches[index] = try version(of: page) ?? .new(renumbered(page))
    }
    return matches.compactMap(\.self)
  }

  /// The IDs under which a page may be here: its own one, and those with other numbers.
  private func candidates(for page: EarlierPage) -> [ExactID] {
    let own = ExactID(page.sourceID)
    let others = PageMatcher.base(of: page.sourceID).flatMap { numbered[$0] } ?? []
    let all = others.count > PageMatcher.mostAtOnce ? [own] : [own] + others.filter { $0 != own }
    return all.filter { known[$0] != nil && !taken.contains($0) }
  }

  private mutating func sameContents(as page: EarlierPage) -> Match? {
    for id in candidates(for: page) {
      var candidate = page
      candidate.sourceID = id.text
      guard let found = known[id], found.contents == table.digest(of: candidate).hexadecimal else { continue }
      taken.insert(id)
      if id != ExactID(page.sourceID), let base = PageMatcher.base(of: page.sourceID) { moved.insert(base) }
      return found.isRemoved ? .removed : .known
    }
    return nil
  }

  /// The page of which another one is a version.
  private mutating func version(of page: EarlierPage) throws -> Match? {
    let base = PageMatcher.base(of: page.sourceID)
    for id in candidates(for: page) {
      guard let found = known[id] else { continue }
      let isOwn = id == ExactID(page.sourceID)
      let isVersion =
        if found.isRemoved {
          isOwn && base.map { !moved.contains($0) } ?? true
        } else if base == nil {
          true
        } else {
          try table.isAlike(page, found.id)
        }
      guard isVersion else { continue }
      taken.insert(id)
      return found.isRemoved ? .removed : .changed(found.id, id.text)
    }
    return nil
  }

  /// The page with a number that no other page has.
  private mutating func renumbered(_ page: EarlierPage) -> EarlierPage {
    let own = ExactID(page.sourceID)
    guard known[own] != nil || taken.contains(own), let base = PageMatcher.base(of: page.sourceID) else {
      taken.insert(own)
      return page
    }
    let highest = (numbered[base] ?? []).compactMap { Int($0.text.dropFirst(base.count)) }.max() ?? 0
    var page = page
    page.sourceID = base + "\(highest + 1)"
    numbered[base, default: []].append(ExactID(page.sourceID))
    taken.insert(ExactID(page.sourceID))
    return page
  }

  /// The part of an ID with a number, up to its `#`; `nil` for other IDs.
  private static func base(of id: String) -> String? {
    guard let sign = id.lastIndex(of: "#"), Int(id[id.index(after: sign)...]) != nil else { return nil }
    return String(id[...sign])
  }
}

extension PageTable {
  func knownPages(of source: Int64) throws -> [ExactID: PageMatcher.KnownPage] {
    let pages = try database.all(
      "SELECT source_id, id, removed, iif(removed, text, lower(hex(sha256))) FROM pages WHERE source = ?",
      .integer(source)
    ) { row in
      let page = PageMatcher.KnownPage(id: row.integer(1), isRemoved: row.integer(2) != 0, contents: row.text(3))
      return (ExactID(row.text(0)), page)
    }
    return Dictionary(pages) { first, _ in first }
  }

  /// The least number of pairs of words that tell what a text is about.
  private static let leastPairs = 4

  /// Whether a page could be a version of one that is here: at least half of the pairs of words of the shorter one are
  /// in both. Single words won't do, because different texts of a language have many in common. Of a text with a few
  /// words, the title must be the same too, and most of the text, or the text was continued.
  func isAlike(_ page: EarlierPage, _ id: Int64) throws -> Bool {
    let sql = "SELECT title, text FROM pages WHERE id = ?"
    guard let (title, text) = try database.first(sql, .integer(id), map: { ($0.text(0), $0.text(1)) }) else {
      return true
    }
    let (old, new) = (PageTable.words(title, text), PageTable.words(page.title, page.text))
    // Nothing is lost with a page without words.
    if old.isEmpty { return true }
    if new.isEmpty { return false }
    let (oldPairs, newPairs) = (PageTable.pairs(old), PageTable.pairs(new))
    let (shared, least) = (oldPairs.intersection(newPairs).count, min(oldPairs.count, newPairs.count))
    if least >= PageTable.leastPairs { return 2 * shared >= least }
    guard text.isEmpty && page.text.isEmpty || title.hasSameBytes(as: page.title) else { return false }
    return new.starts(with: old) || old.starts(with: new) || 2 * shared >= max(oldPairs.count, newPairs.count)
  }

  /// A title counts only without a text: it may be a date.
  private static func words(_ title: String, _ text: String) -> [String] {
    (text.isEmpty ? title : text).unicodeScalars.split { !$0.isWordPart }.map { String($0) }
  }

  /// The pairs of neighbouring words; a single word by itself.
  private static func pairs(_ words: [String]) -> Set<String> {
    words.count == 1 ? Set(words) : Set(zip(words, words.dropFirst()).map { $0 + " " + $1 })
  }
}
