import SyncEngine

/// A channel with its connection. Its methods run concurrently; each returns when it fails or its task is cancelled.
actor RealtimeSession {
  typealias Outcome = Result<Void, ServiceFailure>

  private let socket: WebSocket
  private let report: AsyncThrowingStream<LiveSignal, any Error>.Continuation
  private var channel: PhoenixChannel

  init(
    _ socket: WebSocket, userID: String, report: AsyncThrowingStream<LiveSignal, any Error>.Continuation
  ) {
    self.socket = socket
    self.report = report
    channel = PhoenixChannel(userID: userID)
  }

  func join(_ token: AccessToken) async -> Outcome { await send(channel.join(token)) }

  func renew(_ token: AccessToken) async -> Outcome { await send(channel.renew(token)) }

  func read() async -> Outcome {
    do {
      for try await text in socket.messages {
        guard let signal = try channel.received(text) else { continue }
        if case .dropped = report.yield(signal) {
          return .failure(.unavailable(status: 429, code: "too_many_rows", retryAfter: nil))
        }
      }
      return .success(())
    } catch let failure as WebSocketFailure {
      return .failure(ServiceFailure(failure))
    } catch {
      return .failure(error as? ServiceFailure ?? .unintelligible(detail: "unknown"))
    }
  }

  /// Sends heartbeats. The first is sent immediately, and each must be answered before the next.
  func sendHeartbeats(_ limits: Realtime.TimeLimits) async -> Outcome {
    var pause = limits.firstHeartbeat
    while !Task.isCancelled {
      do throws(ServiceFailure) {
        let outcome = await send(try channel.heartbeat())
        guard case .success = outcome else { return outcome }
      } catch {
        return .failure(error)
      }
      // Cancelling the task ends the sleep and then the loop.
      try? await Task.sleep(for: pause)
      pause = limits.heartbeat
    }
    return .success(())
  }

  /// Fails if the server accepts the join but never reports rows, which would look like a channel without news.
  func watchSubscription(_ limits: Realtime.TimeLimits) async -> Outcome {
    // A sleep throws only if the session has ended, and then there is nothing to watch.
    guard (try? await Task.sleep(for: limits.join)) != nil else { return .success(()) }
    guard channel.isJoined else { return .failure(.unreachable(detail: "join without an answer")) }
    guard (try? await Task.sleep(for: limits.subscription - limits.join)) != nil else { return .success(()) }
    return channel.isLive
      ? .success(()) : .failure(.unavailable(status: 503, code: "not_subscribed", retryAfter: nil))
  }

  /// Leaves the channel and closes the connection, if it is still open.
  func leave() async {
    _ = await send(channel.leave())
    await socket.close()
  }

  private func send(_ frame: String) async -> Outcome {
    do throws(WebSocketFailure) {
      try await socket.send(frame)
      return .success(())
    } catch {
      // The connection has ended. `read` reports the reason, perhaps later.
      return .success(())
    }
  }
}
