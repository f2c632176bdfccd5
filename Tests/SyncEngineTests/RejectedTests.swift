import EventStore
import Testing
import TrunkModel

@testable import SyncEngine

/// Rejected entries, and entries whose ID another account uses.
@Suite struct RejectedTests {
  let service = MemoryService()

  // MARK: Rejected entries

  private func deviceWithRejected() async throws -> Device {
    let device = try await Device(service)
    _ = try await device.store.append(Event.waters(0..<2))
    service.configure { $0.rejectsRow = { _ in true } }
    #expect(await device.engine.sync().problem == nil)
    return device
  }

  @Test func rejectedEntriesAreNotShownAsSynced() async throws {
    let device = try await deviceWithRejected()
    let status = await device.engine.status
    #expect(status.phase == .rejected && status.rejected == 2 && status.pending == 0)
  }

  @Test func localOnlyEntriesHaveTheirOwnStatus() async throws {
    let device = try await deviceWithRejected()
    let items = try await device.store.outboxItems()
    #expect(try await device.store.keepLocalOnly([items[0].seq]) == 1)
    var status = await device.engine.refreshFigures()
    #expect(status.phase == .rejected && status.rejected == 1 && status.localOnly == 1)
    #expect(try await device.store.keepLocalOnly() == 1)
    try await device.restart()
    await device.engine.sync()
    status = await device.engine.status
    #expect(status.phase == .localOnly && status.rejected == 0 && status.localOnly == 2)
    #expect(try await device.store.outboxItems().map(\.state) == [.localOnly, .localOnly])
    // "Retry all" sends only entries that the user hasn't decided about.
    #expect(try await device.store.requeue() == 0)
    service.configure { $0.rejectsRow = { _ in false } }
    #expect(try await device.store.requeue([items[0].seq]) == 1)
    #expect(await device.engine.sync().pushed == 1)
    #expect(await device.engine.status.localOnly == 1)
  }

  /// An entry that is rejected again needs a new decision.
  @Test func anEntryRejectedAgainIsShownAgain() async throws {
    let device = try await deviceWithRejected()
    try await device.store.keepLocalOnly()
    try await device.store.requeue(device.store.outboxItems().map(\.seq))
    await device.engine.sync()
    let status = await device.engine.status
    #expect(status.rejected == 2 && status.localOnly == 0)
  }

  // MARK: IDs of another account

  @Test func anIDOfAnotherAccountIsReplacedOnce() async throws {
    let device = try await Device(service)
    let events = Event.waters(0..<3)
    service.write([events[1]], userID: "other")
    _ = try await device.store.append(events)
    let generation = try await device.store.state()
    let report = await device.engine.sync()
    #expect(report.problem == nil && report.pushed == 3)
    #expect(await device.engine.status.phase == .synced)
    #expect(service.rows.count { $0.userID == "user" } == 3)
    let local = try await device.store.events(afterSeq: 0).map(\.event)
    #expect(local.count == 3 && !local.contains { $0.clientID == events[1].clientID })
    let successor = try #require(local.first { !events.map(\.clientID).contains($0.clientID) })
    #expect(try successor.with(clientID: events[1].identity).raw == events[1].raw)
    #expect(try await device.store.state() != generation)
    #expect(service.rows.contains { $0.userID == "user" && $0.clientID == successor.clientID })
    #expect(try await device.store.verify().isSound)
    // The same file or local garden is imported again.
    let again = try await device.store.append(events)
    #expect(again.inserted.isEmpty && !again.isRewritten)
    #expect(try await device.store.importPreview(events).new == 0)
    await device.engine.sync()
    #expect(try await device.store.count() == 3)
    #expect(service.rows.count { $0.userID == "user" } == 3)
  }

  @Test func allDevicesOfAnAccountChooseTheSameNewID() async throws {
    let events = Event.waters(0..<3)
    service.write(events, userID: "other")
    let devices = [try await Device(service), try await Device(service)]
    for device in devices { _ = try await device.store.append(events) }
    for device in devices + devices { #expect(await device.engine.sync().problem == nil) }
    #expect(service.rows.count { $0.userID == "user" } == 3)
    for device in devices { #expect(try await device.store.count() == 3) }
    #expect(try await devices[0].texts() == devices[1].texts())
  }

  /// The program ends after the server has stored the event and before the log records it.
  @Test func aLostAnswerToANewIDStoresTheEventOnce() async throws {
    let events = Event.waters(0..<1)
    service.write(events, userID: "other")
    let device = try await Device(service)
    _ = try await device.store.append(events)
    // The third insert is the successor: the event itself is inserted twice before.
    let inserts = Counter()
    service.setFaults { call, _ in call == .insert && inserts.next() == 3 ? .answerLost : nil }
    #expect(await device.engine.sync().problem != nil)
    #expect(service.rows.count { $0.userID == "user" } == 1)
    service.clearFaults()
    try await device.restart()
    #expect(await device.engine.sync().problem == nil)
    #expect(service.rows.count { $0.userID == "user" } == 1)
    #expect(try await device.store.count() == 1)
    #expect(await device.engine.status.phase == .synced)
  }

  @Test func anEventWithoutAnIDGetsANewOne() async throws {
    let old = try Event(
      json: #"{"type":"sun-shone","timestamp":"2026-01-01T10:00:00.000Z","twigId":"t","twigLabel":"T","content":"c"}"#)
    service.write([old], userID: "other")
    let device = try await Device(service)
    _ = try await device.store.append([old])
    #expect(await device.engine.sync().problem == nil)
    #expect(await device.engine.status.phase == .synced)
    #expect(service.rows.count { $0.userID == "user" } == 1)
    _ = try await device.store.append([old])
    #expect(try await device.store.count() == 1)
  }

  /// Another account uses the new ID too: the event is rejected and stays.
  @Test func aNewIDIsNotReplacedAgain() async throws {
    let event = Event.waters(0..<1)[0]
    let successor = try event.with(clientID: event.successorID(for: "user"))
    service.write([event, successor], userID: "other")
    let device = try await Device(service)
    _ = try await device.store.append([event])
    #expect(await device.engine.sync().problem == nil)
    #expect(await device.engine.status.rejected == 1)
    #expect(try await device.texts() == [event.canonicalText])
    #expect(try await device.store.outboxItems().map(\.lastCode) == ["409 23505"])
  }

  /// A proxy answers every request with an empty list, and may even count no rows.
  @Test(arguments: [MemoryService.Fault.failing(.unintelligible(detail: "not the state of a table")), .blind])
  func aProxyThatReturnsEmptyListsChangesNothing(count: MemoryService.Fault) async throws {
    let device = try await Device(service)
    let events = try await device.write(3)
    service.setFaults { call, _ in call == .head ? count : .empty }
    for _ in 0..<3 {
      #expect(await device.engine.sync().problem?.code == "unintelligible")
      try await device.restart()
    }
    #expect(try await device.pending() == 3)
    #expect(try await device.texts() == events.map(\.canonicalText).sorted())
    #expect(try await device.store.outboxItems().allSatisfy { $0.state == .pending })
    service.clearFaults()
    #expect(await device.engine.sync().pushed == 3)
  }
}
