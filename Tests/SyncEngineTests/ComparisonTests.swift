import EventStore
import Testing
import TrunkModel

@testable import SyncEngine

/// Comparing the local events with the server before signing out.
@Suite struct ComparisonTests {
  let service = MemoryService()

  /// Returns a device that is in sync with the server's 31 events.
  private func synced() async throws -> Device {
    let device = try await Device(service)
    service.write(Event.waters(0..<30), userID: "user")
    await device.engine.sync()
    try await device.write(1, random: 99)
    await device.engine.sync()
    service.log = []
    return device
  }

  @Test func aCompleteServerLacksNothing() async throws {
    let device = try await synced()
    try await device.write(1, random: 7)
    #expect(try await device.engine.compare().isComplete)
    #expect(service.rows.count == 32)
  }

  @Test func lostEventsAreListedAndSentOnlyOnRequest() async throws {
    let device = try await synced()
    let lost = Set(service.rows.prefix(12).map(\.clientID))
    service.remove { lost.contains($0.clientID) }
    let comparison = try await device.engine.compare()
    #expect(comparison.problem == nil && comparison.missing.count == 12)
    #expect(comparison.missing.allSatisfy { $0.reason == .lost })
    let events = try await device.store.events(seqs: comparison.missing.map(\.seq))
    #expect(Set(events.compactMap(\.event.clientID)) == lost)
    #expect(service.rows.count == 19 && !service.log.contains(.insert))
    #expect(try await device.engine.sendAgain(comparison).isComplete)
    #expect(service.rows.count == 31)
    #expect(try await device.store.count() == 31)
  }

  /// After one program has found a loss, no program may report that the server has everything.
  @Test func aLossIsRecordedUntilTheRowsAreBack() async throws {
    let device = try await synced()
    let lost = Set(service.rows.prefix(12).map(\.clientID))
    service.remove { lost.contains($0.clientID) }
    let comparison = try await device.engine.compare()
    let loss = try #require(try await device.store.remoteLoss())
    #expect(loss.missing == 12 && loss.local == 31 && loss.server == 19)
    #expect(await device.engine.status.remoteLoss == loss)
    await device.engine.sync()
    #expect(try await device.store.count() == 31)
    #expect(try await device.engine.sendAgain(comparison).isComplete)
    await device.engine.sync()
    #expect(try await device.store.remoteLoss() == nil)
  }

  /// Another device may have stored another text under the same ID. It must be read before the copy is made.
  @Test func theServersTextIsReadBeforeTheComparison() async throws {
    let device = try await synced()
    let now = device.clock.now
    let (theirs, mine) = (Event.water(now, "theirs", random: 500), Event.water(now, "mine", random: 500))
    service.write([theirs], userID: "user")
    _ = try await device.store.append([mine])
    #expect(try await device.engine.compare().isComplete)
    #expect(try await device.store.events(afterSeq: 0).contains { $0.event.journalText.first == "theirs" })
    #expect(try await device.store.superseded().map { $0.event.journalText.first } == ["mine"])
  }

  @Test func localOnlyEventsAreNotSentAgain() async throws {
    let device = try await synced()
    service.setFaults { call, _ in
      call == .insert ? .failing(.rejected(status: 400, code: "23514", message: "")) : nil
    }
    try await device.write(1, random: 900)
    await device.engine.sync()
    try await device.store.keepLocalOnly()
    service.clearFaults()
    let comparison = try await device.engine.compare()
    #expect(comparison.missing.map(\.reason) == [.localOnly])
    #expect(try await device.engine.sendAgain(comparison).missing.map(\.reason) == [.localOnly])
  }

  @Test func onlyAComparisonWithTheServersCountIsRecorded() async throws {
    let device = try await Device(service)
    try await device.write(1, random: 1)
    await device.engine.send()
    #expect(try await device.store.value(.lastCheck) == nil)
    service.setFaults { call, _ in call == .head ? .failing(.rejected(status: 500, code: "57014", message: "")) : nil }
    await device.engine.sync()
    #expect(try await device.store.value(.lastCheck) == nil)
    service.clearFaults()
    // The server has another row, and can't count when it is asked again.
    let heads = Counter()
    service.setFaults { call, _ in
      call == .head && heads.next() > 1 ? .failing(.rejected(status: 500, code: "57014", message: "")) : nil
    }
    service.remove { _ in true }
    await device.engine.sync()
    #expect(try await device.store.value(.lastCheck) == nil)
    service.clearFaults()
    await device.engine.sync()
    #expect(try await device.store.value(.lastCheck) != nil)
  }

  /// Another client has deleted a row and inserted its event again with another text, as an import of the web client
  /// does. Then only this computer has the original text.
  @Test func aTextThatWasReplacedOnTheServerIsRead() async throws {
    let device = try await synced()
    let row = service.rows[3]
    let mine = try #require(ServerRow(row.columns)?.event)
    let other = try Event(json: mine.raw.replacing("\"content\":\"", with: "\"content\":\"Other words "))
    #expect(other.raw != mine.raw && other.clientID == row.clientID)
    service.remove { $0.clientID == row.clientID }
    service.advance(seconds: 60)
    service.write([other], userID: "user")
    let comparison = try await device.engine.compare()
    #expect(comparison.isComplete && !comparison.hasUnreadRows)
    let (log, superseded) = (try await device.store.events(afterKey: nil), try await device.store.superseded())
    let texts = Set(log.map(\.event.raw) + superseded.map(\.event.raw))
    #expect(texts.isSuperset(of: [mine.raw, other.raw]))
    // The new row is known now.
    service.log = []
    #expect(try await !device.engine.compare().hasUnreadRows)
  }

  @Test func anEmptyServerLacksEverything() async throws {
    let device = try await synced()
    service.remove { _ in true }
    let comparison = try await device.engine.compare()
    #expect(comparison.problem == nil && comparison.missing.count == 31)
    #expect(service.rows.isEmpty)
  }

  @Test(arguments: [MemoryService.Fault.blind, .failing(.unintelligible(detail: "[]"))])
  func anUnreliableListIsNotAnEmptyServer(fault: MemoryService.Fault) async throws {
    let device = try await synced()
    service.setFaults { call, _ in call == .rows ? fault : nil }
    let comparison = try await device.engine.compare()
    #expect(comparison.missing.isEmpty && comparison.problem != nil && !comparison.isComplete)
  }

  @Test func shortPagesAreReadToTheEnd() async throws {
    let device = try await synced()
    service.configure { $0.pageLimit = 7 }
    let lost = service.rows[3].clientID
    service.remove { $0.clientID == lost }
    #expect(try await device.engine.compare().missing.count == 1)
  }

  @Test func rejectedEventsAreListedAsMissing() async throws {
    let device = try await synced()
    service.configure { $0.rejectsRow = { $0.event.journalText == ["bad"] } }
    try await device.write(1, random: 5, text: "bad")
    #expect(try await device.engine.compare().missing.map(\.reason) == [.rejected])
  }

  @Test func aServerWithoutAnAnswerIsUnreachableAfter15Seconds() async throws {
    let device = try await synced()
    service.setGate { call in if call == .head { try? await Task.sleep(for: .seconds(600)) } }
    async let comparison = device.engine.compare()
    let wait = await device.clock.nextWakeUp()
    device.clock.advance(milliseconds: wait)
    #expect(wait <= 15_000)
    #expect(try await comparison.problem == .service(.unreachable(detail: "timed_out")))
  }

  @Test func anEndedSessionIsNotAnEmptyServer() async throws {
    let device = try await synced()
    service.endSessions()
    let comparison = try await device.engine.compare()
    #expect(comparison.missing.isEmpty)
    #expect(comparison.problem == .service(.sessionEnded(code: "refresh_token_not_found")))
  }

  /// In pages that are out of order, some rows are listed twice.
  @Test func aListOutOfOrderIsComplete() async throws {
    let device = try await synced()
    service.configure { $0.pageLimit = 7 }
    let lost = service.rows[3].clientID
    service.remove { $0.clientID == lost }
    service.setFaults { call, _ in call == .rows ? .shuffled : nil }
    let comparison = try await device.engine.compare()
    #expect(comparison.problem == nil && comparison.missing.count == 1)
  }

  @Test func aListThatEndsEarlyIsNotALoss() async throws {
    let device = try await synced()
    service.configure { $0.pageLimit = 7 }
    service.setFaults { call, _ in call == .rows ? .emptyFromPage(2) : nil }
    let comparison = try await device.engine.compare()
    #expect(comparison.missing.isEmpty && comparison.problem != nil)
  }
}
