import EventStore
import FaultServer
import SyncEngine
import TestSupport
import Testing
import TrunkModel

/// What causes a device to sync, counted by the requests that arrive.
@Suite(.timeLimit(.minutes(5))) struct TriggerTests {
  /// A device with a visible window and nothing left to sync.
  private struct Setting {
    let scene: Scene
    let computer: Computer
    let scheduler: SyncScheduler

    init(_ backend: Backend) async throws {
      scene = try await Scene(backend)
      computer = try await scene.computer()
      // So old that no new row can appear before it.
      let time = Int64(computer.clock.now.milliseconds) * 1000
      try scene.file.insert(Event.waters(0..<1), userID: computer.account.userID) { _ in time }
      await computer.engine.sync()
      scheduler = computer.scheduler()
    }

    /// Returns the requests that arrive while `work` runs.
    func requests(_ work: () async throws -> Void) async rethrows -> [FaultRequest.Kind] {
      let before = scene.proxy.requests.count
      try await work()
      return scene.proxy.requests.dropFirst(before).map(\.kind)
    }
  }

  @Test(arguments: Backend.allCases) func eachTriggerCausesOneSync(_ backend: Backend) async throws {
    let setting = try await Setting(backend)
    let (computer, scheduler) = (setting.computer, setting.scheduler)
    // Launch.
    #expect(await setting.requests { await scheduler.start() } == [.head])
    // Focus, twice in half a minute.
    #expect(await setting.requests { await scheduler.gainedFocus() } == [])
    computer.clock.advance(milliseconds: 29_999)
    #expect(await setting.requests { await scheduler.gainedFocus() } == [])
    computer.clock.advance(milliseconds: 1)
    #expect(await setting.requests { await scheduler.gainedFocus() } == [.head])
    // A request by the user syncs at any time.
    #expect(await setting.requests { await scheduler.sync(.newRows) } == [.head])
    // The network disappears and comes back.
    #expect(await setting.requests { await scheduler.networkChanged(isAvailable: false) } == [])
    let returned = await setting.requests {
      let before = computer.log.count
      await scheduler.networkChanged(isAvailable: true)
      computer.clock.advance(seconds: 2)
      await computer.log.reach(before + 1)
    }
    #expect(returned == [.head])
    // The computer wakes up.
    #expect(await setting.requests { await scheduler.resumed() } == [.head])
    // An entry is written.
    let written = try await setting.requests {
      try await computer.write()
      await scheduler.wrote()
    }
    // The page contains the own row, which is the newest, so no other page follows.
    #expect(written == [.insert, .head, .page])
    // A hidden window fetches nothing.
    await scheduler.visibilityChanged(isVisible: false)
    let hidden = await setting.requests {
      await scheduler.networkChanged(isAvailable: true)
      await scheduler.resumed()
    }
    #expect(hidden == [])
    await scheduler.stop()
  }

  /// Another program writes while nothing happens in this one's window.
  @Test(arguments: Backend.allCases) func anotherProgramsWriteIsSent(_ backend: Backend) async throws {
    let setting = try await Setting(backend)
    await setting.scheduler.start()
    let before = setting.computer.log.count
    let other = try await EventStore.open(folder: setting.computer.store.folder)
    // A different event than the server's.
    _ = try await other.append(Event.waters(1..<2))
    await setting.computer.log.reach(before + 1)
    #expect(setting.scene.requests(.insert) == 1)
    await setting.scheduler.stop()
  }

  /// Unsent events are sent when the window gains focus, however soon, and by a timer after a failure.
  @Test(arguments: Backend.allCases) func unsentEventsAreRetried(_ backend: Backend) async throws {
    let setting = try await Setting(backend)
    let (computer, scheduler, scene) = (setting.computer, setting.scheduler, setting.scene)
    await scheduler.start()
    try await computer.write()
    #expect(await setting.requests { await scheduler.gainedFocus() }.first == .insert)
    scene.setFault { _ in .lostRequest }
    try await computer.write()
    // libcurl sends the request again if it used a kept connection.
    let rejected = await setting.requests { await scheduler.wrote() }
    #expect(!rejected.isEmpty && rejected.count <= 2 && rejected.allSatisfy { $0 == .insert })
    // Focus does not help a server that is down.
    #expect(await setting.requests { await scheduler.gainedFocus() } == [])
    for pause in [1, 2, 5, 10] {
      #expect(await computer.clock.nextWakeUp() == Int64(pause) * 1000)
      let before = computer.log.count
      if pause == 10 { scene.clearFault() }
      let requests = await setting.requests {
        computer.clock.advance(seconds: Int64(pause))
        await computer.log.reach(before + 1)
      }
      #expect(requests.first == .insert)
    }
    #expect(try await computer.pending() == 0)
    #expect(try scene.file.clientIDs(userID: computer.account.userID).count == 3)
    await scheduler.stop()
  }
}
