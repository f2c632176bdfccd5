import EventStore
import Foundation
import TestSupport
import Testing
import TrunkModel

@testable import TrunkKit

@MainActor @Suite struct RefreshTests {
  @Test func reportsTheStateOfTheInitialSync() async throws {
    let fixture = try await GardenFixture()
    let store = try await EventStore.open(folder: fixture.folder + "/garden")
    let steps: [(initialSync: String?, serverRowsFormat: String?, InitialSync)] = [
      (nil, nil, .pending), ("begun", nil, .running), ("begun", "1", .running), (nil, "1", .done),
    ]
    for (initialSync, serverRowsFormat, expected) in steps {
      try await store.set(initialSync, for: .initialSync)
      try await store.set(serverRowsFormat, for: .serverRowsFormat)
      try await fixture.model.refresh()
      #expect(fixture.model.initialSync == expected)
      #expect(try await fixture.anotherModel().initialSync == expected)
      fixture.model.hasAccount = true
      #expect(fixture.model.awaitsInitialSync == (expected != .done))
      fixture.model.hasAccount = false
      #expect(!fixture.model.awaitsInitialSync, "a garden of this computer is complete")
    }
    // Signing out clears the garden, so an empty garden means nothing here.
    try await store.clear()
    try await fixture.model.refresh()
    #expect(fixture.model.initialSync == .pending)
  }

  /// Another program may sign out while a command waits for its text. Its entry would be in a garden that no program
  /// opens.
  @Test func aCommandWritesNothingIntoAGardenThatWasCleared() async throws {
    let fixture = try await GardenFixture()
    let id = try await fixture.plant("Cello")
    let command = try await fixture.anotherModel()
    command.failsWhenCleared = true
    let store = try await EventStore.open(folder: fixture.folder + "/garden")
    try await store.clear()
    await #expect(throws: StoreError.cleared) { try await command.water(id, text: "A line", question: "") }
    let twig = Node.twig(branch: 0, twig: 0)
    await #expect(throws: StoreError.cleared) { try await command.createSeedling(on: twig, title: "An idea") }
    #expect(try await store.count() == 0)
  }

  /// The garden already has everything from the old address.
  @Test func aServerThatMovedDoesNotRestartTheInitialSync() async throws {
    let fixture = try await GardenFixture()
    let store = try await EventStore.open(folder: fixture.folder + "/garden")
    try await store.bind(to: "https://old.example.org")
    try await store.set("1", for: .serverRowsFormat)
    try await store.bind(to: "https://new.example.org", hasMoved: true)
    try await fixture.model.refresh()
    #expect(fixture.model.initialSync == .done)
  }

  @Test func showsEventsOfOtherPrograms() async throws {
    let fixture = try await GardenFixture()
    let other = try await fixture.anotherModel()
    let id = try await fixture.plant("a")
    #expect(other.garden.sprouts.isEmpty)
    try await other.refresh()
    #expect(other.garden.sprout(id: id)?.title == "a")
    try await other.water(id, text: "x", question: nil)
    await #expect(throws: Never.self) { try await fixture.model.refresh() }
    #expect(fixture.model.garden.waterLeft(at: fixture.time.now) == 2)
    // An event that the other program undoes disappears here, too.
    try await other.undo()
    try await fixture.model.refresh()
    #expect(fixture.model.garden.waterLeft(at: fixture.time.now) == 3)
    try await fixture.expectModelMatchesLog()
    try await fixture.expectModelMatchesLog(other)
  }

  /// The log replaces an anonymous event of an old client when the same event is written with an ID. The garden can't
  /// go on from what it was before.
  @Test func anActionThatDisplacesAnEventDerivesTheGardenAgain() async throws {
    let fixture = try await GardenFixture()
    let id = try await fixture.plant("a")
    let old = try Event(
      json: """
        {"type":"sprout_watered","sproutId":"\(id)","content":"old","timestamp":"\(fixture.time.now)"}
        """)
    _ = try await fixture.model.store.append([old])
    try await fixture.model.refresh()
    #expect(fixture.model.garden.waterLeft(at: fixture.time.now) == 2)
    let twig = Node.twig(branch: 0, twig: 0)
    try await fixture.model.commit([
      .nodeUpdated(.init(nodeID: twig.id, label: "b", note: nil)),
      .sproutWatered(.init(sproutID: id, content: "new", prompt: nil)),
    ])
    #expect(fixture.model.garden.waterLeft(at: fixture.time.now) == 2)
    try await fixture.expectModelMatchesLog()
  }

  @Test func whatAnotherProgramHasUndoneIsNotOffered() async throws {
    let fixture = try await GardenFixture()
    let id = try await fixture.plant("a")
    try await fixture.model.water(id, text: "x", question: nil)
    #expect(fixture.model.undoable?.action == .water)
    _ = try await fixture.anotherModel().undoLast()
    try await fixture.model.refresh()
    #expect(fixture.model.undoable?.action == .plant, "only the planting is left")
    let undone = try await fixture.model.undo()
    #expect(undone?.action == .plant)
  }

  /// An intent applies the events it has appended. Events that another program wrote just before are applied too.
  @Test func anotherProgramsWriteBeforeAnOwnOneIsApplied() async throws {
    let fixture = try await GardenFixture()
    let (model, other) = (fixture.model, try await fixture.anotherModel())
    func seedling(_ name: String) -> Event {
      fixture.time.advance(seconds: 1)
      return Event(
        .seedlingCreated(.init(seedlingID: "seedling-\(name)", twigID: "branch-0-twig-0", title: name)),
        at: fixture.time.now, clientID: Event.clientID(at: fixture.time.now, random: 1))
    }
    let (foreign, own) = (seedling("foreign"), seedling("own"))
    _ = try await other.store.append([foreign])
    let written = try await model.store.append([own])
    try await model.inTurn { try await model.apply(written) }
    #expect(Set(model.garden.seedlings.map(\.title)) == ["foreign", "own"])
    try await fixture.expectModelMatchesLog()
    // The log already has the event, so nothing changes.
    let again = try await model.store.append([own])
    try await model.inTurn { try await model.apply(again) }
    try await fixture.expectModelMatchesLog()
  }

  /// Events of other programs are not shown until `mayRefresh` allows it.
  @Test func eventsWaitUntilTheyMayBeShown() async throws {
    let fixture = try await GardenFixture()
    let model = fixture.model
    try await fixture.anotherModel().createSeedling(on: .twig(branch: 0, twig: 0), title: "elsewhere")
    model.mayRefresh = { false }
    try await model.refreshIfAllowed()
    #expect(model.garden.seedlings.isEmpty)
    model.mayRefresh = { true }
    try await model.refreshIfAllowed()
    #expect(model.garden.seedlings.map(\.title) == ["elsewhere"])
  }

  @Test func eventsOfOthersAreNotInTheFuture() async throws {
    let fixture = try await GardenFixture()
    let other = try await fixture.anotherModel()
    fixture.time.advance(days: 1)
    try await fixture.plant("a")
    try await other.refresh()
    #expect(other.now == fixture.time.now)
  }

  @Test func anIntentSeesEarlierWritesOfOtherPrograms() async throws {
    let fixture = try await GardenFixture()
    let id = try await fixture.plant("a")
    let other = try await fixture.anotherModel()
    try await other.water(id, text: "x", question: nil)
    let twigs = [1, 2, 3].map { Node.twig(branch: 0, twig: $0) }
    for twig in twigs { try await fixture.model.createSeedling(on: twig, title: "s") }
    #expect(fixture.model.garden.journal.count == 1)
    try await fixture.expectModelMatchesLog()
  }

  @Test func anIntentIsCheckedAgainstEventsOfOthers() async throws {
    let fixture = try await GardenFixture()
    let id = try await fixture.plant("a")
    let other = try await fixture.anotherModel()
    try await other.water(id, text: "x", question: nil)
    try await fixture.expectError(.alreadyWatered(title: "a")) {
      try await fixture.model.water(id, text: "y", question: nil)
    }
  }

  @Test func anEntryOfAnotherProgramKeepsTheDraft() async throws {
    let fixture = try await GardenFixture()
    let id = try await fixture.plant("a")
    try await fixture.model.save(DraftContent("Begun here", .water, about: id))
    try await fixture.anotherModel().water(id, text: "written there", question: nil)
    #expect(try await fixture.model.unfinished(.water, about: id)?.text == "Begun here")
  }

  @Test func concurrentCallsApplyEachEventOnce() async throws {
    let fixture = try await GardenFixture()
    let other = try await fixture.anotherModel()
    let (one, two) = (fixture.model, other)
    for round in 0..<10 {
      try await two.createSeedling(on: .twig(branch: 1, twig: 1), title: "other \(round)")
      let odd = try Event(json: "{\"type\":\"odd\",\"n\":\(round)}")
      let tasks = (0..<16).map { number in
        Task { @MainActor in
          switch number {
          case 2: try await one.createSeedling(on: .twig(branch: 2, twig: 2), title: "own \(round)")
          case 7: _ = try await two.importEvents([odd])
          default: try await one.refresh()
          }
        }
      }
      for task in tasks { try await task.value }
      try await two.refresh()
      try await one.refresh()
    }
    #expect(one.garden.ignoredCount == 10)
    #expect(one.garden.seedlings.count == 20)
    #expect(one.garden.eventCount == 20)
    try await fixture.expectModelMatchesLog()
  }

  @Test func lateEventsAreSortedIn() async throws {
    let fixture = try await GardenFixture()
    let id = try await fixture.plant("a")
    for day in 0..<40 {
      fixture.time.advance(days: 1)
      try await fixture.model.water(id, text: "\(day)", question: nil)
    }
    let behind = try FixedClock("2026-11-20T08:00:00Z", fixture.time.zone)
    let other = try await fixture.anotherModel(behind)
    let late = try await other.createSeedling(on: .twig(branch: 0, twig: 0), title: "late")
    let water = Event(
      .sproutWatered(.init(sproutID: id, content: "late", prompt: nil)), at: behind.now.adding(seconds: 60),
      clientID: "x-1")
    _ = try await fixture.model.store.append([water, try Event(json: #"{"type":"odd"}"#)])
    try await fixture.model.refresh()
    #expect(fixture.model.garden.seedling(id: late) != nil)
    #expect(fixture.model.garden.ignoredCount == 1)
    let garden = fixture.model.garden
    let texts = try await fixture.model.entries(garden.items(garden.waterings(of: fixture.sprout(id)))).map(\.text)
    #expect(texts.count == 41)
    #expect(texts.firstIndex(of: "late") == 2)
    try await fixture.expectModelMatchesLog()
  }

  @Test func aStartUsesTheCheckpoint() async throws {
    let fixture = try await GardenFixture()
    for number in 0..<210 {
      fixture.time.advance(seconds: 1)
      try await fixture.model.createSeedling(on: .twig(branch: 0, twig: 0), title: "\(number)")
    }
    let store = fixture.model.store
    func kept() async throws -> Int? {
      try await store.newestCheckpoint(format: Garden.formatVersion, zone: "Europe/Berlin") { $0 }?.state.eventCount
    }
    #expect(try await kept() == 200, "kept after every 200 events")
    #expect(try await fixture.anotherModel().garden.checkpoint() == fixture.model.garden.checkpoint())
    try await fixture.model.close()
    #expect(try await kept() == 210)
    try await fixture.model.close()
    let again = try await fixture.anotherModel()
    #expect(again.garden.eventCount == 210)
    try await again.createSeedling(on: .twig(branch: 0, twig: 0), title: "after")
    #expect(again.garden.seedlings.count == 211)
    try await fixture.model.refresh()
    try await fixture.expectModelMatchesLog()
  }

  @Test func keepsACheckpointWhenItIsDue() async throws {
    let fixture = try await GardenFixture()
    let events = (0..<300).map { number -> Event in
      let instant = fixture.time.now.adding(seconds: Int64(number))
      return Event(
        .seedlingCreated(.init(seedlingID: "seedling-\(number)", twigID: "branch-0-twig-0", title: "x")), at: instant,
        clientID: Event.clientID(at: instant, random: 1))
    }
    _ = try await fixture.model.store.append(events)
    let opened = try await fixture.anotherModel()
    let store = opened.store
    #expect(try await store.newestCheckpoint(format: Garden.formatVersion, zone: "Europe/Berlin") { $0 } == nil)
    await opened.saveCheckpointIfDue()
    #expect(
      try await store.newestCheckpoint(format: Garden.formatVersion, zone: "Europe/Berlin") { $0 }?.state.eventCount
        == 300)
  }
}

@MainActor @Suite struct DayTests {
  @Test func waterComesBackAtSix() async throws {
    let fixture = try await GardenFixture(now: "2026-11-18T04:59:00Z")
    let id = try await fixture.plant("a")
    try await fixture.model.water(id, text: "before six", question: nil)
    #expect(fixture.model.garden.waterLeft(at: fixture.model.now) == 2)
    fixture.time.advance(seconds: 60)
    try await fixture.model.refreshClock()
    #expect(fixture.model.garden.waterLeft(at: fixture.model.now) == 3)
    try await fixture.model.water(id, text: "after six", question: nil)
    #expect(fixture.model.garden.streak(at: fixture.model.now).current == 2)
  }

  @Test func sunComesBackOnMondayAtSix() async throws {
    let fixture = try await GardenFixture(now: "2026-11-23T04:59:59Z")
    try await fixture.model.shine(.twig(branch: 0, twig: 0), text: "x", question: "?")
    try await fixture.expectError(.noSunLeft(returns: "today at 06:00")) {
      try await fixture.model.shine(.twig(branch: 0, twig: 0), text: "y", question: "?")
    }
    fixture.time.advance(seconds: 1)
    try await fixture.model.shine(.twig(branch: 0, twig: 0), text: "y", question: "?")
    #expect(fixture.model.garden.sunLeft(at: fixture.model.now) == 0)
  }

  @Test func anotherZoneChangesTheDay() async throws {
    let fixture = try await GardenFixture(now: "2026-11-18T04:30:00Z")
    let id = try await fixture.plant("a")
    try await fixture.model.water(id, text: "x", question: nil)
    fixture.time.advance(seconds: 3600)
    try await fixture.model.refreshClock()
    #expect(fixture.model.garden.waterLeft(at: fixture.model.now) == 3, "05:30, then 06:30 in Berlin")
    fixture.time.zone = try zone("Asia/Kathmandu")
    try await fixture.model.refreshClock()
    #expect(fixture.model.garden.zone.identifier == "Asia/Kathmandu")
    #expect(fixture.model.garden.waterLeft(at: fixture.model.now) == 3, "10:15, then 11:15 in Kathmandu")
    #expect(fixture.model.garden.journal.last?.time.day.description == "2026-11-17", "the entry keeps its day")
    try await fixture.expectModelMatchesLog()
  }

  @Test(arguments: [
    ("2026-11-18T08:00:00Z", "2026-11-18T11:00:00.000Z"),  // the greeting at noon
    ("2026-11-18T11:00:00Z", "2026-11-18T16:00:00.000Z"), ("2026-11-18T16:30:00Z", "2026-11-18T20:00:00.000Z"),
    ("2026-11-18T20:00:00Z", "2026-11-18T23:00:00.000Z"), ("2026-11-18T23:00:00Z", "2026-11-19T04:00:00.000Z"),
    ("2026-11-19T04:00:00Z", "2026-11-19T05:00:00.000Z"),  // the reset
    ("2026-03-28T23:00:00Z", "2026-03-29T03:00:00.000Z"), ("2026-03-29T03:30:00Z", "2026-03-29T04:00:00.000Z"),
  ])
  func findsTheNextChange(now: String, change: String) async throws {
    let fixture = try await GardenFixture(now: now)
    #expect(fixture.model.nextChange.description == change)
    #expect(fixture.model.nextChange > fixture.model.now)
  }

  @Test func theNextChangeIsAHarvest() async throws {
    let fixture = try await GardenFixture(now: "2026-11-18T08:20:00Z")
    try await fixture.plant("a")
    fixture.time.advance(seconds: -601, days: 14)
    try await fixture.model.refreshClock()
    #expect(fixture.model.nextChange == fixture.time.now.adding(seconds: 600))
    fixture.time.advance(seconds: 600)
    try await fixture.model.refreshClock()
    #expect(fixture.model.garden.ready(at: fixture.model.now).count == 1)
    #expect(fixture.model.nextChange > fixture.model.now)
  }
}
