import EventStore
import FaultServer
import SyncEngine
import TestSupport
import Testing
import TrunkModel

/// Tests what makes a device sync, by the requests that arrive at the server.
@Suite struct TriggerTests {
  /// A device with a visible window and nothing left to sync.
  private struct SyncedDevice {
    let server: ProxiedServer
    let computer: Computer
    let scheduler: SyncScheduler

    init(_ backend: Backend) async throws {
      server = try await ProxiedServer(backend)
      computer = try await server.computer()
      // So old that no new row can appear before it.
      let time = Int64(computer.clock.now.milliseconds) * 1000
      try server.file.insert(Event.waters(0..<1), userID: computer.account.userID) { _ in time }
      await computer.engine.sync()
      scheduler = computer.scheduler()
    }

    /// Returns the requests that arrive while `work` runs.
    func requests(_ work: () async throws -> Void) async rethrows -> [FaultRequest.Kind] {
      let before = server.proxy.requests.count
      try await work()
      return server.proxy.requests.dropFirst(before).map(\.kind)
    }
  }

  @Test(arguments: Backend.allCases) func eachTriggerCausesOneSync(_ backend: Backend) async throws {
    let device = try await SyncedDevice(backend)
    let (computer, scheduler) = (device.computer, device.scheduler)
    // Launch.
    #expect(await device.requests { await scheduler.start() } == [.head])
    // Focus, twice in half a minute.
    #expect(await device.requests { await scheduler.gainedFocus() } == [])
    computer.clock.advance(milliseconds: 29_999)
    #expect(await device.requests { await scheduler.gainedFocus() } == [])
    computer.clock.advance(milliseconds: 1)
    #expect(await device.requests { await scheduler.gainedFocus() } == [.head])
    // A request by the user syncs at any time.
    #expect(await device.requests { await scheduler.sync(.newRows) } == [.head])
    // The network disappears and comes back.
    #expect(await device.requests { await scheduler.networkChanged(isAvailable: false) } == [])
    let returned = await device.requests {
      let before = computer.log.count
      await scheduler.networkChanged(isAvailable: true)
      computer.clock.advance(seconds: 2)
      await computer.log.waitForLines(before + 1)
    }
    #expect(returned == [.head])
    // The computer wakes up.
    #expect(await device.requests { await scheduler.resumed() } == [.head])
    // An entry is written.
    let written = try await device.requests {
      try await computer.write()
      await scheduler.wrote()
    }
    // The page contains the own row, which is the newest, so no other page follows.
    #expect(written == [.insert, .head, .page])
    // A hidden window fetches nothing.
    await scheduler.visibilityChanged(isVisible: false)
    let hidden = await device.requests {
      await scheduler.networkChanged(isAvailable: true)
      await scheduler.resumed()
    }
    #expect(hidden == [])
    await scheduler.stop()
  }

  /// Another program writes while nothing happens in this one's window.
  @Test(arguments: Backend.allCases) func anotherProgramsWriteIsSent(_ backend: Backend) async throws {
    let device = try await SyncedDevice(backend)
    await device.scheduler.start()
    let before = device.computer.log.count
    let other = try await EventStore.open(folder: device.computer.store.folder)
    // A different event than the server's.
    _ = try await other.append(Event.waters(1..<2))
    await device.computer.log.waitForLines(before + 1)
    #expect(device.server.requests(.insert) == 1)
    await device.scheduler.stop()
  }

  /// Unsent events are sent when the window gains focus, however soon, and by a timer after a failure.
  @Test(arguments: Backend.allCases) func unsentEventsAreRetried(_ backend: Backend) async throws {
    let device = try await SyncedDevice(backend)
    let (computer, scheduler, server) = (device.computer, device.scheduler, device.server)
    await scheduler.start()
    try await computer.write()
    #expect(await device.requests { await scheduler.gainedFocus() }.first == .insert)
    server.setFault { _ in .lostRequest }
    try await computer.write()
    // libcurl sends the request again if it used a kept connection.
    let rejected = await device.requests { await scheduler.wrote() }
    #expect(!rejected.isEmpty && rejected.count <= 2 && rejected.allSatisfy { $0 == .insert })
    // Focus does not help a server that is down.
    #expect(await device.requests { await scheduler.gainedFocus() } == [])
    for pause in [1, 2, 5, 10] {
      #expect(await computer.clock.nextWakeUp() == Int64(pause) * 1000)
      let before = computer.log.count
      if pause == 10 { server.clearFault() }
      let requests = await device.requests {
        computer.clock.advance(seconds: Int64(pause))
        await computer.log.waitForLines(before + 1)
      }
      #expect(requests.first == .insert)
    }
    #expect(try await computer.pending() == 0)
    #expect(try server.file.clientIDs(userID: computer.account.userID).count == 3)
    await scheduler.stop()
  }
}
