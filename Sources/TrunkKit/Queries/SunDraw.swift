import TrunkModel

/// Draws the twig of a week's reflection, by what each twig had on Monday at 06:00.
///
/// The Monday and the id of the oldest sprout decide, so the draw is the same on all of a user's devices, and another
/// for other users. Each twig draws its own numbers, so a change on one twig can't exchange two others.
public struct SunDraw: Sendable {
  /// The chance of each twig in proportion to the others; twigs without anything have none.
  let weights: [Node: Int]
  /// The twigs on which a sprout is growing.
  private let growing: Set<Node>
  /// The twigs of the latest reflections, newest first.
  private let recent: [Node]
  private let seed: String
  /// Whether this is one of the garden's first two reflections.
  private let isBeginning: Bool
  /// Whether the draw is among the twigs without anything, as every fourth week is from the ninth on.
  private let isAmongBareTwigs: Bool

  /// The number of latest twigs that are not drawn again.
  private static let memory = 3
  /// The number of reflections that are about beginnings.
  private static let beginnings = 2
  private static let firstBareWeek: Int32 = 9
  private static let weeksBetweenBareOnes: Int32 = 4
  /// The age in months up to which a harvest counts.
  private static let harvestMonths: Int32 = 24

  public init(_ garden: Garden, at now: Instant) {
    let zone = garden.zone
    let monday = zone.dayKey(now).monday
    let first = garden.firstDay?.monday ?? monday
    // In its first week a garden had nothing on Monday.
    let instant = first < monday ? zone.start(of: monday) : now
    let reflections = garden.journal.filter { $0.sprout == nil && $0.time.day < monday }
    growing = garden.growing(at: instant)
    weights = garden.sunWeights(
      at: instant, since: zone.start(of: monday.adding(months: -SunDraw.harvestMonths)), reflections: reflections)
    recent = reflections.suffix(SunDraw.memory).reversed().compactMap(\.twig)
    seed = "\(monday.number) \(garden.sprouts.first?.id ?? "")"
    isBeginning = reflections.count < SunDraw.beginnings
    let week = (monday.number - first.number) / 7 + 1
    isAmongBareTwigs =
      week >= SunDraw.firstBareWeek && (week - SunDraw.firstBareWeek) % SunDraw.weeksBetweenBareOnes == 0
  }

  /// The twig of the week.
  public var twig: Node { pick(besides: [], seed: seed) }

  /// Another twig.
  /// - Parameter shown: the twigs that the user has already seen, the latest last. They are drawn again only when there
  ///   is no other.
  public func another(besides shown: [Node], using random: inout some RandomNumberGenerator) -> Node {
    pick(besides: shown, seed: "\(random.next())")
  }

  /// Whether the question about a twig is about beginnings.
  public func isAboutBeginnings(on twig: Node) -> Bool { isBeginning && growing.contains(twig) }

  /// Random numbers for the week's question.
  var random: SeededRandom { SeededRandom(seed: FNV1a(seed).value) }
}

extension SunDraw {
  private var candidates: [Node] {
    let bare = Node.twigs.filter { weights[$0] == nil }
    if isBeginning, !growing.isEmpty { return Node.twigs.filter(growing.contains) }
    return isAmongBareTwigs && !bare.isEmpty || weights.isEmpty ? bare : Node.twigs.filter { weights[$0] != nil }
  }

  private func pick(besides shown: [Node], seed: String) -> Node {
    let candidates = candidates.filter { !shown.contains($0) }
    // The latest twigs are left out, as many as the others allow.
    for count in (0...recent.count).reversed() {
      let left = candidates.filter { !recent.prefix(count).contains($0) }
      if !left.isEmpty { return draw(among: left, seed: seed) }
    }
    let unseen = Node.twigs.filter { !shown.contains($0) }
    return draw(among: unseen.isEmpty ? Node.twigs.filter { $0 != shown.last } : unseen, seed: seed)
  }

  /// The twig with the highest number wins. A twig with the weight n draws n numbers, which makes its chance n times as
  /// large.
  private func draw(among twigs: [Node], seed: String) -> Node {
    let best = twigs.max { number(of: $0, seed: seed) < number(of: $1, seed: seed) }
    return best ?? Node.twigs[0]
  }

  private func number(of twig: Node, seed: String) -> UInt64 {
    var random = SeededRandom(seed: FNV1a("\(seed) \(twig.id)").value)
    return (0..<max(weights[twig] ?? 1, 1)).reduce(0) { number, _ in max(number, random.next()) }
  }
}

extension Garden {
  /// The day of the first sprout, entry or idea.
  fileprivate var firstDay: Day? {
    [sprouts.first?.plantedAt.day, journal.first?.time.day, seedlings.first?.createdAt.day].compactMap(\.self).min()
  }

  fileprivate func growing(at instant: Instant) -> Set<Node> {
    Set(
      sprouts.filter { sprout in
        sprout.plantedAt.instant <= instant && sprout.endedAt.map { $0.instant > instant } ?? true
      }.compactMap(\.node))
  }

  /// - Parameter since: from when on harvests count.
  fileprivate func sunWeights(at instant: Instant, since: Instant, reflections: [JournalEntry]) -> [Node: Int] {
    var weights: [Node: Int] = [:]
    func add(_ weight: Int, _ twigs: some Sequence<Node>) {
      for twig in Set(twigs) where Node.twigs.contains(twig) { weights[twig, default: 0] += weight }
    }
    let ideas = seedlings.filter { $0.createdAt.instant <= instant }.compactMap { Node(id: $0.twigID) }
    add(4, growing(at: instant))
    // The garden doesn't know since when a twig has its name.
    add(2, ideas + Node.twigs.filter(isChanged))
    add(
      2,
      sprouts.filter { $0.harvest.map { since <= $0.at.instant && $0.at.instant <= instant } ?? false }
        .compactMap(\.node))
    add(1, reflections.compactMap(\.twig))
    return weights
  }
}
