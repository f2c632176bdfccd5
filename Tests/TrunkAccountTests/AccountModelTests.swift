import EventStore
import SyncEngine
import TestSupport
import Testing
import TrunkModel

@testable import TrunkAccount
@testable import TrunkKit

/// A service for an account without any rows.
private struct EmptyService: SyncService {
  func check() async throws(ServiceFailure) {}
  func rows(after place: Cursor?, limit: Int, token: AccessToken) async throws(ServiceFailure) -> [ServerRow] { [] }
  func head(token: AccessToken) async throws(ServiceFailure) -> TableHead {
    TableHead(count: 0, latest: nil, serverTime: nil)
  }
  func insert(_ rows: [OutgoingRow], token: AccessToken) async throws(ServiceFailure) -> [Landing] { [] }
  func find(clientIDs: [String], token: AccessToken) async throws(ServiceFailure) -> [Landing] { [] }
  func removeAll(token: AccessToken) async throws(ServiceFailure) {}
  func requestCode(email: String) async throws(SignInFailure) {}
  func verify(email: String, code: String) async throws(SignInFailure) -> Grant {
    Grant(accessToken: "a", refreshToken: "r", userID: "user", email: email, expiresIn: 3600)
  }
  func refresh(_ refreshToken: String) async throws(ServiceFailure) -> Grant { throw .cancelled }
  func signOut(token: AccessToken) async throws(ServiceFailure) {}
  func profile(token: AccessToken) async throws(ServiceFailure) -> Profile.Values { [:] }
  func change(profile changes: Profile.Values, token: AccessToken) async throws(ServiceFailure) -> Profile.Values {
    changes
  }
  func listen(
    token: AccessToken, renewals: AsyncStream<AccessToken>
  ) -> AsyncThrowingStream<LiveSignal, any Error> { AsyncThrowingStream { _ in } }
}

@MainActor @Suite struct AccountModelTests {
  private struct Broken: Error {}

  @MainActor private final class FailingStore {
    var tries = 0
    var isMended = false
  }

  /// Otherwise a new sign-in would look empty and unsynced until something else happens.
  @Test(.timeLimit(.minutes(5)), arguments: [StoreError.busy, Broken()] as [any Error])
  func aGardenThatCouldNotTakeInWhatCameTriesAgainSoon(failure: any Error) async throws {
    let fixture = try await GardenFixture()
    let clock = TestClock()
    let configuration = try ServerSettings(backend: .trunk, url: "https://example.org", key: "")
    let vault = MemoryVault()
    let signIn = SignIn(server: configuration.url, service: EmptyService(), vault: vault, clock: clock)
    let outcome = try await signIn.verify(email: "ada@example.org", code: "123456")
    let dependencies = Dependencies(
      service: { _ in EmptyService() }, vault: vault, clock: clock, wakes: { AsyncStream { $0.finish() } },
      log: { _ in })
    let accountModel = AccountModel(
      fixture.model,
      current: SignedInAccount(account: outcome.session.account, configuration: configuration),
      settings: Settings(folder: fixture.folder + "/config"), fresh: outcome, dependencies: dependencies)
    #expect(accountModel.isLoading)
    let store = FailingStore()
    accountModel.takeIn = {
      store.tries += 1
      if !store.isMended { throw failure }
    }
    accountModel.start()
    while store.tries == 0 { await Task.yield() }
    #expect(await clock.nextWakeUp() <= 2000)
    #expect(accountModel.status.phase != .synced)
    // The report of a failed sync includes the reason.
    #expect((accountModel.status.phase == .offline) == (accountModel.status.failure != nil))
    store.isMended = true
    clock.advance(seconds: 2)
    while accountModel.status.phase != .synced { await Task.yield() }
    #expect(accountModel.status.failure == nil)
    await accountModel.stop()
  }
}
