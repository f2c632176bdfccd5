import EventStore
import FolderChanges
import Foundation
import ServerProcess
import SyncEngine
import Synchronization
import TestSupport
import Testing
import TrunkModel

/// Several programs at once, and programs that are killed at any moment.
@Suite struct ProcessTests {
  /// Five programs find the token expired at the same time.
  @Test(arguments: Backend.allCases) func fiveProgramsRenewOnce(_ backend: Backend) async throws {
    let server = try await ProxiedServer(backend)
    var session = StoredSession(
      try await server.signIn(), server: server.proxy.address, now: SystemSyncClock().now)
    let computer = try SharedComputer(backend, server.proxy.address, session)
    // Does the first download.
    let first = try computer.program("sync")
    first.sendLine("go")
    #expect(try await first.lines.next(with: "report ") == "report none")
    session.expiresAt -= 4000
    try computer.vault.store(session)
    let before = server.requests(.head)
    let programs = try (0..<5).map { _ in try computer.program("sync") }
    for program in programs { #expect(try await program.lines.next(with: "ready") != nil) }
    for program in programs { program.sendLine("go") }
    for program in programs { #expect(try await program.lines.next(with: "report ") == "report none") }
    #expect(server.requests(.refresh) == 1)
    #expect(server.requests(.head) - before >= 5)
    #expect(try computer.vault.session(of: computer.account)?.refreshToken != session.refreshToken)
  }

  /// Kills a program between the server's commit, its response, the acknowledgement and the move of the cursor.
  /// `TRUNK_KILLS` is the number of kills per interface.
  @Test(arguments: Backend.allCases) func aKilledProgramLosesNothing(_ backend: Backend) async throws {
    let kills = ProcessInfo.processInfo.environment["TRUNK_KILLS"].flatMap { Int($0) } ?? 100
    let seed = Int.random(in: 0..<1_000_000)
    var random = SeededRandom(seed: seed)
    let server = try await ProxiedServer(backend)
    let clock = SystemSyncClock()
    let computer = try SharedComputer(
      backend, server.proxy.address,
      StoredSession(try await server.signIn(), server: server.proxy.address, now: clock.now)
    )
    let other = try await server.computer()
    var acknowledged: Set<String> = []
    for _ in 0..<kills {
      // Gives the program something to fetch as well.
      let rows = try await other.write(1 + random.next(below: 3))
      acknowledged.formUnion(rows.compactMap(\.clientID))
      await other.engine.sync()
      let program = try computer.program("live")
      // Kills right before a request reaches the server, while it is answered, or during the writes that follow.
      let (number, writes) = (1 + random.next(below: 6), random.next(below: 12))
      let count = Mutex(0)
      server.setFault { _ in
        let isDue = count.withLock { count in
          count += 1
          return count == number
        }
        if isDue {
          let changes = FolderChanges(computer.folder)
          Thread.detachNewThread {
            changes.wait(writes)
            program.kill()
          }
        }
        return .none
      }
      while let line = try await program.lines.next(with: "") {
        if line.hasPrefix("ack ") { acknowledged.insert(String(line.dropFirst(4))) }
        #expect(!line.hasPrefix("error"), "\(line) with seed \(seed)")
      }
      server.clearFault()
    }
    let program = try computer.program("sync")
    program.sendLine("go")
    #expect(try await program.lines.next(with: "report ") == "report none")
    await other.engine.sync()
    let onServer = try server.file.clientIDs(userID: computer.account.userID)
    #expect(Set(onServer).count == onServer.count)
    #expect(acknowledged.isSubset(of: onServer), "seed \(seed)")
    #expect(acknowledged.count >= kills * 2)
    let store = try await EventStore.open(folder: computer.folder)
    let verification = try await store.verify()
    #expect(verification.structure.isEmpty && verification.damagedEvents.isEmpty)
    for store in [store, other.store] {
      let events = try await store.events(afterSeq: 0).compactMap(\.event.clientID)
      #expect(events.count == onServer.count && Set(events) == Set(onServer), "seed \(seed)")
      #expect(try await store.syncFigures(now: clock.now).pending == 0)
    }
  }
}
