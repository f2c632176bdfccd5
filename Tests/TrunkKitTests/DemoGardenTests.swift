import Foundation
import TestSupport
import Testing
import TrunkModel

@testable import TrunkDemo
@testable import TrunkKit

@Suite struct DemoGardenTests {
  private static let now = "2026-11-21T09:00:00Z"

  private func demo(
    years: Int, seed: UInt64 = 1, now: String = now, zone name: String = "Europe/Berlin", events: Int? = nil
  ) throws -> (demo: DemoGarden, events: [Event]) {
    let demo = DemoGarden(years: years, now: try instant(now), zone: try zone(name), seed: seed, eventCount: events)
    return (demo, demo.events())
  }

  /// Applies the events one by one and checks every rule.
  private func check(_ events: [Event], _ demo: DemoGarden) {
    var garden = Garden(zone: demo.zone)
    var entries: Set<String> = []
    for (seq, event) in events.enumerated() {
      guard let instant = event.instant, instant <= demo.now, event.isUnderstood else {
        Issue.record("\(event.raw)")
        return
      }
      for (text, kind) in event.payload.words { #expect(text.count <= kind.limit, "\(text)") }
      switch event.payload {
      case .sproutPlanted(let it):
        #expect(it.soilCost == Soil.cost(it.season, it.environment))
        #expect(it.soilCost <= garden.available, "\(it.title) needs more than there is")
        #expect(!it.title.isEmpty)
        #expect(garden.leaf(id: it.leafID)?.twigID == it.twigID)
      case .sproutWatered(let it):
        #expect(garden.sprout(id: it.sproutID)?.isActive == true)
        #expect(garden.waterLeft(at: instant) > 0)
        #expect(entries.insert("\(demo.zone.dayKey(instant)) \(it.sproutID)").inserted, "watered twice on a day")
        let phase = garden.sprout(id: it.sproutID)?.phase(at: instant) ?? .middle
        #expect(ResourceTexts.waterQuestions[phase]?.contains(it.prompt ?? "") == true)
      case .sunShone(let it):
        #expect(garden.sunLeft(at: instant) > 0)
        #expect(!it.content.isEmpty)
        #expect(it.prompt?.isEmpty == false && it.prompt?.contains("{") == false)
      case .sproutHarvested(let it):
        guard let sprout = garden.sprout(id: it.sproutID) else {
          Issue.record("unknown sprout")
          return
        }
        #expect(sprout.isReady(at: instant))
        #expect(
          it.capacityGained
            == Soil.capacityGained(sprout.season, sprout.ground, result: it.result, capacity: garden.capacity))
      case .sproutUprooted(let it):
        #expect(garden.sprout(id: it.sproutID)?.isActive == true)
      case .sproutEdited(let it): #expect(garden.sprout(id: it.sproutID) != nil)
      case .seedlingEdited(let it): #expect(garden.seedling(id: it.seedlingID) != nil)
      case .seedlingDeleted(let it): #expect(garden.seedling(id: it.seedlingID) != nil)
      case .leafCreated, .nodeUpdated, .seedlingCreated, .ignored: break
      }
      garden.apply([LoggedEvent(seq: Int64(seq), event: event)])
      #expect(garden.available >= 0)
      #expect(garden.lastKey == event.orderKey)
    }
    #expect(Set(events.compactMap(\.clientID)).count == events.count)
    #expect(garden.ignoredCount == 0)
  }

  @Test(arguments: [(1, 1), (1, 2), (2, 3), (3, 1), (5, 4)] as [(Int, UInt64)])
  func followsEveryRule(years: Int, seed: UInt64) throws {
    let (demo, events) = try demo(years: years, seed: seed)
    check(events, demo)
  }

  @Test func aDenseGardenKeepsTheRules() throws {
    let (demo, events) = try demo(years: 2, events: 9000)
    check(events, demo)
    #expect((8900...9000).contains(events.count))
  }

  @Test(arguments: [1, 2, 3, 10], [1, 2, 3] as [UInt64])
  func todayShowsEveryKindOfSprout(years: Int, seed: UInt64) throws {
    let (demo, events) = try demo(years: years, seed: seed)
    let garden = Garden(events, zone: demo.zone)
    let now = demo.now
    #expect(garden.ready(at: now).map(\.title) == ["Ten kilometres without stopping"])
    let due = garden.needingWater(at: now)
    #expect(due.map(\.title) == ["Learn the cello prelude", "A letter to someone every week"])
    let today = garden.zone.dayKey(now)
    let watered = due.compactMap { garden.lastWatered($0, at: now).map { Formats.ago($0.day, today: today) } }
    #expect(watered == ["4 days ago", "yesterday"])
    #expect(garden.wateredToday(at: now).map(\.title) == ["Grow herbs on the balcony"])
    #expect(garden.growing.count == 4)
    #expect(garden.waterLeft(at: now) == 2)
    #expect(garden.sunLeft(at: now) == 1)
    #expect(garden.streak(at: now).current == 12)
    let memories = garden.onThisDay(at: now)
    #expect(memories.contains { $0.anniversary == .year })
    #expect(memories.contains { $0.anniversary == .week })
    let chart = garden.soilChart(.all, now: now)
    #expect((chart.last?.capacity ?? 0) > 1.5 * (chart.first?.capacity ?? 0))
    #expect(garden.seedlings.count >= 5)
    #expect(garden.nodes.count >= 4)
    #expect(garden.sprouts.contains { $0.harvest?.reflection != nil })
    // One in fourteen is uprooted, so not every year has one.
    #expect(years == 1 || garden.sprouts.contains { !$0.isActive && $0.harvest == nil })
    #expect(garden.leafProgress.values.contains { $0.total > 1 })
  }

  @Test func hasAnEntryOfAYearAgo() throws {
    let (demo, events) = try demo(years: 2)
    let garden = Garden(events, zone: demo.zone)
    let memory = try #require(garden.onThisDay(at: demo.now).first { $0.anniversary == .year })
    let written = events.filter { $0.journalText == [DemoTexts.aYearAgo] }.map(\.instant)
    #expect(memory.entries.contains { written.contains($0.time.instant) })
  }

  @Test(arguments: [
    ("2026-11-21T04:30:00Z", "Europe/Berlin"), ("2026-11-21T05:00:30Z", "Europe/Berlin"),
    ("2026-11-23T05:10:00Z", "Europe/Berlin"), ("2024-02-29T23:30:00Z", "Pacific/Apia"),
    ("2026-03-29T12:00:00Z", "Australia/Lord_Howe"), ("2026-07-01T03:00:00Z", "America/New_York"),
  ])
  func worksAtEveryHour(now: String, zone: String) throws {
    let (demo, events) = try demo(years: 1, now: now, zone: zone)
    check(events, demo)
    let garden = Garden(events, zone: demo.zone)
    #expect(garden.wateredToday(at: demo.now).count == 1)
    #expect(garden.ready(at: demo.now).count == 1)
  }

  @Test func theSeedDeterminesTheGarden() throws {
    let raw = { (seed: UInt64) in try demo(years: 1, seed: seed).events.map(\.raw) }
    #expect(try raw(1) == raw(1))
    #expect(try raw(1) != raw(2))
  }

  @Test func hasManyDifferentTexts() {
    let entries = Set(DemoTexts.sagas.flatMap(\.entries) + DemoTexts.openings + DemoTexts.closings)
    #expect(entries.count >= 150)
    #expect(Set(DemoTexts.reflections.joined()).count >= 40)
    #expect(DemoTexts.reflections.count == 8 && DemoTexts.harvests.count == 5 && DemoTexts.weather.count == 4)
    for saga in DemoTexts.sagas {
      #expect(saga.blooms.isEmpty || saga.blooms.count == 3)
      // The title has a number if the saga was repeated many times.
      for stage in saga.stages { #expect(stage.title.count + 5 <= LimitedText.title.limit, "\(stage.title)") }
    }
  }
}
