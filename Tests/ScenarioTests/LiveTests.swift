import EventStore
import FaultServer
import SyncEngine
import TestSupport
import Testing
import TrunkModel

/// Two devices with live connections.
@Suite struct LiveTests {
  /// Starts a device and waits until its connection is live, which causes a second sync.
  private func start(_ computer: Computer) async -> SyncScheduler {
    let scheduler = computer.scheduler(live: computer.service.live)
    await scheduler.start()
    await computer.log.waitForLines(2)
    return scheduler
  }

  @Test(arguments: Backend.allCases) func rowsReachOtherDevicesWithoutARequest(_ backend: Backend) async throws {
    let server = try await ProxiedServer(backend)
    let (one, two) = (try await server.computer(), try await server.computer())
    let stranger = try await server.computer("bob@example.org")
    let schedulers = [await start(one), await start(two), await start(stranger)]
    let requests = server.proxy.requests.count
    let plant = Event(
      .sproutPlanted(
        .init(
          sproutID: "sprout-1", twigID: "branch-0-twig-0", title: "Ein \"Titel\" 🌱", season: .twoWeeks,
          environment: .fertile, soilCost: 2, leafID: "leaf-1", bloomWither: nil, bloomBudding: nil,
          bloomFlourish: nil)), at: one.clock.now, clientID: Event.clientID(at: one.clock.now, random: 1))
    _ = try await one.store.append([plant])
    await schedulers[0].wrote()
    try await two.waitForEvents(1)
    // The second device sent no request: the live connection delivered the row.
    #expect(two.log.count == 2)
    #expect(server.proxy.requests.dropFirst(requests).allSatisfy { [.insert, .head, .page].contains($0.kind) })
    // The first device received its own row as well.
    for computer in [one, two] {
      await computer.engine.sync()
      #expect(try await computer.texts() == [plant.canonicalText])
      #expect(try await computer.store.confirmedCount() == 1)
      #expect(try await computer.pending() == 0)
    }
    #expect(try await stranger.store.count() == 0)
    for scheduler in schedulers { await scheduler.stop() }
  }

  /// Rows that were stored while the connection was closed are fetched by the retried sync. Then the connection is
  /// opened again.
  @Test(arguments: Backend.allCases) func aBrokenConnectionIsReopened(_ backend: Backend) async throws {
    let server = try await ProxiedServer(backend)
    let (one, two) = (try await server.computer(), try await server.computer())
    let scheduler = await start(one)
    // No request of the first device gets through while the other one writes over another connection.
    server.setFault { _ in .lostRequest }
    server.proxy.cutTunnels()
    await one.log.waitForLines(3)
    let service = server.backend.service(server.process.url)
    let event = try await two.write()[0]
    _ = try await service.events.insert([OutgoingRow(event)], token: try await two.keeper.token())
    #expect(try await one.store.count() == 0)
    #expect(server.requests(.socket) == 1)
    server.clearFault()
    // First the timer of the failed sync, then that of the connection.
    #expect(await one.clock.nextWakeUp() == 1000)
    one.clock.advance(seconds: 1)
    await one.log.waitForLines(4)
    #expect(try await one.store.count() == 1)
    #expect(await one.clock.nextWakeUp() == 1000)
    one.clock.advance(seconds: 1)
    await one.log.waitForLines(5)
    #expect(server.requests(.socket) == 2)
    // The new connection reports rows.
    _ = try await service.events.insert([OutgoingRow(try await two.write()[0])], token: try await two.keeper.token())
    try await one.waitForEvents(2)
    #expect(one.log.count == 5)
    await scheduler.stop()
  }

  @Test(arguments: Backend.allCases) func aHiddenWindowStopsListening(_ backend: Backend) async throws {
    let server = try await ProxiedServer(backend)
    let computer = try await server.computer()
    let live = WatchedLive(service: computer.service.live)
    let scheduler = computer.scheduler(live: live)
    await scheduler.start()
    await computer.log.waitForLines(2)
    await scheduler.visibilityChanged(isVisible: false)
    #expect(await computer.clock.nextWakeUp() == 300_000)
    #expect(live.ends.count == 0)
    computer.clock.advance(seconds: 300)
    await live.ends.waitForLines(1)
    await scheduler.visibilityChanged(isVisible: true)
    // A new connection is opened, and a sync follows.
    await computer.log.waitForLines(3)
    #expect(server.requests(.socket) == 2)
    await scheduler.stop()
  }
}

/// Records when connections end.
private struct WatchedLive: LiveService {
  let service: any LiveService
  let ends = LineLog()

  func listen(
    token: AccessToken, renewals: AsyncStream<AccessToken>
  ) -> AsyncThrowingStream<LiveSignal, any Error> {
    let (stream, continuation) = AsyncThrowingStream<LiveSignal, any Error>.makeStream()
    let task = Task {
      do {
        for try await signal in service.listen(token: token, renewals: renewals) { continuation.yield(signal) }
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
      ends.add("end")
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }
}
