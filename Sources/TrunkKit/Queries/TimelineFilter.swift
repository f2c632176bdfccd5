import TrunkModel

/// Selects lines of the journal, for lists and for searches.
public struct TimelineFilter: Sendable, Equatable {
  /// Only these kinds; empty for all.
  public var kinds: Set<TimelineItem.Kind> = []
  /// Only these of the 64 twigs; `nil` for all.
  public var twigs: Set<Node>?
  /// Only sprouts of the leaves with these ids; `nil` for all.
  public var leaves: Set<ExactID>?
  /// Only harvests with these results, 1…5; `nil` for all.
  public var results: ClosedRange<Int>?
  /// The first reset day; `nil` for no limit.
  public var first: Day?
  /// The last reset day; `nil` for no limit.
  public var last: Day?
  /// Only the entries with these numbers, which a search has found; `nil` without a search.
  public var found: Set<Int64>?
  /// Whether the journal shows plantings and uprootings between the entries.
  public var showsMilestones = true
  /// Whether the journal shows earlier pages between the entries.
  public var showsPages = true

  public init(kinds: Set<TimelineItem.Kind> = [], found: Set<Int64>? = nil) {
    (self.kinds, self.found) = (kinds, found)
  }

  /// The twigs of a branch.
  public static func twigs(ofBranch branch: Int) -> Set<Node> {
    Set((0..<8).map { Node.twig(branch: branch, twig: $0) })
  }

  /// The branch whose twigs, and no others, are selected.
  public var branch: Int? {
    guard let twigs, let branch = twigs.first?.branch else { return nil }
    return twigs == TimelineFilter.twigs(ofBranch: branch) ? branch : nil
  }

  /// The days of the earlier pages that it selects, `.some(nil)` for all days; `nil` for no pages, because they belong
  /// to no sprout.
  public var daysOfPages: ClosedRange<Day>?? {
    guard showsPages, kinds.isEmpty, twigs == nil, leaves == nil, results == nil else { return .none }
    guard first != nil || last != nil else { return .some(nil) }
    let (first, last) = (first ?? Day(number: -10_000_000), last ?? Day(number: 10_000_000))
    return first <= last ? .some(first...last) : .none
  }

  /// Whether the filter selects everything.
  public var isEmpty: Bool { self == TimelineFilter() }
}

/// A filter that is prepared for many items of one garden.
struct TimelineSelection {
  private let filter: TimelineFilter
  /// `nil` for all.
  private let sproutIDs: Set<ExactID>?

  init(_ filter: TimelineFilter, in garden: Garden) {
    self.filter = filter
    sproutIDs = filter.leaves.map { leaves in
      Set(garden.sprouts.lazy.filter { leaves.contains(ExactID($0.leafID)) }.map { ExactID($0.id) })
    }
  }

  func includes(_ item: TimelineItem) -> Bool {
    (filter.kinds.isEmpty || filter.kinds.contains(item.kind)) && (filter.showsMilestones || item.isEntry)
      && includes(twig: item.twig) && includes(item.time) && includes(result: item.result)
      && (sproutIDs.map { ids in item.sproutID.map { ids.contains(ExactID($0)) } ?? false } ?? true)
      && (filter.found.map { item.isEntry && $0.contains(item.seq) } ?? true)
  }

  /// Sprouts belong to the day of their planting.
  func includes(_ sprout: Sprout) -> Bool {
    filter.kinds.isEmpty && includes(twig: sprout.node) && includes(sprout.plantedAt)
      && includes(result: sprout.harvest?.result) && (filter.leaves?.contains(ExactID(sprout.leafID)) ?? true)
  }

  func includes(_ leaf: Leaf) -> Bool {
    filter.kinds.isEmpty && filter.results == nil && includes(twig: Node(id: leaf.twigID)) && includes(leaf.createdAt)
      && (filter.leaves?.contains(ExactID(leaf.id)) ?? true)
  }

  func includes(_ seedling: Seedling) -> Bool {
    filter.kinds.isEmpty && filter.results == nil && filter.leaves == nil
      && includes(twig: Node(id: seedling.twigID)) && includes(seedling.createdAt)
  }

  /// A branch is included if all of its twigs are.
  func includes(_ node: Node) -> Bool {
    guard filter.kinds.isEmpty, filter.results == nil, filter.leaves == nil, filter.first == nil, filter.last == nil
    else {
      return false
    }
    guard case .branch(let branch) = node else { return includes(twig: node) }
    return filter.twigs?.isSuperset(of: TimelineFilter.twigs(ofBranch: branch)) ?? true
  }

  private func includes(twig: Node?) -> Bool {
    filter.twigs.map { twigs in twig.map(twigs.contains) ?? false } ?? true
  }

  private func includes(result: Int?) -> Bool {
    filter.results.map { results in result.map(results.contains) ?? false } ?? true
  }

  private func includes(_ time: EventTime) -> Bool {
    (filter.first.map { time.day >= $0 } ?? true) && (filter.last.map { time.day <= $0 } ?? true)
  }
}
