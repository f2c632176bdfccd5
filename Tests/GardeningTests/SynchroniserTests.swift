import Garden
import GardenStore
import Sync
import SyncSupport
import Testing

@testable import Gardening

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

@MainActor @Suite struct SynchroniserTests {
  private struct Broken: Error {}

  @MainActor private final class FailingStore {
    var tries = 0
    var isMended = false
  }

  /// Else an account that was just signed in to would look empty, and not synced, until something else happens.
  @Test(.timeLimit(.minutes(5)), arguments: [StoreError.busy, Broken()] as [any Error])
  func aGardenThatCouldNotTakeInWhatCameTriesAgainSoon(failure: any Error) async throws {
    let bed = try await Bed()
    let clock = TestClock()
    let configuration = try ServerConfiguration(backend: .trunk, url: "https://example.org", key: "")
    let vault = MemoryVault()
    let signIn = SignIn(server: configuration.url, service: EmptyService(), vault: vault, clock: clock)
    let outcome = try await signIn.verify(email: "ada@example.org", code: "123456")
    let connections = Connections(
      service: { _ in EmptyService() }, vault: vault, clock: clock, wakes: { AsyncStream { $0.finish() } },
      log: { _ in })
    let synchroniser = Synchroniser(
      bed.gardener,
      current: SignedInAccount(account: outcome.session.account, configuration: configuration),
      settings: Settings(folder: bed.folder + "/config"), fresh: outcome, connections: connections)
    #expect(synchroniser.isLoading)
    let store = FailingStore()
    synchroniser.takeIn = {
      store.tries += 1
      if !store.isMended { throw failure }
    }
    synchroniser.start()
    while store.tries == 0 { await Task.yield() }
    #expect(await clock.nextWakeUp() <= 2000)
    #expect(synchroniser.status.phase != .synced)
    // Who is told that syncing does not work is told why.
    #expect((synchroniser.status.phase == .offline) == (synchroniser.status.failure != nil))
    store.isMended = true
    clock.advance(seconds: 2)
    while synchroniser.status.phase != .synced { await Task.yield() }
    #expect(synchroniser.status.failure == nil)
    await synchroniser.stop()
  }
}
