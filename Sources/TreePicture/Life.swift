import TrunkModel

/// A garden through time: the state of its tree on any day.
///
/// The tree of a day is that of the events before the first one that belongs to a later day, so later events don't
/// change it.
public struct Life: Sendable {
  public let garden: Garden
  /// In the order of planting.
  private let sprouts: [(life: SproutLife, branch: Int, twig: Int, leaves: LeafHistory)]
  /// In the order of their instants.
  private let suns: [JournalEntry]
  /// What harvests have added to the capacity, in order.
  private let gains: [(instant: Instant, gain: Double)]
  /// The days with events, ascending, each with the first instant that belongs to it or to a later day.
  private let beginnings: [(day: Day, instant: Instant)]

  /// The leaves of a sprout through time, as numbers.
  private struct LeafHistory: Sendable {
    var last: Int
    /// Each with the instant of the event that replaced it.
    var replaced: [(at: Instant, leaf: Int)] = []

    func leaf(before end: Instant) -> Int { replaced.first { $0.at >= end }?.leaf ?? last }
  }

  private let leafIDs: [String]

  private static let daysPerYear = 365.2425
  private static let weights = (watering: 1, planting: 3, sun: 2)

  public init(_ garden: Garden) {
    self.garden = garden
    var numbers: [ExactID: Int] = [:]
    var leafIDs: [String] = []
    func number(_ id: String) -> Int {
      if let known = numbers[ExactID(id)] { return known }
      leafIDs.append(id)
      numbers[ExactID(id)] = leafIDs.count - 1
      return leafIDs.count - 1
    }
    var replaced: [ExactID: [(at: Instant, leaf: Int)]] = [:]
    for text in garden.replacedLeaves {
      replaced[ExactID(text.id), default: []].append((text.at.instant, number(text.text ?? "")))
    }
    sprouts = garden.sprouts.compactMap { sprout in
      guard case .twig(let branch, let twig) = sprout.node else { return nil }
      let leaves = LeafHistory(last: number(sprout.leafID), replaced: replaced[ExactID(sprout.id)] ?? [])
      return (SproutLife(sprout, garden), branch, twig, leaves)
    }
    self.leafIDs = leafIDs
    suns = garden.journal.filter { $0.sprout == nil }
    var capacity = Soil.startingCapacity
    gains = garden.snapshots.compactMap { snapshot in
      defer { capacity = snapshot.capacity }
      return snapshot.capacity > capacity ? (snapshot.instant, snapshot.capacity - capacity) : nil
    }
    beginnings = Life.beginnings(garden)
  }

  /// The tree's first day; `nil` for an empty garden.
  public var firstDay: Day? { Life.firstDay(of: garden) }

  /// The day of the first event of a garden; `nil` for an empty garden.
  public static func firstDay(of garden: Garden) -> Day? {
    [
      garden.sprouts.first?.plantedAt, garden.leaves.first?.createdAt, garden.journal.first?.time,
      garden.allSeedlings.first?.createdAt,
    ].compactMap(\.self).min()?.day
  }

  /// The tree on a reset day.
  public func state(on day: Day, isResting: Bool = false) -> TreeState {
    state(on: day, before: end(of: day), isResting: isResting)
  }

  /// The first instant that belongs to a later day.
  public func end(of day: Day) -> Instant {
    let index = beginnings.prefixCount { $0.day <= day }
    return index < beginnings.count ? beginnings[index].instant : .max
  }

  /// The garden's own name of a node at the end of a day; `nil` for its preset.
  public func label(of node: Node, before end: Instant) -> String? {
    let replaced = garden.replacedLabels.first { $0.at.instant >= end && $0.id.hasSameBytes(as: node.id) }
    return replaced.map(\.text) ?? garden.nodes[ExactID(node.id)]?.label
  }

  /// - Parameter end: only earlier events count.
  func state(on day: Day, before end: Instant, isResting: Bool) -> TreeState {
    let seedlings = garden.allSeedlings.filter {
      $0.createdAt.instant < end && ($0.deletedAt.map { $0.instant >= end } ?? true)
    }
    let begin = [
      garden.sprouts.first?.plantedAt, garden.leaves.first?.createdAt, suns.first?.time, seedlings.first?.createdAt,
    ].compactMap(\.self).filter { $0.instant < end }.min()
    let age = begin.map { Double(max(0, $0.day.distance(to: day))) / Life.daysPerYear } ?? 0
    let rings = begin.map { self.rings(since: $0.instant, age: age, before: end) } ?? []
    var state = TreeState(age: age, rings: rings, branches: [TreeState.Branch](repeating: .init(), count: 8))
    state.isResting = isResting
    addSprouts(to: &state, day, end)
    for seedling in seedlings {
      guard case .twig(let branch, let twig) = Node(id: seedling.twigID) else { continue }
      state.branches[branch].twigs[twig].seedlings.append(seedling.id)
      state.branches[branch].twigs[twig].entries += 1
    }
    for entry in suns.prefix(suns.prefixCount { $0.time.instant < end }) { Life.add(entry, to: &state, day) }
    return state
  }

  private func addSprouts(to state: inout TreeState, _ day: Day, _ end: Instant) {
    /// The numbers of the leaves of each twig, in the order of `Twig.leaves`.
    var known = [[Int]](repeating: [], count: 64)
    for (life, branch, twig, leaves) in sprouts.prefix(sprouts.prefixCount { $0.life.planted.instant < end }) {
      let leaflet = life.leaflet(on: day, before: end)
      let leaf = leaves.leaf(before: end)
      let index = known[branch * 8 + twig].firstIndex(of: leaf)
      if index == nil { known[branch * 8 + twig].append(leaf) }
      Life.add(leaflet, cost: life.cost, to: &state.branches[branch])
      state.branches[branch].twigs[twig].entries += 1 + leaflet.waterings.count
      if let index {
        state.branches[branch].twigs[twig].leaves[index].leaflets.append(leaflet)
      } else {
        state.branches[branch].twigs[twig].leaves.append(TreeState.Leaf(id: leafIDs[leaf], leaflets: [leaflet]))
      }
    }
  }

  private static func add(_ leaflet: TreeState.Leaflet, cost: Double, to branch: inout TreeState.Branch) {
    // Costs from an imported file can add up to infinity, which has no share.
    branch.invested = min(branch.invested + cost, .greatestFiniteMagnitude)
    branch.oldestSprout = branch.oldestSprout ?? leaflet.sproutID
    branch.acts += leaflet.waterings.count { $0.day < leaflet.age } * weights.watering
    if leaflet.age > 0 { branch.acts += weights.planting }
  }

  private static func add(_ reflection: JournalEntry, to state: inout TreeState, _ day: Day) {
    guard case .twig(let branch, let twig) = reflection.twig else { return }
    let age = reflection.time.day.distance(to: day)
    if age > 0 { state.branches[branch].acts += weights.sun }
    add(TreeState.Sun(seed: reflection.time.instant.milliseconds, age: age), to: &state.branches[branch].twigs[twig])
  }

  private static func add(_ sun: TreeState.Sun, to twig: inout TreeState.Twig) {
    twig.entries += 1
    if twig.suns.count == TreeState.Sun.maximum { twig.suns.removeFirst() }
    twig.suns.append(sun)
  }

  private func rings(since begin: Instant, age: Double, before end: Instant) -> [Double] {
    var rings = [Double](repeating: 0, count: max(1, Int(age.rounded(.up))))
    for (instant, gain) in gains.prefix(gains.prefixCount { $0.instant < end }) {
      let year = Int(instant.seconds(since: begin) / (Life.daysPerYear * 86_400))
      rings[min(max(year, 0), rings.count - 1)] += gain
    }
    return rings
  }

  private static func beginnings(_ garden: Garden) -> [(day: Day, instant: Instant)] {
    var times: [(day: Day, instant: Instant)] = []
    func add(_ time: EventTime) {
      // Nearly all events have the day of the one before.
      if let last = times.last, last.day == time.day, last.instant <= time.instant { return }
      times.append((time.day, time.instant))
    }
    for entry in garden.journal { add(entry.time) }
    for sprout in garden.sprouts {
      add(sprout.plantedAt)
      if let ended = sprout.endedAt { add(ended) }
    }
    for leaf in garden.leaves { add(leaf.createdAt) }
    for seedling in garden.allSeedlings {
      add(seedling.createdAt)
      if let deletedAt = seedling.deletedAt { add(deletedAt) }
    }
    for text in garden.replacedLabels + garden.replacedLeaves { add(text.at) }
    times.sort { ($1.day, $1.instant) < ($0.day, $0.instant) }
    var result: [(day: Day, instant: Instant)] = []
    var earliest = Instant.max
    for time in times {
      earliest = min(earliest, time.instant)
      if result.last?.day == time.day { result.removeLast() }
      result.append((time.day, earliest))
    }
    return result.reversed()
  }
}

/// A sprout through time.
struct SproutLife: Sendable {
  let id: String
  let planted: EventTime
  let cost: Double
  private let season: Season
  private let ended: EventTime?
  /// Of its harvest.
  private let result: Int?
  /// In order, with their instants.
  private let waterings: [TreeState.Watering]
  private let watered: [Instant]

  init(_ sprout: Sprout, _ garden: Garden) {
    (id, planted, cost, season) = (sprout.id, sprout.plantedAt, sprout.soilCost, sprout.season)
    (ended, result) = (sprout.endedAt, sprout.harvest?.result)
    let (planted, length) = (planted, Double(season.seconds))
    let times = sprout.waterings.map { garden.journal[Int($0)] }
    watered = times.map(\.time.instant)
    waterings = times.map { entry in
      let share = entry.time.instant.seconds(since: planted.instant) / length
      return TreeState.Watering(
        share: Float(min(max(share, 0), 1)), day: planted.day.distance(to: entry.time.day), hasWords: entry.hasWords)
    }
  }

  /// - Parameters:
  ///   - day: the reset day to show.
  ///   - end: only earlier events count.
  func leaflet(on day: Day, before end: Instant) -> TreeState.Leaflet {
    let ended = ended.flatMap { $0.instant < end ? $0 : nil }
    // A whole array is shared instead of copied.
    let count = watered.last.map { $0 < end } ?? true ? watered.count : watered.prefixCount { $0 < end }
    var leaflet = TreeState.Leaflet(
      sproutID: id, season: season, stage: stage(on: day, ended: ended != nil),
      waterings: count == waterings.count ? waterings : Array(waterings.prefix(count)),
      age: planted.day.distance(to: day))
    if let ended, result != nil { leaflet.daysSinceHarvest = ended.day.distance(to: day) }
    return leaflet
  }

  /// A season ends where the sprout was planted, so that every device agrees.
  private func stage(on day: Day, ended: Bool) -> TreeState.Stage {
    if ended { return result.map { .harvested(result: $0) } ?? .uprooted }
    let (elapsed, length) = (planted.seconds(toEndOf: day), Double(season.seconds))
    return elapsed >= length ? .ready : .growing(progress: min(max(elapsed / length, 0), 1))
  }
}

extension RandomAccessCollection {
  /// The number of elements at the beginning that fulfil a condition that no later element fulfils.
  func prefixCount(where condition: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if condition(self[index(startIndex, offsetBy: middle)]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension Instant {
  static let max = Instant(milliseconds: .max)
}
