import Garden

/// One topic that a client has joined.
struct RealtimeChannel: Sendable {
  struct Subscription: Sendable {
    let id: UInt32
    /// What the client asked for, with the id.
    let json: JSON
    /// `nil` if there is no such table here, or the filter makes no sense.
    let filter: RealtimeFilter?
    let wantsInserts: Bool
  }

  let topic: String
  /// The reference of the join; later messages of the topic carry it.
  let join: String?
  let subscriptions: [Subscription]
  /// `nil` for those who came with the key alone: they join, and hear nothing.
  var token: AccessToken?

  init(_ message: RealtimeMessage, token: AccessToken?) {
    topic = message.topic
    join = message.join
    self.token = token
    let wanted = message.payload["config"]?["postgres_changes"]?.elements ?? []
    subscriptions = wanted.map { Subscription($0) }
  }

  /// The name without `realtime:`.
  var name: String { String(topic.dropFirst("realtime:".count)) }

  /// The ids of the subscriptions that want a row.
  func subscriptions(for row: EventRow) -> [UInt32] {
    guard token?.userID == row.userID else { return [] }
    return subscriptions.filter { $0.wantsInserts && $0.filter?.accepts(row) == true }.map(\.id)
  }

  /// How the subscriptions fared, as the payload of a system message; `nil` without any.
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

extension RealtimeChannel.Subscription {
  fileprivate init(_ wanted: JSON) {
    var members: [JSON.Member] = []
    if case .object(let own) = wanted { members = own.filter { $0.name.decoded != "id" } }
    // Equal wishes have equal ids.
    id = JSON.object(members).canonicalText.utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 } >> 1
    json = .object([.init("id", .number(Int(id)))] + members)
    let (table, schema) = (wanted["table"]?.text ?? "*", wanted["schema"]?.text ?? "public")
    let isHere = ["events", "*"].contains(table) && ["public", "*"].contains(schema)
    filter = isHere ? RealtimeFilter(wanted["filter"]?.text) : nil
    wantsInserts = ["INSERT", "*"].contains(wanted["event"]?.text?.uppercased() ?? "*")
  }
}
