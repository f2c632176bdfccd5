import EventStore
import TestSupport
import Testing
import TrunkModel

@testable import SyncEngine

/// Tokens are renewed in time, once, and never lost.
@Suite struct SessionTests {
  let service = MemoryService()

  private func refreshes() -> Int { service.log.count { $0 == .refresh } }

  @Test func aTokenIsUsedUntilItsMargin() async throws {
    let device = try await Device(service)
    let first = try await device.keeper.token()
    device.clock.advance(seconds: 3600 - 91)
    #expect(try await device.keeper.token() == first)
    #expect(refreshes() == 0)
    device.clock.advance(seconds: 2)
    let second = try await device.keeper.token()
    #expect(second != first && refreshes() == 1)
    #expect(await device.vault.session?.accessToken == second.text)
    // Changing the time of day has no effect.
    device.clock.skew = 86_400_000
    #expect(try await device.keeper.token() == second)
  }

  @Test func aShortLivedTokenIsUsedForMostOfItsLife() async throws {
    let device = try await Device(service)
    device.clock.advance(seconds: 4000)
    service.state.withLock { $0.tokenLife = 60 }
    let first = try await device.keeper.token()
    device.clock.advance(seconds: 44)
    #expect(try await device.keeper.token() == first)
    device.clock.advance(seconds: 2)
    #expect(try await device.keeper.token() != first && refreshes() == 2)
  }

  @Test func fiveProgramsRenewOnce() async throws {
    let device = try await Device(service)
    device.clock.advance(seconds: 4000)
    // Each keeper acts as a separate program: they share only the folder and the vault.
    let keepers = (0..<5).map { _ in device.anotherKeeper() }
    let tokens = try await withThrowingTaskGroup(of: AccessToken.self) { group in
      for keeper in keepers {
        for _ in 0..<3 { group.addTask { try await keeper.token() } }
      }
      return try await group.reduce(into: Set<String>()) { $0.insert($1.text) }
    }
    #expect(tokens.count == 1 && refreshes() == 1)
    // The same for a token that the server rejects.
    service.expireAccessTokens()
    let rejected = AccessToken(try #require(tokens.first), userID: "user")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for keeper in keepers { group.addTask { _ = try await keeper.renewed(insteadOf: rejected) } }
      try await group.waitForAll()
    }
    #expect(refreshes() == 2)
  }

  @Test func newTokensAreStoredBeforeTheyAreUsed() async throws {
    let device = try await Device(service)
    device.clock.advance(seconds: 4000)
    service.setGate { [vault = device.vault, service] call in
      guard call == .head else { return }
      let stored = await vault.session?.accessToken
      #expect(stored.map { token in service.state.withLock { $0.accessTokens[token] != nil } } == true)
    }
    #expect(await device.engine.sync().problem == nil)
    #expect(refreshes() == 1)
  }

  @Test func tokensAreRenewedOnlyOnceWithoutTheVault() async throws {
    let device = try await Device(service)
    _ = try await device.keeper.token()
    device.clock.advance(seconds: 4000)
    await device.vault.fail(writing: .locked)
    let token = try await device.keeper.token()
    #expect(refreshes() == 1)
    #expect(await device.keeper.vaultProblem == .locked)
    // The token is used until it expires, and no other one is requested.
    device.clock.advance(seconds: 3550)
    #expect(try await device.keeper.token() == token)
    device.clock.advance(seconds: 100)
    await #expect(throws: SyncProblem.vault(.locked)) { _ = try await device.keeper.token() }
    #expect(refreshes() == 1)
    await device.vault.fail()
    let next = try await device.keeper.token()
    #expect(next != token && refreshes() == 2)
    #expect(await device.vault.session?.accessToken == next.text)
    #expect(await device.keeper.vaultProblem == nil)
  }

  @Test func anUnreadableVaultPreventsRenewal() async throws {
    let device = try await Device(service)
    _ = try await device.keeper.token()
    device.clock.advance(seconds: 4000)
    await device.vault.fail(reading: .noAnswer)
    let report = await device.engine.sync()
    #expect(report.problem == .vault(.noAnswer) && refreshes() == 0)
    #expect(await device.keeper.ended == nil)
  }

  @Test func unlockingTheVaultClearsTheProblem() async throws {
    let device = try await Device(service)
    await device.vault.fail(reading: .locked)
    await #expect(throws: SyncProblem.vault(.locked)) { _ = try await device.keeper.token() }
    #expect(await device.keeper.vaultProblem == .locked)
    await device.vault.fail()
    _ = try await device.keeper.token()
    #expect(await device.keeper.vaultProblem == nil && refreshes() == 0)
  }

  @Test func aLostRenewalCanBeRepeated() async throws {
    let device = try await Device(service)
    device.clock.advance(seconds: 4000)
    service.failOnce(.refresh, .answerLost)
    #expect(await device.engine.sync().problem == .service(.unreachable(detail: "lost")))
    try await device.restart()
    #expect(await device.engine.sync().problem == nil)
  }

  @Test(arguments: [
    ServiceFailure.unavailable(status: 429, code: "over_request_rate_limit", retryAfter: nil),
    .unavailable(status: 409, code: "conflict", retryAfter: nil), .unintelligible(detail: "html"),
    .misconfigured(status: 401, code: "", message: ""), .unreachable(detail: "tls"),
    .unauthorized(code: ""),
  ])
  func onlyAnExplicitAnswerEndsASession(failure: ServiceFailure) async throws {
    let device = try await Device(service)
    device.clock.advance(seconds: 4000)
    service.setFaults { call, _ in call == .refresh ? .failing(failure) : nil }
    #expect(await device.engine.sync().problem == .service(failure))
    #expect(await device.keeper.ended == nil)
    #expect(await device.vault.session != nil)
    #expect(await device.engine.status.phase == .offline)
    service.clearFaults()
    #expect(await device.engine.sync().problem == nil)
  }

  /// A rejected entry is kept from later syncs; a proxy that rejects the renewal says nothing about entries.
  @Test(arguments: [
    ServiceFailure.rejected(status: 403, code: "hook_timeout", message: "blocked"), .tooLarge(status: 413),
  ])
  func aRejectedRenewalRejectsNoEntry(failure: ServiceFailure) async throws {
    let device = try await Device(service)
    try await device.write(3)
    service.setFaults { call, _ in
      if call == .refresh { return .failing(failure) }
      return call == .insert ? .failing(.unauthorized(code: "PGRST301")) : nil
    }
    let problem = await device.engine.sync().problem
    #expect(problem == .service(.unauthorized(code: failure.code)))
    #expect(await device.engine.status.rejected == 0)
    #expect(await device.keeper.ended == nil)
    service.clearFaults()
    #expect(await device.engine.sync().pushed == 3)
  }

  @Test func aValidTokenIsUsedWhileRenewalFails() async throws {
    let device = try await Device(service)
    let token = try await device.keeper.token()
    device.clock.advance(seconds: 3550)
    service.setFaults { call, _ in
      call == .refresh ? .failing(.unavailable(status: 429, code: "", retryAfter: nil)) : nil
    }
    #expect(try await device.keeper.token() == token)
    #expect(await device.engine.sync().problem == nil)
    // A server that doesn't answer would not answer the request either, so the token isn't used.
    service.setFaults { call, _ in call == .refresh ? .lost : nil }
    #expect(await device.engine.sync().problem == .service(.unreachable(detail: "lost")))
  }

  @Test func aRejectedNewTokenCausesNoLoop() async throws {
    let device = try await Device(service)
    service.setFaults { call, _ in call == .head ? .failing(.unauthorized(code: "PGRST303")) : nil }
    let report = await device.engine.sync()
    #expect(report.problem == .service(.unauthorized(code: "PGRST303")))
    #expect(refreshes() == 1)
    #expect(await device.keeper.ended == nil)
  }

  @Test func aSignOutInAnotherProgramIsDetected() async throws {
    let device = try await Device(service)
    let other = device.anotherKeeper()
    #expect(try await other.signOut() == nil)
    device.clock.advance(seconds: 4000)
    #expect(await device.engine.sync().problem == .service(.sessionEnded(code: "session_removed")))
    #expect(await device.engine.status.phase == .signedOut)
  }

  @Test func renewalsAreAnnounced() async throws {
    let device = try await Device(service)
    let old = try await device.keeper.token()
    let renewals = await device.keeper.renewals()
    let token = try await device.keeper.renewed(insteadOf: old)
    for await renewal in renewals {
      #expect(renewal == token)
      break
    }
  }

  @Test func signInTrimsInputAndStoresTheSession() async throws {
    let vault = TestVault()
    let signIn = SignIn(server: Device.server, service: service, vault: vault, clock: TestClock())
    let outcome = try await signIn.verify(email: " user\u{00A0}\n", code: "12 34\u{00A0}-５６")
    #expect(outcome.session.account == Account(server: Device.server, userID: "user"))
    #expect(outcome.vaultProblem == nil)
    #expect(await vault.session == outcome.session)
    await vault.fail(writing: .noCollection)
    #expect(try await signIn.verify(email: "user", code: "123456").vaultProblem == .noCollection)
    await #expect(throws: SignInFailure.wrongCode) { _ = try await signIn.verify(email: "user", code: "1") }
  }

  @Test func descriptionsContainNoSecrets() async throws {
    let grant = service.grant("user")
    let session = StoredSession(grant, server: Device.server, now: Instant(milliseconds: 0))
    for text in ["\(grant)", "\(session)", "\(AccessToken("abc", userID: "user"))"] {
      #expect(!text.contains("access-") && !text.contains("refresh-") && !text.contains("@") && text != "abc")
    }
  }
}
