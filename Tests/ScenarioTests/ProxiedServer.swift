import EventStore
import FaultServer
import Foundation
import ServerProcess
import SyncBackends
import SyncEngine
import Synchronization
import TemporaryFolders
import TestSupport
import Testing
import TrunkModel

/// The built server behind a proxy that injects faults.
final class ProxiedServer: Sendable {
  /// The fault for each request.
  private final class Plan: Sendable {
    let fault = Mutex<@Sendable (FaultRequest) -> Fault>({ _ in .none })
  }

  let backend: Backend
  let process: ServerProcess
  let proxy: FaultProxy
  let file: ServerFile
  private let plan = Plan()

  init(_ backend: Backend) async throws {
    self.backend = backend
    process = try await ServerProcess()
    file = ServerFile(process)
    let port = try #require(process.url.split(separator: ":").last.flatMap { UInt16($0) })
    proxy = FaultProxy(to: port) { [plan] request in plan.fault.withLock { $0 }(request) }
  }

  /// - Parameter fault: called on the connection's thread; may block.
  func setFault(_ fault: @escaping @Sendable (FaultRequest) -> Fault) { plan.fault.withLock { $0 = fault } }

  func clearFault() { setFault { _ in .none } }

  /// The number of requests of a kind so far.
  func requests(_ kind: FaultRequest.Kind) -> Int { proxy.requests.count { $0.kind == kind } }

  /// A separate session that the proxy doesn't see.
  func signIn(_ email: String = "ada@example.org") async throws -> Grant {
    let service = backend.service(process.url)
    try await service.account.requestCode(email: email)
    return try await service.account.verify(email: email, code: process.code(for: email))
  }

  func computer(_ email: String = "ada@example.org", clock: TestClock = TestClock()) async throws -> Computer {
    let grant = try await signIn(email)
    return try await Computer(
      backend.service(proxy.address), StoredSession(grant, server: proxy.address, now: clock.now), clock: clock)
  }
}

/// A device of a user, with the real store, engine and connection.
final class Computer {
  let service: SyncService
  let folder: TemporaryFolder
  let vault: MemoryVault
  let clock: TestClock
  let account: Account
  private(set) var store: EventStore
  private(set) var keeper: SessionKeeper
  private(set) var engine: SyncEngine
  let log = LineLog()
  let backups = LineLog()

  init(_ service: SyncService, _ session: StoredSession, clock: TestClock) async throws {
    self.service = service
    self.clock = clock
    account = session.account
    folder = try TemporaryFolder("trunk-sync", isInMemory: true).created()
    vault = MemoryVault(session)
    store = try await EventStore.open(folder: folder.path + "/garden")
    // The state after the first batches, so that batches are large.
    try await store.set("distinct", for: .rowTimes)
    (keeper, engine) = Computer.parts(service, account, folder, vault, clock, store, log, backups)
  }

  /// Replaces the store, keeper and engine, as a restart of the program does.
  func restart() async throws {
    store = try await EventStore.open(folder: folder.path + "/garden")
    (keeper, engine) = Computer.parts(service, account, folder, vault, clock, store, log, backups)
  }

  private static func parts(
    _ service: SyncService, _ account: Account, _ folder: TemporaryFolder, _ vault: MemoryVault, _ clock: TestClock,
    _ store: EventStore, _ log: LineLog, _ backups: LineLog
  ) -> (SessionKeeper, SyncEngine) {
    let keeper = SessionKeeper(
      account: account, folder: folder.path + "/garden", vault: vault, service: service.account, clock: clock)
    let engine = SyncEngine(
      store: store, service: service.events, keeper: keeper, clock: clock, backUp: { backups.adding("backup") },
      log: { log.add($0) })
    return (keeper, engine)
  }

  func scheduler(live: (any LiveService)? = nil) -> SyncScheduler {
    SyncScheduler(engine: engine, live: live ?? NeverLive(), clock: clock, random: { 0 })
  }

  @discardableResult
  func write(_ count: Int = 1) async throws -> [Event] {
    let events = (0..<count).map { _ in Event.water(clock.now, random: .random(in: 0...(.max))) }
    _ = try await store.append(events)
    return events
  }

  /// The canonical texts of all events, sorted.
  func texts() async throws -> [String] { try await store.events(afterSeq: 0).map(\.event.canonicalText).sorted() }

  func pending() async throws -> Int { try await store.syncFigures(now: clock.now).pending }

  /// Waits until the store has this many events.
  func waitForEvents(_ count: Int) async throws {
    for await _ in await engine.statuses() where try await store.count() >= count { return }
  }
}

/// A live connection that never becomes live.
struct NeverLive: LiveService {
  func listen(
    token: AccessToken, renewals: AsyncStream<AccessToken>
  ) -> AsyncThrowingStream<LiveSignal, any Error> {
    AsyncThrowingStream { _ in }
  }
}

extension FaultRequest {
  enum Kind: String {
    case page, find, head, insert, refresh, socket, other
  }

  var kind: Kind {
    switch (method, path) {
    case ("GET", "/rest/v1/events") where query("limit") == "1", ("GET", "/api/sync/status"): .head
    case ("GET", "/rest/v1/events"), ("GET", "/api/sync/events"):
      query("client_id") == nil ? .page : .find
    case ("POST", "/rest/v1/events"), ("POST", "/api/sync/events"): .insert
    case ("POST", "/auth/v1/token"), ("POST", "/api/auth/refresh"): .refresh
    case (_, "/realtime/v1/websocket"): .socket
    default: .other
    }
  }
}

extension Event {
  /// An event with a `client_id` in another program's format.
  static func named(_ clientID: String) -> Event {
    Event(
      .sproutWatered(.init(sproutID: "sprout-1", content: "text", prompt: nil)),
      at: Instant(milliseconds: TestClock.start), clientID: clientID)
  }

  static func water(_ instant: Instant, _ text: String = "Grün, \"text\"", random: UInt32) -> Event {
    Event(
      .sproutWatered(.init(sproutID: "sprout-1", content: text, prompt: nil)), at: instant,
      clientID: Event.clientID(at: instant, random: random))
  }

  /// Events with these numbers, one second apart.
  static func waters(_ range: Range<Int>) -> [Event] {
    range.map { number in
      .water(Instant(milliseconds: TestClock.start + Int64(number) * 1000), "water \(number)", random: UInt32(number))
    }
  }
}
