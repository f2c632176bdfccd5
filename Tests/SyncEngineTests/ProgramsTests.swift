import EventStore
import Synchronization
import TestSupport
import Testing
import TrunkModel

@testable import SyncEngine

/// Several programs that share one file, such as the window and the command line, and another computer.
@Suite struct ProgramsTests {
  private func engine(of device: Device) async throws -> SyncEngine {
    SyncEngine(
      store: try await EventStore.open(folder: device.store.folder), service: device.service,
      keeper: device.anotherKeeper(), clock: device.clock, backUp: { "" }, log: { _ in })
  }

  /// Blocks the next request for rows until the gate opens.
  private func hold(_ service: MemoryService) -> Gate {
    let gate = Gate()
    let isFirst = Mutex(true)
    service.setGate { call in
      let isFirst = isFirst.withLock { isFirst in
        defer { if call == .rows { isFirst = false } }
        return call == .rows && isFirst
      }
      if isFirst { await gate.pass() }
    }
    return gate
  }

  /// The window downloads its garden for the first time, and the command line does the same at the same time.
  @Test func twoFirstDownloadsAtOnceSucceed() async throws {
    let service = MemoryService()
    service.write(Event.waters(0..<25), userID: "user")
    service.configure { $0.pageLimit = 10 }
    let device = try await Device(service)
    let (window, terminal) = (device.engine, try await engine(of: device))
    let gate = hold(service)
    let first = Task { await window.sync() }
    await gate.reached()
    #expect(await terminal.sync().problem == nil)
    try await device.write()
    gate.open()
    // The rows that the window receives are already in the store.
    let report = await first.value
    #expect(report.problem == nil && report.fetched == 10 && report.pulled == 0)
    #expect(try await device.store.count() == 26)
    let second = await window.sync()
    #expect(second.problem == nil && second.mode == .incremental && second.pushed == 1)
    let status = await window.status
    #expect(status.phase == .synced && status.failure == nil && status.consecutiveFailures == 0)
    #expect(try await device.store.confirmedCount() == 26)
    #expect(device.backups.all.isEmpty && status.remoteLoss == nil)
  }

  /// The same for two full downloads of an existing garden.
  @Test func aNewerFullDownloadMakesTheOlderVoid() async throws {
    let service = MemoryService()
    service.write(Event.waters(0..<25), userID: "user")
    service.configure { $0.pageLimit = 10 }
    let device = try await Device(service)
    let (window, terminal) = (device.engine, try await engine(of: device))
    #expect(await window.sync().problem == nil)
    let gate = hold(service)
    let first = Task { await window.sync(.allRows) }
    await gate.reached()
    #expect(await terminal.sync(.allRows).problem == nil)
    try await device.write()
    gate.open()
    // The window's download is void, and nothing is lost.
    #expect(await first.value.problem == .otherDownload)
    var status = await window.status
    #expect(status.phase == .syncing && status.failure == .otherDownload)
    #expect(try await device.store.count() == 26)
    let second = await window.sync()
    #expect(second.problem == nil && second.mode == .incremental && second.pushed == 1)
    status = await window.status
    #expect(status.phase == .synced && status.failure == nil && status.consecutiveFailures == 0)
    #expect(try await device.store.confirmedCount() == 26)
    #expect(device.backups.all.isEmpty && status.remoteLoss == nil)
  }

  /// The user signs out in the terminal while the window downloads.
  @Test(arguments: [1, 2]) func aGardenClearedDuringADownloadStaysEmpty(page: Int) async throws {
    let service = MemoryService()
    service.write(Event.waters(0..<25), userID: "user")
    service.configure { $0.pageLimit = 10 }
    let device = try await Device(service)
    let window = device.engine
    let (gate, pages) = (Gate(), Counter())
    service.setGate { call in
      if call == .rows, pages.next() == page { await gate.pass() }
    }
    let first = Task { await window.sync() }
    await gate.reached()
    #expect(try await device.store.count() == (page - 1) * 10)
    try await EventStore.open(folder: device.store.folder).clear()
    gate.open()
    #expect(await first.value.problem == .store(.cleared))
    #expect(try await device.store.count() == 0)
  }

  @Test(arguments: 0..<20)
  func programsThatSyncAtOnceAgree(seed: Int) async throws {
    let service = MemoryService(seed: seed)
    service.configure { $0.pageLimit = 3 }
    let (device, other) = (try await Device(service), try await Device(service))
    let engines = [device.engine, try await engine(of: device), try await engine(of: device), other.engine]
    service.setFaults { _, random in
      guard random.isLucky(oneIn: 12) else { return nil }
      return [.lost, .answerLost, .doubled, .shortPage].randomElement(using: &random)
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, engine) in engines.enumerated() {
        group.addTask {
          var random = SeededRandom(seed: seed * 10 + index)
          for round in 0..<12 {
            let number = index * 1000 + round
            _ = try await engine.store.append(Event.waters(number..<(number + 1 + random.next(below: 3))))
            if random.isLucky(oneIn: 4) { service.expireAccessTokens() }
            _ = random.isLucky(oneIn: 4) ? await engine.sync(.allRows) : await engine.sync()
          }
        }
      }
      try await group.waitForAll()
    }
    service.clearFaults()
    // The first of these syncs may find that another program's token has ended too, and renew it.
    for engine in engines { await engine.sync() }
    for engine in engines + engines {
      let problem = await engine.sync().problem
      #expect(problem == nil)
    }
    let sent = Set(service.rows.map(\.clientID))
    #expect(sent.count == service.rows.count)
    for store in [device.store, other.store] {
      let identities = try await store.events(afterSeq: 0).map(\.event.identity)
      #expect(Set(identities) == sent && identities.count == sent.count)
      #expect(try await store.syncFigures(now: device.clock.now).pending == 0)
      #expect(try await store.confirmedCount() == sent.count)
    }
    // In spite of many renewals at once, the session has not ended.
    #expect(await device.keeper.ended == nil)
  }
}
