import Localization
import TrunkModel

/// The days of a garden with their entries.
public struct LifeDays: Sendable {
  private let garden: Garden
  /// The positions of the entries in the journal, by day.
  private let entries: [Dated<Int32>]
  /// The harvested sprouts, by day.
  private let harvests: [Dated<Sprout>]

  private struct Dated<Value: Sendable>: Sendable {
    let day: Day
    let value: Value
  }

  public init(_ garden: Garden) {
    self.garden = garden
    entries = garden.journal.enumerated().map { Dated(day: $1.time.day, value: Int32($0)) }
      .sorted { ($0.day, $0.value) < ($1.day, $1.value) }
    harvests = garden.sprouts.compactMap { sprout in sprout.harvest.map { Dated(day: $0.at.day, value: sprout) } }
      .sorted { $0.day < $1.day }
  }

  /// The entries of a day, oldest first.
  public func items(on day: Day) -> [TimelineItem] {
    let waterings = LifeDays.part(of: entries, from: day, through: day).map { garden.journal[Int($0.value)] }
    let harvested = LifeDays.part(of: harvests, from: day, through: day)
    let harvestItems = harvested.flatMap { garden.milestones(of: $0.value) }.filter { $0.kind == .harvest }
    guard !waterings.isEmpty else { return harvestItems }
    return (garden.items(waterings) + harvestItems).sorted { ($0.time, $0.seq) < ($1.time, $1.seq) }
  }

  /// The nearest earlier day with an entry.
  public func day(before day: Day) -> Day? {
    let (entry, harvest) = (LifeDays.index(day, in: entries), LifeDays.index(day, in: harvests))
    return [entry > 0 ? entries[entry - 1].day : nil, harvest > 0 ? harvests[harvest - 1].day : nil]
      .compactMap(\.self).max()
  }

  /// The nearest later day with an entry.
  public func day(after day: Day) -> Day? {
    let next = day.adding(days: 1)
    return [
      entries.dropFirst(LifeDays.index(next, in: entries)).first?.day,
      harvests.dropFirst(LifeDays.index(next, in: harvests)).first?.day,
    ].compactMap(\.self).min()
  }

  /// What was harvested or planted nearest to a day, at most three days away; harvests first.
  public func event(near day: Day) -> String? {
    func distance(_ other: Day) -> Int32 { abs(day.distance(to: other)) }
    let near = LifeDays.part(of: harvests, from: day.adding(days: -3), through: day.adding(days: 3))
    if let harvest = near.min(by: { distance($0.day) < distance($1.day) }) {
      let parts = ["title": harvest.value.title, "date": Formats.dayAndMonth(harvest.day)]
      return tr("“{title}” was harvested on {date}.", parts)
    }
    let planted = garden.sprouts.filter { distance($0.plantedAt.day) <= 3 }
    guard let sprout = planted.min(by: { distance($0.plantedAt.day) < distance($1.plantedAt.day) }) else { return nil }
    return tr(
      "“{title}” was planted on {date}.", ["title": sprout.title, "date": Formats.dayAndMonth(sprout.plantedAt.day)])
  }

  /// The reflections that pass while time plays: at most one for each two years, each of the best harvest with a short
  /// one.
  /// - Parameter hidden: the numbers of the events that are left out.
  public func passingWords(without hidden: Set<Int64>) -> [(day: Day, text: String)] {
    var best: [Int32: (day: Day, text: String, result: Int)] = [:]
    for dated in harvests {
      guard let harvest = dated.value.harvest, let text = harvest.reflection?.trimmed,
        !hidden.contains(harvest.seq), LifeDays.passingLengths.contains(text.count),
        !text.contains(where: \.isNewline)
      else { continue }
      if let known = best[dated.day.year / 2], known.result >= harvest.result { continue }
      best[dated.day.year / 2] = (dated.day, String(text), harvest.result)
    }
    return best.values.map { ($0.day, $0.text) }.sorted { $0.day < $1.day }
  }

  private static let passingLengths = 12...60

  private static func part<Value>(
    of list: [Dated<Value>], from first: Day, through last: Day
  ) -> ArraySlice<Dated<Value>> {
    list[index(first, in: list)..<index(last.adding(days: 1), in: list)]
  }

  /// The position of the first element on a day or later.
  private static func index<Value>(_ day: Day, in list: [Dated<Value>]) -> Int {
    var (low, high) = (0, list.count)
    while low < high {
      let middle = (low + high) / 2
      if list[middle].day < day { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension Formats {
  /// How old a tree was, or is today, as a sentence.
  /// - Parameter days: since its first day.
  public static func treeAge(days: Int32, isToday: Bool = false) -> String {
    let (months, halves) = (Int(Double(days) / 30.44), Int(Double(days) / 182.62))
    if days == 0 { return tr("The first day of the tree.") }
    if isToday { return treeAgeToday(days: days, months: months, halves: halves) }
    if months == 0 { return trn("The tree was {n} day old.", "The tree was {n} days old.", Int(days)) }
    if halves < 2 { return trn("The tree was {n} month old.", "The tree was {n} months old.", months) }
    if halves % 2 == 1 { return trn("The tree was {n}½ years old.", "The tree was {n}½ years old.", halves / 2) }
    return trn("The tree was {n} year old.", "The tree was {n} years old.", halves / 2)
  }

  private static func treeAgeToday(days: Int32, months: Int, halves: Int) -> String {
    if months == 0 { return trn("The tree is {n} day old.", "The tree is {n} days old.", Int(days)) }
    if halves < 2 { return trn("The tree is {n} month old.", "The tree is {n} months old.", months) }
    if halves % 2 == 1 { return trn("The tree is {n}½ years old.", "The tree is {n}½ years old.", halves / 2) }
    return trn("The tree is {n} year old.", "The tree is {n} years old.", halves / 2)
  }
}
