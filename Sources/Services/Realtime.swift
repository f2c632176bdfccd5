import GardenStore
import Sync
import Transport

/// Hears of new rows by Supabase's realtime protocol, framing 2.0.0. Each call of `listen` is one connection with one
/// join; who listens decides whether and when to try again.
struct Realtime: LiveService {
  /// Times of the protocol. Tests have them shorter.
  struct Patience: Sendable {
    var heartbeat: Duration = .seconds(25)
    /// For the heartbeat right after the connection was made, which shows soon whether it is any good.
    var firstHeartbeat: Duration = .seconds(10)
    var join: Duration = .seconds(10)
    /// From the join to the first rows, which takes the server some seconds.
    var subscription: Duration = .seconds(40)
  }

  private let address: String
  private let socketLimits: WebSocketLimits
  private let patience: Patience

  init(
    _ project: SupabaseProject, socketLimits: WebSocketLimits = WebSocketLimits(), patience: Patience = Patience()
  ) {
    // `http` becomes `ws`, and so `https` becomes `wss`.
    let base = project.server.hasPrefix("http") ? "ws" + project.server.dropFirst(4) : project.server
    address = base + "/realtime/v1/websocket?apikey=" + project.key.percentEncoded + "&vsn=2.0.0"
    self.socketLimits = socketLimits
    self.patience = patience
  }

  func listen(
    token: AccessToken, renewals: AsyncStream<AccessToken>
  ) -> AsyncThrowingStream<LiveSignal, any Error> {
    let (signals, continuation) = AsyncThrowingStream<LiveSignal, any Error>.makeStream(
      bufferingPolicy: .bufferingOldest(socketLimits.waitingMessages))
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
    try await converse(session, renewals).get()
    // Whoever has stopped listening does not wait for this; a connection that failed just goes.
    await session.leave()
  }

  /// Does everything that goes on side by side, until one of it fails or the task is cancelled.
  private func converse(
    _ session: RealtimeSession, _ renewals: AsyncStream<AccessToken>
  ) async -> Result<Void, ServiceFailure> {
    await withTaskGroup(of: Result<Void, ServiceFailure>.self) { group in
      group.addTask { await session.read() }
      group.addTask { [patience] in await session.beat(patience) }
      group.addTask { [patience] in await session.watchSubscription(patience) }
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
  /// What a failure of the connection means for a service.
  init(_ failure: WebSocketFailure) {
    self =
      switch failure {
      case .insecureAddress: .misconfigured(status: 0, code: "insecure_address", message: "")
      case .unreachable(let detail): .unreachable(detail: detail)
      case .refused(let status, let retryAfter):
        switch status {
        // The key is what is looked at here, not the user.
        case 401, 403, 404: .misconfigured(status: status, code: "handshake", message: "")
        default: .unavailable(status: status, code: "handshake", retryAfter: retryAfter)
        }
      case .closed(let code): .unavailable(status: 503, code: "closed_\(code)", retryAfter: nil)
      case .brokenOff: .unreachable(detail: "broken off")
      case .violation(let detail): .unintelligible(detail: detail)
      case .tooLarge: .unintelligible(detail: "frame too large")
      case .tooMany: .unavailable(status: 429, code: "too_many_frames", retryAfter: nil)
      case .cancelled: .cancelled
      }
  }
}
