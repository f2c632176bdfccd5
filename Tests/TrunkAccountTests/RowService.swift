import EventStore
import SyncEngine
import Synchronization
import TrunkModel

/// A service with one account. Tests add rows as other devices would.
final class RowService: EventService, AccountService, LiveService {
  private struct State {
    var rows: [ServerRow] = []
    var listeners: [AsyncThrowingStream<LiveSignal, any Error>.Continuation] = []
    /// Ends when held rows may be sent.
    var held: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)?
    var isWaiting = false
  }

  private let state = Mutex(State())

  /// Stores an event as the newest row.
  /// - Parameter isReported: whether live connections report it.
  func add(_ event: Event, isReported: Bool = false) {
    state.withLock { state in
      let second = String(state.rows.count + 100)
      let row = ServerRow(id: "row-\(second)", createdAt: "2026-02-09T14:32:07.000\(second)+00:00", event: event)
      state.rows.append(row)
      guard isReported else { return }
      for listener in state.listeners { listener.yield(.row(row)) }
    }
  }

  /// Whether there is a live connection.
  var hasListener: Bool { state.withLock { !$0.listeners.isEmpty } }

  /// Holds requested rows back until `release`.
  func hold() { state.withLock { $0.held = AsyncStream.makeStream(of: Void.self) } }

  func release() { state.withLock { $0.held?.continuation.finish() } }

  /// Whether rows were requested and are held back.
  var isWaiting: Bool { state.withLock { $0.isWaiting } }

  func check() async throws(ServiceFailure) {}
  func rows(after place: Cursor?, limit: Int, token: AccessToken) async throws(ServiceFailure) -> [ServerRow] {
    let held = state.withLock { state in
      state.isWaiting = state.held != nil
      return state.held?.stream
    }
    if let held { for await _ in held {} }
    return state.withLock { state in
      // All times have the same length, so they can be compared as text.
      let later = state.rows.filter { row in
        place.map { (row.createdAt, row.id) > ($0.createdAt, $0.id) } ?? true
      }
      return Array(later.prefix(limit))
    }
  }
  func head(token: AccessToken) async throws(ServiceFailure) -> TableHead {
    state.withLock { TableHead(count: $0.rows.count, latest: $0.rows.last?.createdAt, serverTime: nil) }
  }
  func insert(_ rows: [OutgoingRow], token: AccessToken) async throws(ServiceFailure) -> [Receipt] { [] }
  func insertNew(_ row: OutgoingRow, token: AccessToken) async throws(ServiceFailure) -> Receipt? { nil }
  func find(clientIDs: [String], token: AccessToken) async throws(ServiceFailure) -> [Receipt] { [] }
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
  ) -> AsyncThrowingStream<LiveSignal, any Error> {
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: LiveSignal.self)
    continuation.yield(.isLive)
    state.withLock { $0.listeners.append(continuation) }
    return stream
  }
}

extension SyncService {
  init(_ service: RowService) { self.init(events: service, account: service, live: service) }
}
