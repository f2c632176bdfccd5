import Dispatch
import EventStore
import FaultServer
import SyncEngine
import TestSupport
import Testing
import TrunkModel

/// Several devices of one user, with real stores, real connections and the built server.
@Suite struct SeveralDevicesTests {
  @Test(arguments: Backend.allCases) func offlineWriteReachesTheServerOnceAndTheOtherDevice(_ backend: Backend)
    async throws
  {
    let server = try await ProxiedServer(backend)
    let (one, two) = (try await server.computer(), try await server.computer())
    await one.engine.sync()
    let event = try await one.write()[0]
    server.setFault { _ in .lostRequest }
    #expect(await one.engine.sync().problem?.code == "unreachable")
    #expect(await one.engine.status.phase == .offline)
    try await one.restart()
    // The server stores the event, but its response is lost, so the device doesn't know.
    server.setFault { $0.kind == .insert ? .lostAnswer : .none }
    #expect(await one.engine.sync().problem?.code == "unreachable")
    #expect(try await one.pending() == 1)
    try await one.restart()
    server.clearFault()
    let report = await one.engine.sync()
    #expect(report.problem == nil && report.pushed == 1)
    #expect(try server.file.clientIDs(userID: one.account.userID) == [event.clientID])
    await two.engine.sync()
    #expect(try await two.texts() == [event.canonicalText])
    let status = await one.engine.status
    #expect(status.phase == .synced && status.latest != nil && status.pending == 0)
  }

  @Test(arguments: Backend.allCases) func anotherFormatOfRowsPullsEverything(_ backend: Backend) async throws {
    let server = try await ProxiedServer(backend)
    let (one, two) = (try await server.computer(), try await server.computer())
    _ = try await two.store.append(Event.waters(0..<10))
    await two.engine.sync()
    #expect(await one.engine.sync().mode == .full)
    #expect(await one.engine.sync().mode == .incremental)
    try server.file.remove(clientID: Event.waters(3..<4)[0].clientID ?? "")
    try await one.store.set("0", for: .serverRowsFormat)
    // An event that can't be sent during the download stays although no row holds it.
    try await one.write()
    server.setFault { $0.kind == .insert ? .answer(status: 503) : .none }
    // The next sync fetches first.
    #expect(await one.engine.sync().problem?.code == "503")
    let report = await one.engine.sync()
    #expect(report.mode == .full && report.problem?.code == "503")
    #expect(try await one.store.count() == 10)
    #expect(try await one.pending() == 1)
    server.clearFault()
    #expect(await one.engine.sync().problem == nil)
    #expect(try server.file.clientIDs(userID: one.account.userID).count == 10)
  }

  @Test(arguments: Backend.allCases) func theSameEventSentTwiceAtOnceIsStoredOnce(_ backend: Backend) async throws {
    let server = try await ProxiedServer(backend)
    let (one, two) = (try await server.computer(), try await server.computer())
    let events = Event.waters(0..<3)
    _ = try await one.store.append(events)
    _ = try await two.store.append(events)
    async let first = one.engine.sync()
    async let second = two.engine.sync()
    #expect(await [first.problem, second.problem] == [nil, nil])
    #expect(try server.file.clientIDs(userID: one.account.userID).count == 3)
    for computer in [one, two] {
      #expect(try await computer.pending() == 0)
      #expect(try await computer.store.confirmedCount() == 3)
    }
  }

  @Test(arguments: Backend.allCases) func eventsClearedDuringTheirRequestAreFetchedAgain(_ backend: Backend)
    async throws
  {
    let server = try await ProxiedServer(backend)
    let computer = try await server.computer()
    await computer.engine.sync()
    try await computer.write(2)
    let store = computer.store
    server.setFault { request in
      guard request.kind == .insert else { return .none }
      wait { try? await store.clear() }
      return .none
    }
    #expect(await computer.engine.sync().problem == nil)
    server.clearFault()
    #expect(try await computer.pending() == 0)
    #expect(await computer.engine.sync().problem == nil)
    #expect(try await computer.store.count() == 2)
    #expect(try await computer.pending() == 0)
  }

  /// The server returns at most 1,000 rows per request.
  @Test(arguments: Backend.allCases) func manyRowsWithTheSameTimeAreFetchedPageByPage(_ backend: Backend) async throws {
    let server = try await ProxiedServer(backend)
    let computer = try await server.computer()
    let began: Int64 = 1_770_000_000_000_001
    // 300 rows share a time across the end of the first page.
    try server.file.insert(Event.waters(0..<2501), userID: computer.account.userID) { index in
      began + Int64(index < 900 ? index : index < 1200 ? 900 : index)
    }
    let report = await computer.engine.sync()
    #expect(report.mode == .full && report.fetched == 2501 && report.problem == nil)
    #expect(try await computer.store.count() == 2501)
    // The same for new rows after a first sync: more than a page of rows with one time.
    let other = try await server.computer("bob@example.org")
    await other.engine.sync()
    try server.file.insert(Event.waters(5000..<6300), userID: other.account.userID) { _ in began }
    let second = await other.engine.sync()
    #expect(second.mode == .incremental && second.fetched == 1300)
    #expect(try await other.store.count() == 1300)
  }

  @Test(arguments: Backend.allCases) func aRowThatIsCommittedLateIsFetched(_ backend: Backend) async throws {
    let server = try await ProxiedServer(backend)
    let (one, two) = (try await server.computer(), try await server.computer())
    _ = try await two.store.append(Event.waters(0..<1))
    await two.engine.sync()
    await one.engine.sync()
    // The transaction began before the known rows and committed after they were read.
    let newest = try server.file.newest()
    try server.file.insert(Event.waters(1..<2), userID: one.account.userID) { _ in newest - 200_000_000 }
    let report = await one.engine.sync()
    #expect(report.mode == .incremental && report.problem == nil && report.pulled == 1)
    #expect(try await one.store.count() == 2)
    // A row that is older than the overlap is found by counting.
    try server.file.insert(Event.waters(2..<3), userID: one.account.userID) { _ in newest - 2_000_000_000 }
    one.clock.advance(seconds: 3600)
    #expect(await one.engine.sync().mode == .full)
    #expect(try await one.store.count() == 3)
  }

  /// A new process sends one request, even after a bulk import of rows with one time.
  @Test(arguments: Backend.allCases) func anUnchangedServerGetsOneRequest(_ backend: Backend) async throws {
    let server = try await ProxiedServer(backend)
    let computer = try await server.computer()
    let imported = Event.waters(0..<20_000)
    let time = Int64(computer.clock.now.milliseconds) * 1000
    try server.file.insert(imported, userID: computer.account.userID) { _ in time }
    #expect(await computer.engine.sync().pulled == 20_000)
    for _ in 0..<3 {
      try await computer.restart()
      let before = server.proxy.requests.count
      let report = await computer.engine.sync()
      #expect(report.problem == nil && report.fetched == 0)
      #expect(server.proxy.requests.dropFirst(before).map(\.kind) == [.head])
    }
    // A slightly older row is found by counting.
    try server.file.insert(Event.waters(20_000..<20_001), userID: computer.account.userID) { _ in time - 1 }
    #expect(await computer.engine.sync().pulled == 1)
  }

  @Test(arguments: Backend.allCases) func aThousandEventsTakeThreeRequests(_ backend: Backend) async throws {
    let server = try await ProxiedServer(backend)
    let computer = try await server.computer()
    await computer.engine.sync()
    try await computer.write(1000)
    try await computer.restart()
    let before = server.proxy.requests.count
    let report = await computer.engine.sync()
    #expect(report.pushed == 1000 && report.problem == nil)
    #expect(server.proxy.requests.dropFirst(before).map(\.kind) == [.insert, .head, .page])
    #expect(try await computer.store.confirmedCount() == 1000)
  }

  /// A first batch of two shows whether the rows of a request share a time.
  @Test(arguments: Backend.allCases) func theFirstBatchIsSmall(_ backend: Backend) async throws {
    let server = try await ProxiedServer(backend)
    let computer = try await server.computer()
    try await computer.store.set(nil, for: .rowTimes)
    try await computer.write(100)
    #expect(await computer.engine.sync().pushed == 100)
    #expect(server.requests(.insert) == 2)
    #expect(try await computer.store.value(.rowTimes) != nil)
  }
}

/// Blocks a connection's thread until the work is done.
func wait(_ work: @escaping @Sendable () async -> Void) {
  let done = DispatchSemaphore(value: 0)
  Task {
    await work()
    done.signal()
  }
  done.wait()
}
