import FaultServer
import SyncEngine
import Synchronization
import TestSupport
import Testing
import TrunkModel

/// Random histories over real connections: fewer than in `SyncPropertyTests`, but including HTTP and the server.
@Suite struct HistoryTests {
  @Test(arguments: Backend.allCases) func devicesAgreeAfterTheFaultsEnd(_ backend: Backend) async throws {
    let server = try await ProxiedServer(backend)
    for seed in 1...5 { try await run(seed, server) }
  }

  private func run(_ seed: Int, _ server: ProxiedServer) async throws {
    var random = SeededRandom(seed: seed)
    var computers: [Computer] = []
    for _ in 0..<3 {
      // Clocks are wrong by up to days.
      let clock = TestClock(skew: Int64(random.next(below: 400_000_000)) - 200_000_000)
      computers.append(try await server.computer("seed\(seed)@example.org", clock: clock))
    }
    let faultRandom = Mutex(SeededRandom(seed: seed))
    server.setFault { _ in faultRandom.withLock { HistoryTests.fault(&$0) } }
    var acknowledged: Set<String> = []
    for _ in 0..<40 {
      let computer = computers[random.next(below: computers.count)]
      switch random.next(below: 10) {
      case 0...3: acknowledged.formUnion(try await computer.write(1 + random.next(below: 3)).compactMap(\.clientID))
      case 4: try await computer.restart()
      case 5: await computer.engine.sync(.allRows)
      case 6: computer.clock.advance(seconds: Int64(random.next(below: 1000)))
      default: await computer.engine.sync()
      }
    }
    server.clearFault()
    for _ in 0..<2 {
      for computer in computers {
        computer.clock.advance(seconds: 4000)
        #expect(await computer.engine.sync().problem == nil, "seed \(seed)")
      }
    }
    let onServer = try server.file.clientIDs(userID: computers[0].account.userID)
    #expect(Set(onServer) == acknowledged && onServer.count == acknowledged.count, "seed \(seed)")
    var gardens: Set<String> = []
    for computer in computers {
      let events = try await computer.store.events(afterSeq: 0).map(\.event)
      #expect(Set(events.compactMap(\.clientID)) == acknowledged && events.count == acknowledged.count, "seed \(seed)")
      #expect(try await computer.pending() == 0)
      let report = Garden(events, zone: Zone.utc).report(now: Instant(milliseconds: TestClock.start)) {
        events[Int($0)]
      }
      gardens.insert(report.canonicalText)
    }
    #expect(gardens.count == 1, "seed \(seed)")
  }

  private static func fault(_ random: inout SeededRandom) -> Fault {
    switch random.next(below: 24) {
    case 0: .lostRequest
    case 1, 2: .lostAnswer
    case 3: .truncated(after: random.next(below: 3000))
    case 4: .answer(status: 500)
    case 5: .answer(status: 200, body: "<html>Welcome</html>")
    default: .none
    }
  }
}
