import TrunkModel

/// The events of the first three months of a garden, which `GoldenTests` and `EntryMarkTests` draw.
struct YoungGarden {
  private(set) var events: [Event] = []
  private let begin: Instant
  private let last: Double

  /// - Parameters:
  ///   - days: how old the garden is.
  ///   - seed: of its ids.
  init(
    days: Double, begin: Instant = Instant("2026-04-06T09:00:00.000Z") ?? Instant(milliseconds: 0), seed: String = ""
  ) {
    (self.begin, last) = (begin, days)
    plant("cello" + seed, on: 10, .oneMonth, day: 0)
    for day in 0...28 where day < 10 || day % 3 != 0 {
      water("cello" + seed, day: Double(day) + 0.1, words: day % 4 != 3)
    }
    plant("bread" + seed, on: 41, .twoWeeks, day: 5)
    for day in [5, 6, 8, 9, 10, 11, 12, 13] { water("bread" + seed, day: Double(day) + 0.2) }
    for (week, twig) in [18, 21, 10, 18, 41, 26, 35, 3, 52, 1, 18].enumerated() {
      shine(on: twig, day: Double(week) * 7 + 6)
    }
    for (number, day) in [7.0, 9, 50, 60].enumerated() {
      note("idea-\(number)", on: [53, 52, 12, 33][number], day: day)
    }
    harvest("bread" + seed, 2, day: 20)
    harvest("cello" + seed, 4, day: 31)
    plant("second cello" + seed, on: 10, .oneMonth, day: 33, leaf: "cello")
    for day in stride(from: 33.0, to: 63, by: 2) { water("second cello" + seed, day: day + 0.3) }
    harvest("second cello" + seed, 5, day: 64)
    plant("third cello" + seed, on: 10, .threeMonths, day: 66, leaf: "cello")
    plant("singing" + seed, on: 21, .sixMonths, day: 40)
    plant("running" + seed, on: 3, .oneMonth, day: 71)
    plant("letters" + seed, on: 35, .twoWeeks, day: 78)
    for day in stride(from: 40.0, to: 91, by: 2) {
      water("singing" + seed, day: day + 0.3)
      if day >= 66 { water("third cello" + seed, day: day + 0.35, words: day.truncatingRemainder(dividingBy: 6) != 0) }
      if day >= 71 { water("running" + seed, day: day + 0.4) }
      if day >= 78 { water("letters" + seed, day: day + 0.45) }
    }
  }

  /// The instant of a part of the garden's life.
  func instant(day: Double) -> Instant { Instant(milliseconds: begin.milliseconds + Int64(day * 86_400_000)) }

  /// The last day of the garden.
  var now: Instant { instant(day: last) }

  mutating func plant(_ id: String, on twig: Int, _ season: Season, day: Double, leaf: String? = nil) {
    add(
      .sproutPlanted(
        .init(
          sproutID: id, twigID: Node.twigs[twig].id, title: id, season: season, environment: .fertile,
          soilCost: Soil.cost(season, .fertile), leafID: "leaf-" + (leaf ?? id))), day)
  }

  mutating func water(_ id: String, day: Double, words: Bool = true) {
    add(.sproutWatered(.init(sproutID: id, content: words ? "Some words" : "", prompt: nil)), day)
  }

  mutating func shine(on twig: Int, day: Double) {
    add(.sunShone(.init(twigID: Node.twigs[twig].id, twigLabel: "", content: "Light", prompt: nil)), day)
  }

  mutating func note(_ id: String, on twig: Int, day: Double) {
    add(.seedlingCreated(.init(seedlingID: id, twigID: Node.twigs[twig].id, title: id, notes: nil)), day)
  }

  mutating func harvest(_ id: String, _ result: Int, day: Double) {
    add(.sproutHarvested(.init(sproutID: id, result: result, capacityGained: 0.4, reflection: nil)), day)
  }

  mutating func uproot(_ id: String, day: Double) { add(.sproutUprooted(.init(sproutID: id, soilReturned: 0.5)), day) }

  private mutating func add(_ payload: Payload, _ day: Double) {
    guard day <= last else { return }
    let number = events.count
    let at = Instant(milliseconds: instant(day: day).milliseconds + Int64(number))
    events.append(Event(payload, at: at, clientID: "event-\(number)"))
  }
}
