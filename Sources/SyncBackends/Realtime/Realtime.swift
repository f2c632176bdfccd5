import SyncEngine
import TrunkModel

/// Receives new rows through Supabase's realtime protocol, framing 2.0.0. Each call of `listen` is one connection with
/// one join; the caller decides whether and when to reconnect.
struct Realtime: LiveService {
  /// The protocol's time limits. Tests use shorter ones.
  struct TimeLimits: Sendable {
    var heartbeat: Duration = .seconds(25)
    /// The time for the first heartbeat, which shows early whether the connection works.
    var firstHeartbeat: Duration = .seconds(10)
    var join: Duration = .seconds(10)
    /// The time from the join to the confirmed subscription, which takes the server some seconds.
    var subscription: Duration = .seconds(40)
  }

  private let address: String
  private let socketLimits: WebSocketLimits
  private let limits: TimeLimits

  init(
    _ project: SupabaseProject, socketLimits: WebSocketLimits = WebSocketLimits(), limits: TimeLimits = TimeLimits()
  ) {
    // Replaces `http` by `ws`, and so `https` by `wss`.
    let base = project.server.hasPrefix("http") ? "ws" + project.server.dropFirst(4) : project.server
    address = base + "/realtime/v1/websocket?apikey=" + project.key.percentEncoded + "&vsn=2.0.0"
    self.socketLimits = socketLimits
    self.limits = limits
  }

  func listen(
    token: AccessToken, renewals: AsyncStream<AccessToken>
  ) -> AsyncThrowingStream<LiveSignal, any Error> {
    let (signals, continuation) = AsyncThrowingStream<LiveSignal, any Error>.makeStream(
      bufferingPolicy: .bufferingOldest(socketLimits.unreadMessages))
    let task = Task {
      do throws(ServiceFailure) {
        try await run(token, renewals, continuation)
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    continuation.onTermination = { _ in task.cancel() }
    return signals
  }

  /// Returns when the task is cancelled.
  private func run(
    _ token: AccessToken, _ renewals: AsyncStream<AccessToken>,
    _ continuation: AsyncThrowingStream<LiveSignal, any Error>.Continuation
  ) async throws(ServiceFailure) {
    let socket: WebSocket
    do {
      socket = try await WebSocket.connect(to: address, limits: socketLimits)
    } catch .cancelled {
      return
    } catch {
      throw ServiceFailure(error)
    }
    let session = RealtimeSession(socket, userID: token.userID, report: continuation)
    try await session.join(token).get()
    try await runSession(session, renewals).get()
    // A caller that has stopped listening doesn't wait for this. Failed connections don't get here.
    await session.leave()
  }

  /// Runs all concurrent parts until one fails or the task is cancelled.
  private func runSession(
    _ session: RealtimeSession, _ renewals: AsyncStream<AccessToken>
  ) async -> Result<Void, ServiceFailure> {
    await withTaskGroup(of: Result<Void, ServiceFailure>.self) { group in
      group.addTask { await session.read() }
      group.addTask { [limits] in await session.sendHeartbeats(limits) }
      group.addTask { [limits] in await session.watchSubscription(limits) }
      group.addTask {
        for await token in renewals {
          if case .failure(let failure) = await session.renew(token) { return .failure(failure) }
        }
        return .success(())
      }
      for await outcome in group {
        guard case .failure = outcome else { continue }
        group.cancelAll()
        return outcome
      }
      return .success(())
    }
  }
}

extension ServiceFailure {
  /// Maps a failure of the connection to a service failure.
  init(_ failure: WebSocketFailure) {
    self =
      switch failure {
      case .insecureAddress: .misconfigured(status: 0, code: "insecure_address", message: "")
      case .unreachable(let detail): .unreachable(detail: detail)
      case .rejected(let status, let retryAfter):
        switch status {
        // The handshake checks the API key, not the user.
        case 401, 403, 404: .misconfigured(status: status, code: "handshake", message: "")
        default: .unavailable(status: status, code: "handshake", retryAfter: retryAfter)
        }
      case .closed(let code): .unavailable(status: 503, code: "closed_\(code)", retryAfter: nil)
      case .connectionLost: .unreachable(detail: "connection lost")
      case .violation(let detail): .unintelligible(detail: detail)
      case .tooLarge: .unintelligible(detail: "frame too large")
      case .tooMany: .unavailable(status: 429, code: "too_many_frames", retryAfter: nil)
      case .cancelled: .cancelled
      }
  }
}
