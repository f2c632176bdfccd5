import Garden
import NIOCore
import NIOWebSocket
import Synchronization

/// One live connection with the topics that its client has joined.
final class RealtimeConnection: Sendable {
  /// Topics of one connection, at most.
  private static let channelLimit = 100

  private let hub: RealtimeHub
  private let authority: Authority
  private let framing: RealtimeFraming
  private let output: RealtimeOutput
  private let channels = Mutex<[String: RealtimeChannel]>([:])

  init(hub: RealtimeHub, authority: Authority, framing: RealtimeFraming, output: RealtimeOutput) {
    self.hub = hub
    self.authority = authority
    self.framing = framing
    self.output = output
  }

  /// Heeds one message; what can't be understood is ignored.
  func receive(_ text: String) {
    guard let message = framing.read(text) else { return }
    if message.topic == "phoenix" {
      if message.event == "heartbeat" { reply(message) }
      return
    }
    let old = users
    switch message.event {
    case "phx_join": join(message)
    case "phx_leave": leave(message)
    case "access_token": renew(message)
    default:
      // Broadcasts and presence are not served.
      if channels.withLock({ $0[message.topic] == nil }) {
        reply(message, status: "error", response: #"{"reason":"unmatched topic"}"#)
      }
    }
    hub.update(self, from: old, to: users)
  }

  /// Tells of a new row, if a subscription wants it.
  func deliver(_ change: RealtimeChange) {
    for channel in channels.withLock({ Array($0.values) }) {
      let ids = channel.subscriptions(for: change.row)
      guard !ids.isEmpty else { continue }
      let list = ids.map(String.init).joined(separator: ",")
      send(topic: channel.topic, event: "postgres_changes", payload: "{\"ids\":[\(list)],\"data\":\(change.data)}")
    }
  }

  /// Closes topics whose token is over; the connection stays.
  func expireTokens() {
    let now = authority.now().seconds
    let old = users
    let expired = channels.withLock { channels in
      let expired = channels.values.filter { $0.token.map { $0.expiresAt <= now } ?? false }
      for channel in expired { channels[channel.topic] = nil }
      return expired
    }
    for channel in expired {
      end(channel, because: "Token has expired \(now - (channel.token?.expiresAt ?? now)) seconds ago")
    }
    if !expired.isEmpty { hub.update(self, from: old, to: users) }
  }

  func close(_ code: WebSocketErrorCode) { output.close(code) }

  /// Those whose events are wanted.
  var users: Set<String> {
    channels.withLock { Set($0.values.filter { !$0.subscriptions.isEmpty }.compactMap(\.token?.userID)) }
  }
}

extension RealtimeConnection {
  private func join(_ message: RealtimeMessage) {
    guard message.topic.hasPrefix("realtime:"), message.topic.utf8.count > "realtime:".utf8.count else {
      return reply(message, status: "error", response: #"{"reason":"unmatched topic"}"#)
    }
    let token: AccessToken?
    switch read(message.payload["access_token"]?.text) {
    case .success(let found): token = found
    case .failure(let problem):
      return reply(
        message, status: "error", response: JSON.object([.init("reason", .string(problem.reason))]).compactText)
    }
    let channel = RealtimeChannel(message, token: token)
    let (older, isTooMany) = channels.withLock { channels in
      let older = channels[message.topic]
      guard older != nil || channels.count < RealtimeConnection.channelLimit else { return (older, true) }
      channels[message.topic] = channel
      return (older, false)
    }
    if isTooMany {
      return reply(
        message, status: "error", response: #"{"reason":"ChannelRateLimitReached: Too many channels"}"#)
    }
    if let older { send(older, event: "phx_close", reference: older.join, payload: "{}") }
    let changes = JSON.object([.init("postgres_changes", .array(channel.subscriptions.map(\.json)))])
    reply(message, response: changes.compactText)
    report(channel)
  }

  private func leave(_ message: RealtimeMessage) {
    let channel = channels.withLock { $0.removeValue(forKey: message.topic) }
    reply(message)
    if let channel { send(channel, event: "phx_close", reference: channel.join, payload: "{}") }
  }

  /// A newer token for a topic; success is told by another report, failure ends the topic.
  private func renew(_ message: RealtimeMessage) {
    guard var channel = channels.withLock({ $0[message.topic] }) else { return }
    switch read(message.payload["access_token"]?.text) {
    case .success(let token):
      channel.token = token
      channels.withLock { [channel] in $0[message.topic] = channel }
      report(channel)
    case .failure(let problem):
      channels.withLock { _ = $0.removeValue(forKey: message.topic) }
      end(channel, because: problem.text)
    }
  }

  private func read(_ text: String?) -> Result<AccessToken?, AccessToken.Problem> {
    guard let text, !text.isEmpty, !authority.isKey(text) else { return .success(nil) }
    do {
      return .success(try authority.token(text))
    } catch {
      return .failure(error)
    }
  }

  private func report(_ channel: RealtimeChannel) {
    if let report = channel.subscriptionReport { send(channel, event: "system", payload: report) }
  }

  private func end(_ channel: RealtimeChannel, because reason: String) {
    send(channel, event: "system", payload: channel.systemPayload(reason, extension: "system", isFine: false))
    send(channel, event: "phx_close", reference: channel.join, payload: "{}")
  }

  private func reply(_ message: RealtimeMessage, status: String = "ok", response: String = "{}") {
    send(
      join: message.join, reference: message.reference, topic: message.topic, event: "phx_reply",
      payload: "{\"status\":\"\(status)\",\"response\":\(response)}")
  }

  private func send(_ channel: RealtimeChannel, event: String, reference: String? = nil, payload: String) {
    send(join: channel.join, reference: reference, topic: channel.topic, event: event, payload: payload)
  }

  private func send(
    join: String? = nil, reference: String? = nil, topic: String, event: String, payload: String
  ) {
    let text = framing.text(join: join, reference: reference, topic: topic, event: event, payload: payload)
    output.send(.text, ByteBuffer(string: text))
  }
}

extension AccessToken.Problem {
  /// What is wrong, in the words of the service.
  var text: String {
    switch self {
    case .expired(let seconds): "Token has expired \(seconds) seconds ago"
    case .invalid(let parts): parts == 3 ? "Failed to validate JWT signature" : "The token provided is not a valid JWT"
    }
  }

  /// With the code before it, as a join that fails reports it.
  var reason: String {
    switch self {
    case .expired: "InvalidJWTToken: " + text
    case .invalid(let parts): (parts == 3 ? "JwtSignatureError: " : "MalformedJWT: ") + text
    }
  }
}
