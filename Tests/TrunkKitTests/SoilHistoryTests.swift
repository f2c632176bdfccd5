import TestSupport
import Testing
import TrunkModel

@testable import TrunkDemo
@testable import TrunkKit

struct SoilHistoryTests {
  /// Derives the same changes differently: applies one event at a time and compares the garden before and after.
  private static func stepwise(_ events: [Event]) -> [SoilChange] {
    var garden = Garden(zone: .utc)
    var changes: [SoilChange] = []
    for logged in LoggedEvent.sorted(events.enumerated().map { LoggedEvent(seq: Int64($0.offset), event: $0.element) })
    {
      let (before, count) = (garden, garden.snapshots.count)
      garden.apply([logged])
      guard garden.snapshots.count == count + 1, let after = garden.snapshots.last else { continue }
      func position(_ id: String) -> Int { garden.sprouts.firstIndex { $0.id == id } ?? -1 }
      let cause: SoilChange.Cause
      switch logged.event.payload {
      case .sproutPlanted(let it): cause = .planted(sprout: position(it.sproutID))
      case .sproutWatered(let it): cause = .watered(sprout: position(it.sproutID))
      case .sunShone(let it): cause = .shone(twig: Node(id: it.twigID))
      case .sproutHarvested(let it): cause = .harvested(sprout: position(it.sproutID))
      case .sproutUprooted(let it): cause = .uprooted(sprout: position(it.sproutID))
      default: continue
      }
      changes.append(
        SoilChange(
          cause: cause, time: EventTime(logged.event.instant ?? after.instant, in: .utc), after: after,
          availableGain: garden.available - before.available,
          capacityGain: garden.capacity - before.capacity))
    }
    return changes
  }

  @Test(arguments: 0..<40) func everyChangeHasACause(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var events: [Event] = []
    var second: Int64 = 1_760_000_000
    var sprouts: [String] = []
    func add(_ content: Payload) {
      let instant = Instant(milliseconds: second * 1000)
      events.append(Event(content, at: instant, clientID: Event.clientID(at: instant, random: UInt32(events.count))))
    }
    for _ in 0..<200 {
      // Whole seconds, often with several events in the same one.
      if Int.random(in: 0..<3, using: &random) > 0 { second += Int64.random(in: 1...40_000, using: &random) }
      let sprout = sprouts.randomElement(using: &random)
      switch (Int.random(in: 0..<6, using: &random), sprout) {
      case (0, _), (_, nil):
        sprouts.append("sprout-\(sprouts.count)")
        add(
          .sproutPlanted(
            .init(
              sproutID: sprouts[sprouts.count - 1], twigID: "branch-1-twig-1", title: "t", season: .twoWeeks,
              environment: .fertile, soilCost: 2, leafID: "leaf")))
      case (1...2, let id?): add(.sproutWatered(.init(sproutID: id, content: "", prompt: nil)))
      case (3, _): add(.sunShone(.init(twigID: "branch-2-twig-3", twigLabel: "", content: "", prompt: nil)))
      case (4, let id?):
        add(.sproutHarvested(.init(sproutID: id, result: 3, capacityGained: 0.5, reflection: nil)))
      case (_, let id?): add(.sproutUprooted(.init(sproutID: id, soilReturned: 0.5)))
      }
    }
    let garden = Garden(events, zone: .utc)
    let changes = garden.soilHistory
    #expect(changes.count == garden.snapshots.count)
    let isSame = changes == Self.stepwise(events)
    #expect(isSame, "seed \(seed)")
  }

  @Test func aWateringBeforeItsPlantingCountsWithThePlanting() {
    func at(_ second: Int64, _ content: Payload) -> Event {
      let instant = Instant(milliseconds: 1_760_000_000_000 + second * 1000)
      return Event(content, at: instant, clientID: Event.clientID(at: instant, random: 7))
    }
    let garden = Garden(
      [
        at(10, .sproutWatered(.init(sproutID: "sprout-a", content: "", prompt: nil))),
        at(20, .sunShone(.init(twigID: "branch-9-twig-9", twigLabel: "", content: "", prompt: nil))),
        at(
          30,
          .sproutPlanted(
            .init(
              sproutID: "sprout-a", twigID: "branch-1-twig-1", title: "t", season: .twoWeeks, environment: .fertile,
              soilCost: 2, leafID: "leaf"))),
      ], zone: .utc)
    #expect(garden.soilHistory.map(\.cause) == [.shone(twig: nil), .planted(sprout: 0), .watered(sprout: 0)])
    #expect(garden.soilHistory.map { Formats.gain($0.availableGain) } == ["0", "−2", "+0.05"])
  }
}
