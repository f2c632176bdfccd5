import TestSupport
import Testing
import TreePicture
import TrunkKit

@testable import TrunkModel

/// A failure names its seed: `RandomLog(seed:count:)` recreates that log.
@Suite struct LifeTests {
  /// Later events are left out, so they don't change a past day either.
  @Test(arguments: 0..<20)
  func aDayIsTheTreeOfTheLogUpToItsEnd(seed: Int) throws {
    let log = try RandomLog(seed: seed, count: 600)
    let zone = try TestSupport.zone(log.zone)
    try check(log, Zones(zone), seed: seed) { event, day, zones, _ in
      event.instant.map { EventTime($0, in: zone).day <= day } ?? true
    }
    // With events of several zones, a day can end before its last event.
    try check(log, log.zones, seed: seed) { event, _, _, end in event.instant.map { $0 < end } ?? true }
  }

  private func check(
    _ log: RandomLog, _ zones: Zones, seed: Int, isKept: (Event, Day, Zones, Instant) -> Bool
  ) throws {
    let life = Life(Garden(log.events, zones: zones))
    let first = try #require(life.firstDay)
    var random = SeededRandom(seed: seed)
    let length = first.distance(to: zones.current.dayKey(log.now)) + 2
    let labels = Node.twigs + (0..<8).map { Node.branch($0) }
    for _ in 0..<10 {
      let day = first.adding(days: Int32(random.next(below: Int(length))) - 1)
      let end = life.end(of: day)
      let garden = Garden(log.events.filter { isKept($0, day, zones, end) }, zones: zones)
      // The states are too long to print.
      let isEqual = life.state(on: day) == TreeState(garden, on: day)
      #expect(isEqual, "seed \(seed), \(day)")
      for node in labels {
        #expect(life.label(of: node, before: end) == garden.nodes[ExactID(node.id)]?.label, "seed \(seed), \(day)")
      }
    }
  }

  @Test func anEventOfALaterDayEndsADay() throws {
    let log = try RandomLog(seed: 3, count: 200)
    let life = Life(Garden(log.events, zones: try log.zones))
    let first = try #require(life.firstDay)
    #expect(life.end(of: first.adding(days: -1)) < life.end(of: first))
    #expect(life.state(on: first.adding(days: -1)).rings == [])
  }

  @Test func anEmptyGardenHasNoFirstDay() {
    #expect(Life(Garden(zone: .utc)).firstDay == nil)
  }
}
