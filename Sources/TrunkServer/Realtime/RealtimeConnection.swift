import NIOCore
import NIOWebSocket
import Synchronization
import TrunkModel

/// A live connection and the topics that its client has joined.
final class RealtimeConnection: Sendable {
  private let socket: RealtimeSocket
  private let output: RealtimeOutput
  /// Keyed by topic.
  private let channels = Mutex<[String: RealtimeChannel]>([:])

  init(_ socket: RealtimeSocket, output: RealtimeOutput) {
    self.socket = socket
    self.output = output
  }

  /// Handles one message. Ignores messages that it can't parse.
  func receive(_ text: String) {
    guard let message = socket.framing.read(text) else { return }
    // These values are stored with the channel and repeated in replies, so they must be short.
    guard message.isShort else { return close(.policyViolation) }
    if message.topic == "phoenix" {
      if message.event == "heartbeat" { reply(message) }
      return
    }
    switch message.event {
    case "phx_join": join(message)
    case "phx_leave": leave(message)
    case "access_token": renew(message)
    default:
      let isJoined = channels.withLock { $0[message.topic] != nil }
      reject(message, isJoined ? RealtimeRejection.unsupported("\(message.event)").reason : "unmatched topic")
    }
    socket.hub.update(self, subscriptions: subscriptions)
  }

  /// Sends a new row if a subscription matches it. An account that gets too many is disconnected, and pulls after it
  /// reconnects.
  func deliver(_ change: RealtimeChange) {
    for channel in channels.withLock({ Array($0.values) }) {
      let ids = channel.subscriptions(for: change.row)
      guard !ids.isEmpty, !output.isClosed else { continue }
      // Pulling many rows takes less time than their messages.
      guard socket.budget.take(of: .deliveries, by: [.account(change.row.userID)]) else { return close(.tryAgainLater) }
      let list = ids.map(String.init).joined(separator: ",")
      let text = socket.framing.text(
        join: nil, reference: nil, topic: channel.topic, event: "postgres_changes",
        payload: "{\"ids\":[\(list)],\"data\":\(change.data)}")
      output.send(.text, ByteBuffer(string: text), account: change.row.userID)
    }
  }

  /// Closes topics whose token has expired. The connection stays open.
  ///
  /// It runs on the event loop, as the handling of messages does. If it ran at the same time as a join, an older list
  /// of subscriptions could reach the hub last.
  func expireTokens() { output.onEventLoop { self.closeExpiredChannels() } }

  private func closeExpiredChannels() {
    let now = socket.authority.now().seconds
    let expired = channels.withLock { channels in
      let expired = channels.values.filter { $0.token.map { $0.expiresAt <= now } ?? false }
      for channel in expired { channels[channel.topic] = nil }
      return expired
    }
    for channel in expired {
      end(channel, because: "Token has expired \(now - (channel.token?.expiresAt ?? now)) seconds ago")
    }
    if !expired.isEmpty { socket.hub.update(self, subscriptions: subscriptions) }
  }

  func close(_ code: WebSocketErrorCode) { output.close(code) }

  /// The number of subscriptions to each user's events.
  private var subscriptions: [String: Int] {
    channels.withLock { channels in
      channels.values.reduce(into: [:]) { counts, channel in
        guard let user = channel.token?.userID, !channel.subscriptions.isEmpty else { return }
        counts[user, default: 0] += channel.subscriptions.count
      }
    }
  }
}

extension RealtimeConnection {
  private func join(_ message: RealtimeMessage) {
    guard message.topic.hasPrefix("realtime:"), message.topic.utf8.count > "realtime:".utf8.count else {
      return reject(message, "unmatched topic")
    }
    do throws(RealtimeRejection) {
      guard socket.budget.take(of: .requests, by: [.client(socket.client)]) else { throw .tooManyJoins }
      let token = try read(message.payload["access_token"]?.text)
      let wanted = try message.changes()
      let channel = RealtimeChannel(message, wanted: wanted, token: token)
      let older = try add(channel)
      if let older { send(older, event: "phx_close", reference: older.join, payload: "{}") }
      let changes = JSON.object([.init("postgres_changes", .array(wanted.map(\.subscriptionReply)))])
      reply(message, response: changes.compactText)
      report(channel)
    } catch {
      reject(message, error.reason)
    }
  }

  /// - Returns: the replaced channel of the same topic.
  private func add(_ channel: RealtimeChannel) throws(RealtimeRejection) -> RealtimeChannel? {
    let result: Result<RealtimeChannel?, RealtimeRejection> = channels.withLock { channels in
      var all = channels
      let older = all.updateValue(channel, forKey: channel.topic)
      guard all.count <= RealtimeLimits.channels else { return .failure(.tooManyChannels) }
      guard all.values.reduce(0, { $0 + $1.subscriptions.count }) <= RealtimeLimits.subscriptions,
        all.values.reduce(0, { $0 + $1.filterBytes }) <= RealtimeLimits.filterBytes
      else { return .failure(.tooManySubscriptions) }
      if let rejection = socket.hub.rejection(self, channel) { return .failure(rejection) }
      channels = all
      return .success(older)
    }
    return try result.get()
  }

  private func leave(_ message: RealtimeMessage) {
    let channel = channels.withLock { $0.removeValue(forKey: message.topic) }
    reply(message)
    if let channel { send(channel, event: "phx_close", reference: channel.join, payload: "{}") }
  }

  /// Sets a newer token for a topic. Success sends another report, failure closes the topic.
  private func renew(_ message: RealtimeMessage) {
    guard var channel = channels.withLock({ $0[message.topic] }) else { return }
    do throws(RealtimeRejection) {
      channel.token = try read(message.payload["access_token"]?.text)
      _ = try add(channel)
      report(channel)
    } catch {
      channels.withLock { _ = $0.removeValue(forKey: message.topic) }
      end(channel, because: error.reason)
    }
  }

  /// - Returns: `nil` if only the API key was sent.
  private func read(_ text: String?) throws(RealtimeRejection) -> VerifiedToken? {
    guard let text, !text.isEmpty, !socket.authority.isKey(text) else { return nil }
    do {
      return try socket.authority.token(text)
    } catch {
      throw RealtimeRejection(error)
    }
  }

  private func report(_ channel: RealtimeChannel) {
    if let report = channel.subscriptionReport { send(channel, event: "system", payload: report) }
  }

  private func end(_ channel: RealtimeChannel, because reason: String) {
    send(channel, event: "system", payload: channel.systemPayload(reason, extension: "system", isFine: false))
    send(channel, event: "phx_close", reference: channel.join, payload: "{}")
  }

  private func reject(_ message: RealtimeMessage, _ reason: String) {
    reply(message, status: "error", response: JSON.object([.init("reason", .string(reason))]).compactText)
  }

  private func reply(_ message: RealtimeMessage, status: String = "ok", response: String = "{}") {
    send(
      join: message.join, reference: message.reference, topic: message.topic, event: "phx_reply",
      payload: "{\"status\":\"\(status)\",\"response\":\(response)}")
  }

  private func send(_ channel: RealtimeChannel, event: String, reference: String? = nil, payload: String) {
    send(join: channel.join, reference: reference, topic: channel.topic, event: event, payload: payload)
  }

  private func send(join: String?, reference: String?, topic: String, event: String, payload: String) {
    let text = socket.framing.text(join: join, reference: reference, topic: topic, event: event, payload: payload)
    output.send(.text, ByteBuffer(string: text))
  }
}

extension RealtimeRejection {
  /// The rejection for an invalid token, in Supabase's words.
  init(_ problem: VerifiedToken.Problem) {
    switch problem {
    case .expired(let seconds): self.init("InvalidJWTToken", "Token has expired \(seconds) seconds ago")
    case .invalid(let parts):
      if parts == 3 {
        self.init("JwtSignatureError", "Failed to validate JWT signature")
      } else {
        self.init("MalformedJWT", "The token provided is not a valid JWT")
      }
    }
  }
}
