import Garden
import GardenStore
import SyncSupport
import Testing

@testable import Sync

/// Several programs with one file, as the window and the command line are, beside another computer.
@Suite struct ProgramsTests {
  private func engine(of device: Device) async throws -> SyncEngine {
    SyncEngine(
      store: try await GardenStore.open(folder: device.store.folder), service: device.service,
      keeper: device.anotherKeeper(), clock: device.clock, backUp: {}, log: { _ in })
  }

  @Test(arguments: 0..<20)
  func syncAtOnce(seed: Int) async throws {
    let service = MemoryService(seed: seed)
    service.configure { $0.pageLimit = 3 }
    let (device, other) = (try await Device(service), try await Device(service))
    let engines = [device.engine, try await engine(of: device), try await engine(of: device), other.engine]
    service.setFaults { _, dice in
      guard dice.isLucky(oneIn: 12) else { return nil }
      return [.lost, .answerLost, .doubled, .shortPage].randomElement(using: &dice)
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, engine) in engines.enumerated() {
        group.addTask {
          var dice = Dice(seed: seed * 10 + index)
          for round in 0..<12 {
            let number = index * 1000 + round
            _ = try await engine.store.append(Event.waters(number..<(number + 1 + dice.next(below: 3))))
            if dice.isLucky(oneIn: 4) { service.expireAccessTokens() }
            _ = dice.isLucky(oneIn: 4) ? await engine.redownload() : await engine.sync()
          }
        }
      }
      try await group.waitForAll()
    }
    service.clearFaults()
    // The first of these may find that also the token of another program has ended, and renews it with the next.
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
    // Many renewals at once, and never a session lost.
    #expect(await device.keeper.ended == nil)
  }
}
