import TrunkModel

/// A topic that a client has joined.
struct RealtimeChannel: Sendable {
  struct Subscription: Sendable {
    let id: UInt32
    /// `nil` if the table doesn't exist here or the filter is invalid.
    let filter: RealtimeFilter?
  }

  let topic: String
  /// The reference of the join. Later messages of the topic repeat it.
  let join: String?
  let subscriptions: [Subscription]
  /// The size of all filters as sent, in bytes.
  let filterBytes: Int
  /// `nil` if the client sent only the API key. It can join, but receives no rows.
  var token: VerifiedToken?

  /// - Parameter wanted: the `postgres_changes` of the join.
  init(_ message: RealtimeMessage, wanted: [JSON], token: VerifiedToken?) {
    topic = message.topic
    join = message.join
    self.token = token
    subscriptions = wanted.map { Subscription(id: $0.subscriptionID, filter: $0.subscriptionFilter) }
    filterBytes = wanted.reduce(0) { $0 + ($1["filter"]?.text?.utf8.count ?? 0) }
  }

  /// The topic without `realtime:`.
  var name: String { RealtimeChannel.name(topic) }

  static func name(_ topic: String) -> String { String(topic.dropFirst("realtime:".count)) }

  /// The ids of the subscriptions that match a row.
  func subscriptions(for row: EventRow) -> [UInt32] {
    guard token?.userID == row.userID else { return [] }
    return subscriptions.filter { $0.filter?.accepts(row) == true }.map(\.id)
  }

  /// Whether the subscriptions succeeded, as the payload of a system message; `nil` without subscriptions.
  var subscriptionReport: String? {
    guard !subscriptions.isEmpty else { return nil }
    let isFine = subscriptions.allSatisfy { $0.filter != nil }
    let message =
      isFine
      ? "Subscribed to PostgreSQL"
      : "Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given "
        + "connect parameters"
    return systemPayload(message, extension: "postgres_changes", isFine: isFine)
  }

  func systemPayload(_ message: String, extension name: String, isFine: Bool) -> String {
    JSON.object([
      .init("channel", .string(self.name)), .init("extension", .string(name)), .init("message", .string(message)),
      .init("status", .string(isFine ? "ok" : "error")),
    ]).compactText
  }
}

/// The contents of a join message.
extension RealtimeMessage {
  /// The `postgres_changes` that the client requests.
  ///
  /// Clients send every section of the configuration in every join, with defaults that ask for nothing. Only a request
  /// for an unsupported feature is rejected.
  func changes() throws(RealtimeRejection) -> [JSON] {
    let config = payload["config"]
    if config?["private"] == .bool(true) {
      throw RealtimeRejection(
        "Unauthorized", "You do not have permissions to read from this Channel topic: \(RealtimeChannel.name(topic))")
    }
    if let broadcast = config?["broadcast"],
      broadcast["ack"] == .bool(true) || broadcast["self"] == .bool(true)
        || broadcast["replay"]?.isObject == true
    {
      throw .unsupported("broadcast")
    }
    if let presence = config?["presence"],
      presence["enabled"] == .bool(true)
        || (presence["enabled"] == nil && presence["key"]?.text?.isEmpty == false)
    {
      throw .unsupported("presence")
    }
    let wanted = config?["postgres_changes"]?.elements ?? []
    guard wanted.count <= RealtimeLimits.subscriptionsPerJoin else { throw .tooManySubscriptions }
    for change in wanted {
      let event = change["event"]?.text ?? "*"
      guard event.uppercased() == "INSERT" else {
        throw .unsupported("postgres_changes for other events than INSERT")
      }
    }
    return wanted
  }
}

extension JSON {
  fileprivate var isObject: Bool { if case .object = self { true } else { false } }

  private var subscriptionMembers: [JSON.Member] {
    (members ?? []).filter { $0.name.decoded != "id" }
  }

  /// Equal subscriptions have equal ids.
  var subscriptionID: UInt32 {
    JSON.object(subscriptionMembers).canonicalText.utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 } >> 1
  }

  /// The client's subscription, with the id added.
  var subscriptionReply: JSON { .object([.init("id", .number(Int(subscriptionID)))] + subscriptionMembers) }

  fileprivate var subscriptionFilter: RealtimeFilter? {
    let (table, schema) = (self["table"]?.text ?? "*", self["schema"]?.text ?? "public")
    let isHere = ["events", "*"].contains(table) && ["public", "*"].contains(schema)
    return isHere ? RealtimeFilter(self["filter"]?.text) : nil
  }
}
