import SyncEngine
import Synchronization

// MARK: - Sessions

extension MemoryService: AuthService {
  func requestCode(email: String) async throws(SignInFailure) {}

  func verify(email: String, code: String) async throws(SignInFailure) -> Grant {
    guard code == "123456" else { throw .wrongCode }
    return grant(email)
  }

  func refresh(_ refreshToken: String) async throws(ServiceFailure) -> Grant {
    let fault = faults.withLock { faults in state.withLock { faults(.refresh, &$0.random) } }
    await gate.withLock { $0 }?(.refresh)
    if case .failing(let failure) = fault { throw failure }
    let grant = state.withLock { state -> Grant? in
      state.log.append(.refresh)
      if case .lost = fault { return nil }
      guard
        let index = state.sessions.firstIndex(where: {
          $0.active == refreshToken || $0.parent == refreshToken || $0.old.contains(refreshToken)
        })
      else { return nil }
      if state.sessions[index].active == refreshToken {
        state.tokenCount += 1
        if let parent = state.sessions[index].parent { state.sessions[index].old.insert(parent) }
        state.sessions[index].parent = refreshToken
        state.sessions[index].active = "refresh-\(state.tokenCount)"
      } else if state.sessions[index].parent != refreshToken {
        state.sessions.remove(at: index)
        return nil
      }
      return Self.grant(index, &state)
    }
    switch fault {
    case .lost, .answerLost: throw .unreachable(detail: "lost")
    default: break
    }
    guard let grant else { throw .sessionEnded(code: "refresh_token_not_found") }
    return grant
  }

  func signOut(token: AccessToken) async throws(ServiceFailure) {
    try await request(.signOut, token) { state, userID, _ in
      state.sessions.removeAll { $0.userID == userID }
    }
  }

  static func grant(_ index: Int, _ state: inout State) -> Grant {
    state.tokenCount += 1
    let session = state.sessions[index]
    let accessToken = state.nextAccessToken ?? "access-\(state.tokenCount)"
    let grant = Grant(
      accessToken: accessToken, refreshToken: session.active, userID: session.userID,
      email: "\(session.userID)@example.org", expiresIn: state.tokenLife, profile: state.profile)
    state.accessTokens[grant.accessToken] = session.userID
    return grant
  }
}

// MARK: - Live connections

extension MemoryService: LiveService {
  func listen(
    token: AccessToken, renewals: AsyncStream<AccessToken>
  ) -> AsyncThrowingStream<LiveSignal, any Error> {
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: LiveSignal.self)
    let number = state.withLock { state -> Int? in
      guard let userID = state.accessTokens[token.text] else { return nil }
      state.listenerCount += 1
      state.listeners[state.listenerCount] = (userID, continuation)
      return state.listenerCount
    }
    guard let number else {
      continuation.finish(throwing: ServiceFailure.unauthorized(code: "expired"))
      return stream
    }
    continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.listeners[number] = nil } }
    continuation.yield(.isLive)
    return stream
  }

  /// The number of connections opened so far, and of those open now.
  var connections: (all: Int, open: Int) { state.withLock { ($0.listenerCount, $0.listeners.count) } }

  func dropConnections() {
    let open = state.withLock { state in
      defer { state.listeners = [:] }
      return state.listeners.values.map(\.continuation)
    }
    for continuation in open { continuation.finish(throwing: ServiceFailure.unreachable(detail: "dropped")) }
  }
}
