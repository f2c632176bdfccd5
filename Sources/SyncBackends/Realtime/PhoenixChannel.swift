import EventStore
import Glibc
import SyncEngine
import TrunkModel

/// Supabase's channel for one user's new rows, in framing 2.0.0: creates the frames to send and interprets received
/// ones. It has neither connection nor clock.
struct PhoenixChannel {
  private static let topic = "realtime:trunk-events"

  private let userID: String
  private var lastReference = 0
  private var joinReference = ""
  private var unansweredHeartbeat: String?
  /// Whether the server has accepted the join. Rows follow only later.
  private(set) var isJoined = false
  /// Whether the server has confirmed that it reports rows.
  private(set) var isLive = false

  init(userID: String) {
    self.userID = userID
  }

  mutating func join(_ token: AccessToken) -> String {
    joinReference = nextReference()
    (isJoined, isLive) = (false, false)
    let nothing = JSON.bool(false)
    return frame(
      joinReference, "phx_join",
      .object([
        .init(
          "config",
          .object([
            .init("broadcast", .object([.init("ack", nothing), .init("self", nothing)])),
            .init("presence", .object([.init("key", .string("")), .init("enabled", nothing)])),
            .init("postgres_changes", .array([subscription])), .init("private", nothing),
          ])),
        // Without this, the server treats the API key as a user without access to any row, and reports success.
        .init("access_token", .string(token.text)),
      ]))
  }

  mutating func renew(_ token: AccessToken) -> String {
    frame(nextReference(), "access_token", .object([.init("access_token", .string(token.text))]))
  }

  mutating func leave() -> String { frame(nextReference(), "phx_leave", .object([])) }

  /// - Throws: `unreachable` if the previous heartbeat is unanswered.
  mutating func heartbeat() throws(ServiceFailure) -> String {
    guard unansweredHeartbeat == nil else { throw .unreachable(detail: "heartbeat without an answer") }
    let reference = nextReference()
    unansweredHeartbeat = reference
    return JSON.array([.null, .string(reference), .string("phoenix"), .string("heartbeat"), .object([])]).compactText
  }

  /// Handles a frame from the server.
  /// - Throws: the failure that ends the channel.
  mutating func received(_ text: String) throws(ServiceFailure) -> LiveSignal? {
    guard let parts = (try? JSON(text))?.elements, parts.count == 5, let topic = parts[2].text,
      let event = parts[3].text
    else { throw .unintelligible(detail: "not a frame of realtime") }
    let (reference, payload) = (parts[1].text, parts[4])
    if topic == "phoenix" {
      if event == "phx_reply", reference == unansweredHeartbeat { unansweredHeartbeat = nil }
      return nil
    }
    // Rows have no join reference. A frame with a different one belongs to an earlier join.
    guard topic == Self.topic, parts[0] == .null || parts[0].text == joinReference else { return nil }
    switch event {
    case "phx_reply": return try replied(payload, to: reference)
    case "system": return try systemMessage(payload)
    case "postgres_changes": return changed(payload["data"] ?? .null)
    case "phx_close", "phx_error": throw .unavailable(status: 503, code: event, retryAfter: nil)
    default: return nil
    }
  }

  private mutating func replied(_ payload: JSON, to reference: String?) throws(ServiceFailure) -> LiveSignal? {
    let response = payload["response"] ?? .null
    guard payload["status"]?.text == "ok" else { throw Self.failure(response["reason"]?.text ?? "") }
    guard reference == joinReference else { return nil }
    // The server repeats the subscriptions in the requested order, each with an added id.
    guard let changes = response["postgres_changes"]?.elements, changes.count == 1,
      Self.terms.allSatisfy({ changes[0][$0]?.text == subscription[$0]?.text })
    else { throw .unintelligible(detail: "subscribed to something else") }
    isJoined = true
    return nil
  }

  private mutating func systemMessage(_ payload: JSON) throws(ServiceFailure) -> LiveSignal? {
    let message = payload["message"]?.text ?? ""
    let isAboutRows = payload["extension"]?.text == "postgres_changes"
    guard payload["status"]?.text == "ok" else {
      if isAboutRows, strstr(message, "given parameters") != nil {
        throw .misconfigured(status: 400, code: "postgres_changes", message: message)
      }
      throw isAboutRows
        ? .unavailable(status: 503, code: "postgres_changes", retryAfter: nil) : Self.failure(message)
    }
    if isAboutRows {
      // Repeated after each new token, because rows may have been missed each time.
      isLive = true
      return .isLive
    }
    if message == "Server requested disconnect" {
      throw .unavailable(status: 503, code: "server_disconnect", retryAfter: nil)
    }
    return nil
  }

  private func changed(_ data: JSON) -> LiveSignal? {
    // The first pull after `isLive` includes earlier rows.
    guard isLive else { return nil }
    if let table = data["table"]?.text, table != "events" { return nil }
    if let owner = data["record"]?["user_id"]?.text, owner != userID { return nil }
    let errors = data["errors"] ?? .null
    guard data["type"]?.text == "INSERT", errors == .null || errors == .array([]),
      let row = data["record"].flatMap({ ServerRow($0) })
    else { return .somethingChanged }
    return .row(row)
  }

  private static let terms = ["event", "schema", "table", "filter"]

  private var subscription: JSON {
    .object([
      .init("event", .string("INSERT")), .init("schema", .string("public")), .init("table", .string("events")),
      .init("filter", .string("user_id=eq." + userID)),
    ])
  }

  private mutating func nextReference() -> String {
    lastReference += 1
    return String(lastReference)
  }

  private func frame(_ reference: String, _ event: String, _ payload: JSON) -> String {
    JSON.array([.string(joinReference), .string(reference), .string(Self.topic), .string(event), payload])
      .compactText
  }
}

extension PhoenixChannel {
  /// Maps a reason in the server's words, `Code: text` or only a text, to a failure.
  static func failure(_ reason: String) -> ServiceFailure {
    let word = String(reason.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) })
    let code = reason.hasPrefix(word + ":") && word.utf8.count <= 64 ? word : "realtime"
    if strstr(reason, "expired") != nil { return .unauthorized(code: "token_expired") }
    if reason.hasSuffix("are required in JWT") { return .unauthorized(code: "token_incomplete") }
    if reason == "Too many messages per second" {
      return .unavailable(status: 429, code: "too_many_messages", retryAfter: nil)
    }
    return switch code {
    case "InvalidJWTToken", "InvalidJWTExpiration", "MalformedJWT", "JwtSignatureError", "Unauthorized":
      .unauthorized(code: code)
    case "ConnectionRateLimitReached", "ClientJoinRateLimitReached", "ChannelRateLimitReached":
      .unavailable(status: 429, code: code, retryAfter: 30)
    case "TenantNotFound", "RealtimeDisabledForTenant", "PrivateOnly", "TopicNameRequired":
      .misconfigured(status: 403, code: code, message: reason)
    default: .unavailable(status: 503, code: code, retryAfter: nil)
    }
  }
}
