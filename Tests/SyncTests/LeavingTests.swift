import Garden
import GardenStore
import Testing

@testable import Sync

/// Signing out, and beginning anew.
@Suite struct LeavingTests {
  let service = MemoryService()

  @Test func signingOutInAnotherProgramStaysDone() async throws {
    let window = try await Device(service)
    service.write(Event.waters(0..<5), userID: "user")
    await window.engine.sync()
    // Two programs with one folder and one vault.
    let other = SyncEngine(
      store: try await GardenStore.open(folder: window.store.folder), service: service, keeper: window.anotherKeeper(),
      clock: window.clock, backUp: {}, log: { _ in })
    #expect(try await other.signOut() == nil)
    #expect(try await window.store.count() == 0)
    // The token of the window still lasts.
    await window.engine.sync()
    #expect(try await window.store.count() == 0)
    #expect(await window.engine.status.phase == .signedOut)
  }

  @Test func signingOutSendsFirstAndForgetsAll() async throws {
    let device = try await Device(service)
    try await device.write(2)
    #expect(await device.engine.sendAll() == 0)
    #expect(service.rows.count == 2)
    #expect(try await device.engine.signOut() == nil)
    #expect(service.log.last == .signOut)
    #expect(try await device.store.count() == 0)
    #expect(await device.vault.session == nil)
    #expect(await device.engine.sync().problem == .service(.cancelled))
    #expect(try await device.store.count() == 0)
  }

  @Test func signingOutWithoutNetworkForgetsAllTheSame() async throws {
    let device = try await Device(service)
    await device.engine.sync()
    try await device.write(2)
    service.setFaults { _, _ in .lost }
    #expect(await device.engine.sendAll() == 2)
    await #expect(throws: SyncProblem.store(.unsent(count: 2))) { try await device.engine.signOut(accepting: 1) }
    #expect(await device.vault.session != nil)
    #expect(try await device.engine.signOut(accepting: 2) == .service(.unreachable(detail: "lost")))
    #expect(try await device.store.count() == 0)
    #expect(await device.vault.session == nil)
  }

  @Test func whatCouldBeTakenBackIsSentBeforeSigningOut() async throws {
    let device = try await Device(service)
    _ = try await device.store.append(Event.waters(0..<2), heldUntil: device.clock.now.adding(seconds: 9))
    #expect(await device.engine.sendAll() == 0)
    #expect(service.rows.count == 2)
  }

  @Test func whatIsWrittenWhileSigningOutStays() async throws {
    let device = try await Device(service)
    await device.engine.sync()
    service.setGate { [store = device.store] call in
      if call == .signOut { await #expect(throws: Never.self) { try await store.append(Event.waters(0..<1)) } }
    }
    await #expect(throws: SyncProblem.store(.unsent(count: 1))) { try await device.engine.signOut() }
    #expect(try await device.pending() == 1)
    #expect(await device.engine.status.phase == .signedOut)
  }

  @Test(arguments: [VaultFailure.locked, .noAnswer, .denied])
  func aVaultThatKeepsTheTokensKeepsAllElse(failure: VaultFailure) async throws {
    let device = try await Device(service)
    service.write(Event.waters(0..<3), userID: "user")
    await device.engine.sync()
    await device.vault.fail(writing: failure)
    await #expect(throws: SyncProblem.vault(failure)) { try await device.engine.signOut() }
    #expect(try await device.store.count() == 3)
    #expect(!service.log.contains(.signOut))
    #expect(await device.engine.sync().problem == nil)
    await device.vault.fail()
    #expect(try await device.engine.signOut() == nil)
    #expect(try await device.store.count() == 0)
  }

  @Test func withoutAKeyringThereIsNothingToRemoveFromIt() async throws {
    let device = try await Device(service)
    await device.engine.sync()
    await device.vault.fail(writing: .noService)
    #expect(try await device.engine.signOut() == nil)
    #expect(service.log.last == .signOut)
  }

  @Test func resetEverywhere() async throws {
    let device = try await Device(service)
    try await device.write(3)
    await device.engine.sync()
    service.write(Event.waters(0..<1), userID: "other")
    try await device.engine.resetEverywhere()
    #expect(service.rows.map(\.userID) == ["other"])
    #expect(try await device.store.count() == 0)
    #expect(device.backups.all.count == 1)
    #expect(await device.engine.sync().problem == nil)
  }

  @Test func whatIsWrittenWhileAllIsRemovedIsBackedUpToo() async throws {
    let device = try await Device(service)
    try await device.write(3)
    service.setGate { [store = device.store, backups = device.backups] call in
      guard call == .removeAll else { return }
      #expect(backups.all.count == 1)
      await #expect(throws: Never.self) { try await store.append(Event.waters(0..<1)) }
    }
    try await device.engine.resetEverywhere()
    #expect(device.backups.all.count == 2)
    #expect(try await device.store.count() == 0)
  }

  @Test func aFailedResetEverywhereTakesNothingAway() async throws {
    let device = try await Device(service)
    try await device.write(3)
    await device.engine.sync()
    service.setFaults { _, _ in .lost }
    await #expect(throws: SyncProblem.self) { try await device.engine.resetEverywhere() }
    #expect(try await device.store.count() == 3)
  }

  @Test func whileSignedOutNothingIsTried() async throws {
    let device = try await Device(service)
    await device.engine.sync()
    service.endSessions()
    let ended = SyncProblem.service(.sessionEnded(code: "refresh_token_not_found"))
    #expect(await device.engine.sync().problem == ended)
    try await device.write()
    (service.log, device.clock.skew) = ([], 60_000)
    let (lines, last) = (device.lines.all.count, await device.engine.status.lastAttempt)
    #expect(await device.engine.sync().problem == ended)
    #expect(service.log.isEmpty && device.lines.all.count == lines)
    let status = await device.engine.status
    #expect(status.phase == .signedOut && status.lastAttempt == last && status.pending == 1)
    // Signing in again ends it.
    await device.keeper.resume(StoredSession(service.grant("user"), server: Device.server, now: device.clock.now))
    #expect(await device.engine.sync().problem == nil)
    #expect(await device.engine.status.phase == .synced)
  }
}
