import EventStore
import SyncEngine
import TrunkModel

/// A service that consists of its three parts.
public struct CombinedService: SyncService {
  private let events: any EventService
  private let account: any AccountService
  private let live: any LiveService

  public init(events: any EventService, auth account: any AccountService, live: any LiveService) {
    self.events = events
    self.account = account
    self.live = live
  }

  public func check() async throws(ServiceFailure) { try await events.check() }

  public func rows(
    after place: Cursor?, limit: Int, token: AccessToken
  ) async throws(ServiceFailure) -> [ServerRow] {
    try await events.rows(after: place, limit: limit, token: token)
  }

  public func identities(
    after place: Cursor?, limit: Int, token: AccessToken
  ) async throws(ServiceFailure) -> [RowIdentity] {
    try await events.identities(after: place, limit: limit, token: token)
  }

  public func head(token: AccessToken) async throws(ServiceFailure) -> TableHead {
    try await events.head(token: token)
  }

  public func insert(_ rows: [OutgoingRow], token: AccessToken) async throws(ServiceFailure) -> [Landing] {
    try await events.insert(rows, token: token)
  }

  public func find(clientIDs: [String], token: AccessToken) async throws(ServiceFailure) -> [Landing] {
    try await events.find(clientIDs: clientIDs, token: token)
  }

  public func removeAll(token: AccessToken) async throws(ServiceFailure) { try await events.removeAll(token: token) }

  public func requestCode(email: String) async throws(SignInFailure) { try await account.requestCode(email: email) }

  public func verify(email: String, code: String) async throws(SignInFailure) -> Grant {
    try await account.verify(email: email, code: code)
  }

  public func refresh(_ refreshToken: String) async throws(ServiceFailure) -> Grant {
    try await account.refresh(refreshToken)
  }

  public func signOut(token: AccessToken) async throws(ServiceFailure) { try await account.signOut(token: token) }

  public func profile(token: AccessToken) async throws(ServiceFailure) -> Profile.Values {
    try await account.profile(token: token)
  }

  public func change(profile changes: Profile.Values, token: AccessToken) async throws(ServiceFailure) -> Profile.Values
  {
    try await account.change(profile: changes, token: token)
  }

  public func listen(
    token: AccessToken, renewals: AsyncStream<AccessToken>
  ) -> AsyncThrowingStream<LiveSignal, any Error> {
    live.listen(token: token, renewals: renewals)
  }
}
