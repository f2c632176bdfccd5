import EventStore
import Foundation
import Testing
import TrunkModel

@testable import SyncEngine

/// Signing out, and deleting everything.
@Suite struct LeavingTests {
  let service = MemoryService()

  @Test func aSignOutInAnotherProgramIsNotUndone() async throws {
    let window = try await Device(service)
    service.write(Event.waters(0..<5), userID: "user")
    await window.engine.sync()
    // Two programs with one folder and one vault.
    let other = SyncEngine(
      store: try await EventStore.open(folder: window.store.folder), service: service, keeper: window.anotherKeeper(),
      clock: window.clock, backUp: { "" }, log: { _ in })
    #expect(try await other.signOut(keepingCopyIn: window.copies).problem == nil)
    #expect(try await window.store.count() == 0)
    // The window's token is still valid.
    await window.engine.sync()
    #expect(try await window.store.count() == 0)
    #expect(await window.engine.status.phase == .signedOut)
  }

  private func anotherEngine(of device: Device) async throws -> SyncEngine {
    SyncEngine(
      store: try await EventStore.open(folder: device.store.folder), service: service, keeper: device.anotherKeeper(),
      clock: device.clock, backUp: { "" }, log: { _ in })
  }

  /// The second program must not report an empty copy as the one of the garden.
  @Test func theSecondOfTwoSignOutsWritesNoCopy() async throws {
    let device = try await Device(service)
    service.write(Event.waters(0..<5), userID: "user")
    await device.engine.sync()
    let other = try await anotherEngine(of: device)
    #expect(try await device.engine.compare().isComplete)
    #expect(try await other.compare().isComplete)
    let copy = try await other.signOut(keepingCopyIn: device.copies).copy
    await #expect(throws: SyncProblem.store(.cleared)) {
      _ = try await device.engine.signOut(keepingCopyIn: device.copies)
    }
    #expect(try EventStore.copies(below: device.copies) == [copy])
    #expect(try copy.contents().events.count == 5)
  }

  @Test func aGardenRemovedDuringASignOutIsInTheCopy() async throws {
    let device = try await Device(service)
    service.write(Event.waters(0..<5), userID: "user")
    await device.engine.sync()
    let store = try await EventStore.open(folder: device.store.folder)
    service.setGate { call in
      if call == .signOut { await #expect(throws: Never.self) { try await store.clear() } }
    }
    let result = try await device.engine.signOut(keepingCopyIn: device.copies)
    #expect(try result.copy.contents().events.count == 5)
    #expect(result.remains == nil && !result.hasChanged)
    #expect(try EventStore.copies(below: device.copies) == [result.copy])
  }

  @Test func signingOutAfterDeletingEverythingWorksWithoutNetwork() async throws {
    let device = try await Device(service)
    try await device.write(3)
    await device.engine.sync()
    _ = try await device.engine.deleteEverywhere(keepingCopyIn: device.copies)
    service.setFaults { _, _ in .lost }
    await device.engine.sync()
    #expect(try await device.engine.signOut(keepingCopyIn: device.copies, isOffline: true).remains == nil)
  }

  @Test func signingOutSendsEventsThenRemovesEverything() async throws {
    let device = try await Device(service)
    try await device.write(2)
    #expect(await device.engine.sendAll() == 0)
    #expect(service.rows.count == 2)
    #expect(try await device.engine.signOut(keepingCopyIn: device.copies).problem == nil)
    #expect(service.log.last == .signOut)
    #expect(try await device.store.count() == 0)
    #expect(await device.vault.session == nil)
    #expect(await device.engine.sync().problem == .service(.cancelled))
    #expect(try await device.store.count() == 0)
  }

  @Test func signOutWithoutNetworkKeepsUnsentEventsInTheCopy() async throws {
    let device = try await Device(service)
    await device.engine.sync()
    try await device.write(2)
    service.setFaults { _, _ in .lost }
    let comparison = try await device.engine.compare()
    #expect(comparison.problem == .service(.unreachable(detail: "lost")))
    #expect(comparison.missing.map(\.reason) == [.unsent, .unsent])
    let result = try await device.engine.signOut(keepingCopyIn: device.copies, isOffline: true)
    #expect(result.problem == nil)
    #expect(!service.log.contains(.signOut))
    #expect(try await device.store.count() == 0)
    #expect(await device.vault.session == nil)
    #expect(try result.copy.contents().events.count == 2)
  }

  @Test func signOutChangesNothingIfTheCopyCannotBeWritten() async throws {
    let device = try await Device(service)
    service.write(Event.waters(0..<3), userID: "user")
    await device.engine.sync()
    try "".write(toFile: device.copies, atomically: false, encoding: .utf8)
    await #expect(throws: SyncProblem.store(.notAFolder(path: device.copies))) {
      _ = try await device.engine.signOut(keepingCopyIn: device.copies)
    }
    #expect(try await device.store.count() == 3)
    #expect(await device.vault.session != nil)
    #expect(!service.log.contains(.signOut))
    #expect(await device.engine.sync().problem == nil)
  }

  @Test func eventsInTheirUndoWindowAreSentBeforeSigningOut() async throws {
    let device = try await Device(service)
    _ = try await device.store.append(Event.waters(0..<2), undoableUntil: device.clock.now.adding(seconds: 9))
    #expect(await device.engine.sendAll() == 0)
    #expect(service.rows.count == 2)
  }

  @Test func eventsWrittenDuringASignOutAreInTheCopy() async throws {
    let device = try await Device(service)
    await device.engine.sync()
    service.setGate { [store = device.store] call in
      if call == .signOut { await #expect(throws: Never.self) { try await store.append(Event.waters(0..<1)) } }
    }
    let result = try await device.engine.signOut(keepingCopyIn: device.copies)
    #expect(try result.copy.contents().events.count == 1)
    #expect(result.hasChanged && result.remains == nil)
    #expect(try await device.store.count() == 0)
    // The first copy, without the new event, stays as well.
    #expect(try EventStore.copies(below: device.copies).count == 2)
  }

  /// As on a full disk. Here the copy is damaged, so that the garden must not be removed.
  @Test func aGardenThatCannotBeRemovedRemainsAfterSigningOut() async throws {
    let device = try await Device(service)
    try await device.write(2)
    let result = try await device.engine.signOut(keepingCopyIn: device.copies) { copy throws(SyncProblem) in
      #expect(truncate(copy.path, 100) == 0)
    }
    #expect(result.remains != nil && result.unsent.count == 2 && !result.hasChanged)
    #expect(await device.vault.session == nil)
    #expect(try await device.store.count() == 2)
  }

  /// The comparison was made before the write, so it doesn't allow deleting the copies.
  @Test func eventsWrittenDuringASignOutKeepTheCopiesFromDeletion() async throws {
    let device = try await Device(service)
    service.write(Event.waters(0..<3), userID: "user")
    await device.engine.sync()
    let comparison = try await device.engine.compare()
    #expect(comparison.isComplete)
    func survey() throws -> DeletableCopies {
      try EventStore.deletableCopies(
        below: device.copies, backupsIn: device.store.folder, isOnServer: { comparison.listed.contains(ExactID($0)) })
    }
    _ = try await device.store.writeCopy(below: device.copies, at: device.clock.now)
    #expect(try survey().copies.count == 1)
    service.setGate { [store = device.store] call in
      if call == .signOut { await #expect(throws: Never.self) { try await store.append(Event.waters(5..<6)) } }
    }
    let copy = try await device.engine.signOut(keepingCopyIn: device.copies).copy
    #expect(throws: UndeletableCopies.holdsMore(path: copy.path)) { try survey() }
  }

  @Test func eventsWrittenAfterASignOutElsewhereAreCopied() async throws {
    let device = try await Device(service)
    await device.engine.sync()
    _ = try await device.engine.signOut(keepingCopyIn: device.copies)
    #expect(try await device.engine.leave(keepingCopyIn: device.copies) == nil)
    try await device.write(1)
    let copy = try await device.engine.leave(keepingCopyIn: device.copies)
    #expect(try copy?.contents().events.count == 1)
    #expect(try await device.store.count() == 0)
  }

  @Test(arguments: [VaultFailure.locked, .noAnswer, .denied])
  func signOutChangesNothingIfTheTokensCannotBeRemoved(failure: VaultFailure) async throws {
    let device = try await Device(service)
    service.write(Event.waters(0..<3), userID: "user")
    await device.engine.sync()
    await device.vault.fail(writing: failure)
    await #expect(throws: SyncProblem.vault(failure)) {
      _ = try await device.engine.signOut(keepingCopyIn: device.copies)
    }
    #expect(try await device.store.count() == 3)
    #expect(!service.log.contains(.signOut))
    #expect(await device.engine.sync().problem == nil)
    await device.vault.fail()
    #expect(try await device.engine.signOut(keepingCopyIn: device.copies).problem == nil)
    #expect(try await device.store.count() == 0)
  }

  @Test func signOutWorksWithoutAKeyring() async throws {
    let device = try await Device(service)
    await device.engine.sync()
    await device.vault.fail(writing: .noService)
    #expect(try await device.engine.signOut(keepingCopyIn: device.copies).problem == nil)
    #expect(service.log.last == .signOut)
  }

  @Test func deletingEverywhereRemovesTheUsersRows() async throws {
    let device = try await Device(service)
    try await device.write(3)
    await device.engine.sync()
    service.write(Event.waters(0..<1), userID: "other")
    _ = try await device.engine.deleteEverywhere(keepingCopyIn: device.copies)
    #expect(service.rows.map(\.userID) == ["other"])
    #expect(try await device.store.count() == 0)
    #expect(device.backups.all.count == 1)
    #expect(await device.engine.sync().problem == nil)
  }

  @Test func eventsWrittenDuringAResetAreInTheCopy() async throws {
    let device = try await Device(service)
    try await device.write(3)
    service.setGate { [store = device.store, backups = device.backups] call in
      guard call == .removeAll else { return }
      #expect(backups.all.count == 1)
      await #expect(throws: Never.self) { try await store.append(Event.waters(0..<1)) }
    }
    _ = try await device.engine.deleteEverywhere(keepingCopyIn: device.copies)
    #expect(try EventStore.copies(below: device.copies).first?.contents().events.count == 4)
    #expect(try await device.store.count() == 0)
  }

  @Test func aFailedResetRemovesNothing() async throws {
    let device = try await Device(service)
    try await device.write(3)
    await device.engine.sync()
    service.setFaults { _, _ in .lost }
    await #expect(throws: SyncProblem.self) {
      _ = try await device.engine.deleteEverywhere(keepingCopyIn: device.copies)
    }
    #expect(try await device.store.count() == 3)
  }

  @Test func noRequestsAreSentWhileSignedOut() async throws {
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
    // Signing in again makes syncing work.
    await device.keeper.resume(StoredSession(service.grant("user"), server: Device.server, now: device.clock.now))
    #expect(await device.engine.sync().problem == nil)
    #expect(await device.engine.status.phase == .synced)
  }
}
