import EventStore
import FaultServer
import SyncEngine
import TestSupport
import Testing
import TrunkModel

/// What makes a device ask the server, counted by the requests that come.
@Suite(.timeLimit(.minutes(5))) struct TriggerTests {
  /// A device whose window is shown, and which has nothing more to do.
  private struct Setting {
    let scene: Scene
    let computer: Computer
    let scheduler: SyncScheduler

    init(_ backend: Backend) async throws {
      scene = try await Scene(backend)
      computer = try await scene.computer()
      // So old that nothing can appear behind it.
      let time = Int64(computer.clock.now.milliseconds) * 1000
      try scene.file.insert(Event.waters(0..<1), userID: computer.account.userID) { _ in time }
      await computer.engine.sync()
      scheduler = computer.scheduler()
    }

    /// The requests that come while something is done.
    func requests(_ work: () async throws -> Void) async rethrows -> [FaultRequest.Kind] {
      let before = scene.proxy.requests.count
      try await work()
      return scene.proxy.requests.dropFirst(before).map(\.kind)
    }
  }

  @Test(arguments: Backend.allCases) func eachTriggerIsOneSync(_ backend: Backend) async throws {
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
    // By hand, at any time.
    #expect(await setting.requests { await scheduler.syncNow() } == [.head])
    // The network is gone, and comes back.
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
    // Something was written.
    let written = try await setting.requests {
      try await computer.write()
      await scheduler.wrote()
    }
    // The own row comes back, and is the last.
    #expect(written == [.insert, .head, .page])
    // A hidden window asks for nothing.
    await scheduler.visibilityChanged(isVisible: false)
    let hidden = await setting.requests {
      await scheduler.networkChanged(isAvailable: true)
      await scheduler.resumed()
    }
    #expect(hidden == [])
    await scheduler.stop()
  }

  /// Another program writes, and nothing happens in this one's window.
  @Test(arguments: Backend.allCases) func anotherProgramsWriteIsSent(_ backend: Backend) async throws {
    let setting = try await Setting(backend)
    await setting.scheduler.start()
    let before = setting.computer.log.count
    let other = try await EventStore.open(folder: setting.computer.store.folder)
    // Another event than the one that the server has.
    _ = try await other.append(Event.waters(1..<2))
    await setting.computer.log.reach(before + 1)
    #expect(setting.scene.requests(.insert) == 1)
    await setting.scheduler.stop()
  }

  /// What waits is sent when the window gains focus, however soon, and by the timer after a failure.
  @Test(arguments: Backend.allCases) func whatWaitsIsTriedAgain(_ backend: Backend) async throws {
    let setting = try await Setting(backend)
    let (computer, scheduler, scene) = (setting.computer, setting.scheduler, setting.scene)
    await scheduler.start()
    try await computer.write()
    #expect(await setting.requests { await scheduler.gainedFocus() }.first == .insert)
    scene.setFault { _ in .lostRequest }
    try await computer.write()
    // Once more where the connection was a kept one.
    let refused = await setting.requests { await scheduler.wrote() }
    #expect(!refused.isEmpty && refused.count <= 2 && refused.allSatisfy { $0 == .insert })
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
