import CGLib
import Glibc
import TrunkModel

/// The sprouts that a list shows. `growing` includes the ready ones.
public enum SproutFilter: Int, CaseIterable, Sendable {
  case all, growing, ready, cultivated, uprooted
}

/// How a list of sprouts is sorted.
public enum SproutOrder: Int, CaseIterable, Sendable {
  /// Growing ones first, by harvest date; then the others, the latest end first.
  case harvest
  /// Newest first.
  case planted
  /// In the alphabetical order of the user's language.
  case title
  /// In the order of the tree.
  case branch
}

/// All sprouts of a garden, indexed so that ten thousand of them are searched and sorted between two key presses.
public struct SproutIndex {
  public struct Entry: Sendable {
    public let sprout: Sprout
    /// `Core · movement`.
    public let path: String
    /// Empty if the leaf is unknown.
    public let leafName: String
    let folded: FoldedText
  }

  /// The result of a search.
  public struct Found {
    /// The number of matching sprouts in each filter.
    public internal(set) var counts: [SproutFilter: Int] = [:]
    /// The matching sprouts of the selected filter, in the selected order.
    public internal(set) var entries: [Entry] = []
  }

  private var entries: [Entry] = []
  /// The rank of each entry when sorted by title; empty until it is needed.
  private var titleRanks: [Int64] = []

  public init() {}

  /// Updates the index to a garden; entries that did not change cost almost nothing.
  public mutating func update(to garden: Garden) {
    var paths: [ExactID: String] = [:]
    var hasChanged = garden.sprouts.count != entries.count
    var updated: [Entry] = []
    updated.reserveCapacity(garden.sprouts.count)
    for (index, sprout) in garden.sprouts.enumerated() {
      let twig = ExactID(sprout.twigID)
      let path = paths[twig] ?? garden.path(ofTwig: sprout.twigID)
      paths[twig] = path
      let leafName = garden.leaf(id: sprout.leafID)?.name ?? ""
      let old = index < entries.count ? entries[index] : nil
      if let old, old.sprout.title == sprout.title, old.path == path, old.leafName == leafName {
        updated.append(Entry(sprout: sprout, path: old.path, leafName: old.leafName, folded: old.folded))
      } else {
        // Line breaks prevent a word from matching across two texts.
        let folded = FoldedText([sprout.title, leafName, path].joined(separator: "\n"))
        updated.append(Entry(sprout: sprout, path: path, leafName: leafName, folded: folded))
        hasChanged = true
      }
    }
    entries = updated
    if hasChanged { titleRanks = [] }
  }

  /// Finds the sprouts whose title, leaf, branch or twig contains every word of the query, ignoring case and
  /// diacritics.
  public mutating func find(_ query: String, _ filter: SproutFilter, by order: SproutOrder, at now: Instant) -> Found {
    let words = query.split { $0.isWhitespace }.map { FoldedText(String($0)) }
    if order == .title, titleRanks.isEmpty { rankTitles() }
    var found = Found()
    var sorted: [(first: Int64, second: Int64, position: Int)] = []
    for (position, entry) in entries.enumerated() where words.allSatisfy(entry.folded.contains) {
      let filters = SproutIndex.filters(of: entry.sprout, at: now)
      for filter in filters { found.counts[filter, default: 0] += 1 }
      guard filters.contains(filter) else { continue }
      let key = key(of: position, by: order)
      sorted.append((key.first, key.second, position))
    }
    sorted.sort { ($0.first, $0.second, $0.position) < ($1.first, $1.second, $1.position) }
    found.entries = sorted.map { entries[$0.position] }
    return found
  }

  private static func filters(of sprout: Sprout, at now: Instant) -> [SproutFilter] {
    switch sprout.state {
    case .active: sprout.isReady(at: now) ? [.all, .growing, .ready] : [.all, .growing]
    case .completed: [.all, .cultivated]
    case .uprooted: [.all, .uprooted]
    }
  }

  private func key(of position: Int, by order: SproutOrder) -> (first: Int64, second: Int64) {
    let sprout = entries[position].sprout
    let planted = sprout.plantedAt.instant.milliseconds
    switch order {
    case .harvest:
      return switch sprout.state {
      case .active: (0, sprout.harvestDue.milliseconds)
      case .completed(let harvest): (1, -harvest.at.instant.milliseconds)
      case .uprooted(let end, _): (1, -end.instant.milliseconds)
      }
    case .planted: return (-planted, 0)
    case .title: return (titleRanks[position], planted)
    case .branch:
      guard case .twig(let branch, let twig) = sprout.node else { return (.max, planted) }
      return (Int64(branch * 8 + twig), planted)
    }
  }

  private mutating func rankTitles() {
    let keys = entries.map { SproutIndex.collationKey($0.sprout.title) }
    titleRanks = Array(repeating: 0, count: entries.count)
    var rank: Int64 = 0
    var previous: [UInt8]?
    for position in entries.indices.sorted(by: { keys[$0].lexicographicallyPrecedes(keys[$1]) }) {
      if let previous, previous != keys[position] { rank += 1 }
      previous = keys[position]
      titleRanks[position] = rank
    }
  }

  private static func collationKey(_ title: String) -> [UInt8] {
    guard let key = g_utf8_collate_key(title, -1) else { return Array(title.utf8) }
    defer { g_free(key) }
    return Array(UnsafeRawBufferPointer(start: key, count: strlen(key)))
  }
}
