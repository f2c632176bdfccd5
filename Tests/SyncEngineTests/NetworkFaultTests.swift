import EventStore
import SyncEngine
import Synchronization
import Testing
import TrunkModel

/// The guarantees of syncing under any network fault.
@Suite struct NetworkFaultTests {
  let service = MemoryService()

  @Test func offlineWriteReachesTheServerOnceAndTheOtherDevice() async throws {
    let (one, two) = (try await Device(service), try await Device(service))
    await one.engine.sync()
    let event = try await one.write()[0]
    service.setFaults { _, _ in .lost }
    let failed = await one.engine.sync()
    #expect(failed.problem == .service(.unreachable(detail: "lost")))
    #expect(await one.engine.status.phase == .offline)
    try await one.restart()
    service.clearFaults()
    let report = await one.engine.sync()
    #expect(report.problem == nil && report.pushed == 1)
    #expect(service.rows.map(\.clientID) == [event.clientID])
    await two.engine.sync()
    #expect(try await two.texts() == [event.canonicalText])
    let status = await one.engine.status
    #expect(status.phase == .synced && status.latest == service.rows[0].createdAt && status.consecutiveFailures == 0)
  }

  @Test func anotherFormatOfRowsPullsEverything() async throws {
    let device = try await Device(service)
    service.write(Event.waters(0..<10), userID: "user")
    #expect(await device.engine.sync().mode == .full)
    #expect(await device.engine.sync().mode == .incremental)
    service.remove { $0.clientID == Event.waters(3..<4)[0].clientID }
    try await device.store.set("0", for: .serverRowsFormat)
    // An event written during the download stays although no row holds it.
    service.setGate { [store = device.store] call in
      if call == .rows { await #expect(throws: Never.self) { try await store.append(Event.waters(20..<21)) } }
    }
    let report = await device.engine.sync()
    service.setGate(nil)
    #expect(report.mode == .full && report.problem == nil)
    #expect(try await device.store.count() == 10)
    #expect(try await device.pending() == 1)
  }

  @Test func theSameEventSentTwiceAtOnceIsStoredOnce() async throws {
    let (one, two) = (try await Device(service), try await Device(service))
    let events = Event.waters(0..<3)
    _ = try await one.store.append(events)
    _ = try await two.store.append(events)
    async let first = one.engine.sync()
    async let second = two.engine.sync()
    #expect(await [first.problem, second.problem] == [nil, nil])
    #expect(service.rows.count == 3)
    #expect(try await one.pending() == 0)
    #expect(try await two.pending() == 0)
    #expect(try await one.store.confirmedCount() == 3)
  }

  @Test func manyRowsWithTheSameTimeAreFetchedPageByPage() async throws {
    let events = Event.waters(0..<2501)
    service.write(Array(events[..<900]), userID: "user")
    service.write(Array(events[900..<1200]), userID: "user")
    for event in events[1200...] { service.write([event], userID: "user") }
    for limit in [1000, 7] {
      service.configure { $0.pageLimit = limit }
      let device = try await Device(service)
      let report = await device.engine.sync()
      #expect(report.fetched == 2501 && report.mode == .full)
      #expect(try await device.store.count() == 2501)
    }
    // The same for new rows after a first sync.
    service.configure { $0.rows.removeAll() }
    let device = try await Device(service)
    await device.engine.sync()
    service.write(Event.waters(0..<300), userID: "user")
    #expect(await device.engine.sync().mode == .incremental)
    #expect(try await device.store.count() == 300)
  }

  @Test func aRowThatAppearsBeforeTheCursorIsFetched() async throws {
    let device = try await Device(service)
    service.write(Event.waters(0..<1), userID: "user")
    await device.engine.sync()
    let began = service.time + 1
    service.advance(seconds: 200)
    service.write(Event.waters(1..<2), userID: "user")
    await device.engine.sync()
    // The transaction began before the row that was already fetched, and commits now.
    service.write(Event.waters(2..<3), userID: "user", began: began)
    await device.engine.sync()
    #expect(try await device.store.count() == 3)
  }

  @Test func anUnchangedServerGetsOneRequest() async throws {
    let device = try await Device(service)
    service.write(Event.waters(0..<20), userID: "user")
    await device.engine.sync()
    for _ in 0..<3 {
      device.clock.advance(seconds: 601)
      service.advance(seconds: 601)
      await device.engine.sync()
    }
    service.log = []
    await device.engine.sync()
    #expect(service.log == [.head])
    // Late rows are still found after newer ones arrive.
    let began = service.time + 1
    service.advance(seconds: 100)
    service.write(Event.waters(30..<31), userID: "user")
    await device.engine.sync()
    service.write(Event.waters(31..<32), userID: "user", began: began)
    await device.engine.sync()
    #expect(try await device.store.count() == 22)
  }

  @Test(arguments: [
    ServiceFailure.unavailable(status: 500, code: "", retryAfter: nil), .unintelligible(detail: "html"),
    .unreachable(detail: "cut"),
  ])
  func aFailedFullPullChangesNothing(failure: ServiceFailure) async throws {
    service.configure { $0.pageLimit = 10 }
    service.write(Event.waters(0..<45), userID: "user")
    let device = try await Device(service)
    await device.engine.sync()
    let before = try await device.texts()
    service.write(Event.waters(50..<60), userID: "user")
    for number in 1...5 {
      let count = Counter()
      service.setFaults { call, _ in call == .rows && count.next() == number ? .failing(failure) : nil }
      let report = await device.engine.sync(.allRows)
      #expect(report.problem == .service(failure))
      #expect(try await device.texts() == before)
      #expect(try await device.store.confirmedCount() == 45)
    }
  }

  @Test func anEmptyServerIsReportedAsALoss() async throws {
    let device = try await Device(service)
    service.write(Event.waters(0..<5), userID: "user")
    await device.engine.sync()
    try await device.write()
    service.setFaults { call, _ in call == .rows || call == .head ? .blind : nil }
    await device.engine.sync(.allRows)
    #expect(try await device.store.count() == 6)
    #expect(await device.engine.status.remoteLoss?.numbers == [5, 0])
    #expect(device.backups.all.count == 1)
  }

  @Test func aTokenOfAnotherUserIsNeverUsed() async throws {
    let device = try await Device(service)
    service.write(Event.waters(0..<5), userID: "user")
    await device.engine.sync()
    // {"sub":"other"}
    let session = StoredSession(
      account: Account(server: Device.server, userID: "user"), email: "", accessToken: "e30.eyJzdWIiOiJvdGhlciJ9.x",
      refreshToken: "r", expiresAt: .max / 2)
    await device.keeper.resume(session)
    service.log = []
    let report = await device.engine.sync(.allRows)
    #expect(report.problem?.code == "unintelligible")
    #expect(service.log.isEmpty)
    #expect(try await device.store.count() == 5)
  }

  @Test func aRenewedTokenOfAnotherUserIsNeverUsed() async throws {
    let device = try await Device(service)
    try await device.write()
    await device.engine.sync()
    service.expireAccessTokens()
    service.configure { $0.nextAccessToken = "e30.eyJzdWIiOiJvdGhlciJ9.x" }
    service.log = []
    #expect(await device.engine.sync().problem?.code == "unintelligible")
    // The request with the expired token, and the renewal.
    #expect(service.log.count == 2)
    #expect(try await device.store.count() == 1)
  }

  @Test func aTokenThatExpiresDuringASyncIsRenewed() async throws {
    service.configure { $0.pageLimit = 10 }
    service.write(Event.waters(0..<45), userID: "user")
    let device = try await Device(service)
    let count = Counter()
    service.setGate { [service] call in
      if call == .rows, count.next() == 3 { service.expireAccessTokens() }
    }
    let report = await device.engine.sync()
    #expect(report.problem == nil)
    #expect(try await device.store.count() == 45)
    #expect(service.log.count { $0 == .refresh } == 1)
  }

  @Test func anEndedSessionKeepsTheGarden() async throws {
    let device = try await Device(service)
    service.write(Event.waters(0..<5), userID: "user")
    await device.engine.sync()
    service.endSessions()
    let report = await device.engine.sync()
    #expect(report.problem == .service(.sessionEnded(code: "refresh_token_not_found")))
    #expect(await device.engine.status.phase == .signedOut)
    #expect(await device.vault.session == nil)
    try await device.write()
    #expect(try await device.store.count() == 6)
    await device.engine.refreshFigures()
    #expect(await device.engine.status.phase == .signedOut)
    // Signing in again sends the waiting events.
    await device.keeper.resume(StoredSession(service.grant("user"), server: Device.server, now: device.clock.now))
    #expect(await device.engine.sync().problem == nil)
    #expect(service.rows.count == 6)
    #expect(await device.engine.status.phase == .synced)
  }

  @Test func rejectedRowsDoNotBlockOthers() async throws {
    let device = try await Device(service)
    let events = Event.waters(0..<1100)
    _ = try await device.store.append(events)
    let bad = Set([events[3], events[700]].map(\.clientID))
    service.configure { $0.rejectsRow = { bad.contains($0.clientID) } }
    let report = await device.engine.sync()
    #expect(report.problem == nil && report.pushed == 1098)
    #expect(service.rows.count == 1098)
    let status = await device.engine.status
    #expect(status.pending == 0 && status.rejected == 2)
    let items = try await device.store.outboxItems()
    #expect(items.allSatisfy { $0.state == .rejected && $0.lastCode == "400 22P05" })
    // The user sends them again after the server has learned to accept them.
    service.configure { $0.rejectsRow = { _ in false } }
    try await device.store.requeue()
    await device.engine.sync()
    #expect(service.rows.count == 1100)
  }

  @Test func eventsClearedDuringTheirRequestAreFetchedAgain() async throws {
    let device = try await Device(service)
    await device.engine.sync()
    try await device.write(2)
    service.setGate { [store = device.store] call in if call == .insert { try? await store.clear() } }
    #expect(await device.engine.sync().problem == nil)
    service.setGate(nil)
    #expect(await device.engine.sync().problem == nil)
    #expect(try await device.store.count() == 2)
    #expect(try await device.pending() == 0)
  }

  @Test func aThousandEventsTakeThreeRequests() async throws {
    let device = try await Device(service)
    await device.engine.sync()
    _ = try await device.store.append(Event.waters(0..<1000))
    service.log = []
    await device.engine.sync()
    #expect(service.log == [.insert, .head, .rows])
    #expect(service.rows.count == 1000)
    #expect(try await device.store.confirmedCount() == 1000)
  }

  @Test func lostAnswersStoreNothingTwice() async throws {
    let device = try await Device(service)
    await device.engine.sync()
    try await device.write(3)
    service.failOnce(.insert, .answerLost)
    #expect(await device.engine.sync().problem != nil)
    #expect(try await device.pending() == 3)
    let items = try await device.store.outboxItems()
    #expect(items.allSatisfy { $0.attempts == 1 && $0.lastAnswer == "unreachable" })
    let report = await device.engine.sync()
    #expect(report.problem == nil && report.pushed == 3)
    #expect(service.rows.count == 3)
  }
}

/// Returns 1, 2, 3 and so on.
final class Counter: Sendable {
  private let count = Mutex(0)
  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}
