import EventStore
import Foundation
import SyncEngine
import TemporaryFolders
import TestSupport
import Testing
import TrunkModel

/// A vault in memory that can be made to fail.
actor TestVault: SessionVault {
  private(set) var session: StoredSession?
  var readProblem: VaultFailure?
  var writeProblem: VaultFailure?
  private(set) var writes = 0

  init(_ session: StoredSession? = nil) { self.session = session }

  func session(of account: Account) throws(VaultFailure) -> StoredSession? {
    if let readProblem { throw readProblem }
    return session
  }

  func store(_ session: StoredSession) throws(VaultFailure) {
    if let writeProblem { throw writeProblem }
    writes += 1
    self.session = session
  }

  func remove(_ account: Account) throws(VaultFailure) {
    if let writeProblem { throw writeProblem }
    session = nil
  }

  func unlock() {}

  func fail(reading: VaultFailure? = nil, writing: VaultFailure? = nil) {
    (readProblem, writeProblem) = (reading, writing)
  }
}

/// One computer with one account.
final class Device {
  static let server = "https://example.org"

  let folder: TemporaryFolder
  let service: MemoryService
  let vault: TestVault
  let clock: TestClock
  let userID: String
  private(set) var store: EventStore
  private(set) var keeper: SessionKeeper
  private(set) var engine: SyncEngine
  let lines = LineLog()
  let backups = LineLog()

  init(
    _ service: MemoryService, userID: String = "user", clock: TestClock = TestClock(), template: TemporaryFolder? = nil
  ) async throws {
    self.service = service
    self.userID = userID
    self.clock = clock
    folder = try TemporaryFolder("trunk-sync", isInMemory: true).created()
    if let template {
      try FileManager.default.copyItem(atPath: template.path + "/garden", toPath: folder.path + "/garden")
    }
    vault = TestVault(StoredSession(service.grant(userID), server: Device.server, now: clock.now))
    store = try await EventStore.open(folder: folder.path + "/garden")
    // The state after the first batches, so that batches are large.
    try await store.set("distinct", for: .rowTimes)
    (keeper, engine) = Device.parts(self.service, userID, folder, vault, clock, store, lines, backups)
  }

  /// The folder for copies of the garden.
  var copies: String { folder.path + "/copies" }

  /// Replaces the store, keeper and engine, as a restart of the program does.
  func restart() async throws {
    store = try await EventStore.open(folder: folder.path + "/garden")
    (keeper, engine) = Device.parts(service, userID, folder, vault, clock, store, lines, backups)
  }

  private static func parts(
    _ service: MemoryService, _ userID: String, _ folder: TemporaryFolder, _ vault: TestVault, _ clock: TestClock,
    _ store: EventStore, _ lines: LineLog, _ backups: LineLog
  ) -> (SessionKeeper, SyncEngine) {
    let keeper = SessionKeeper(
      account: Account(server: server, userID: userID), folder: folder.path + "/garden", vault: vault,
      service: service, clock: clock)
    let engine = SyncEngine(
      store: store, service: service, keeper: keeper, clock: clock, backUp: { backups.adding("backup") },
      log: { lines.add($0) })
    return (keeper, engine)
  }

  /// Returns another program's keeper for the same folder and vault.
  func anotherKeeper() -> SessionKeeper {
    Device.parts(service, userID, folder, vault, clock, store, lines, backups).0
  }

  @discardableResult
  func write(_ count: Int = 1, random: UInt32 = 0, text: String = "text") async throws -> [Event] {
    let events = (0..<count).map { Event.water(clock.now, text, random: random &+ UInt32($0)) }
    _ = try await store.append(events)
    return events
  }

  /// The canonical texts of all events, sorted.
  func texts() async throws -> [String] {
    try await store.events(afterSeq: 0).map(\.event.canonicalText).sorted()
  }

  func pending() async throws -> Int { try await store.syncFigures(now: clock.now).pending }
}

extension Event {
  static func water(_ instant: Instant, _ text: String = "text", random: UInt32) -> Event {
    Event(
      .sproutWatered(.init(sproutID: "sprout-1", content: text, prompt: nil)), at: instant,
      clientID: Event.clientID(at: instant, random: random))
  }

  /// Events with these numbers, one second apart.
  static func waters(_ range: Range<Int>) -> [Event] {
    range.map { number in
      let instant = Instant(milliseconds: TestClock.start + Int64(number) * 1000)
      return .water(instant, "water \(number)", random: UInt32(number))
    }
  }
}

extension RemoteLoss {
  /// The numbers of entries on this computer and on the server.
  var numbers: [Int] { [local, server] }
}
