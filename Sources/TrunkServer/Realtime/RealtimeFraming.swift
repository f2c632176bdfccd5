import Garden

/// How messages stand in a text frame: version 1.0.0 is an object, 2.0.0 an array that also names the join.
enum RealtimeFraming: Sendable {
  case objects
  case arrays

  /// - Parameter version: the `vsn` of the connection; without one it is 1.0.0.
  init(version: String?) { self = version?.hasPrefix("2.") == true ? .arrays : .objects }

  func read(_ text: String) -> RealtimeMessage? {
    guard let json = try? JSON(text) else { return nil }
    switch self {
    case .objects:
      guard let topic = json["topic"]?.text, let event = json["event"]?.text else { return nil }
      let reference = json["ref"]?.reference
      // Clients send the reference of the join as that of its message.
      let join = json["join_ref"]?.reference ?? (event == "phx_join" ? reference : nil)
      return RealtimeMessage(
        join: join, reference: reference, topic: topic, event: event, payload: json["payload"] ?? .object([]))
    case .arrays:
      guard let parts = json.elements, parts.count == 5, let topic = parts[2].text, let event = parts[3].text
      else { return nil }
      return RealtimeMessage(
        join: parts[0].reference, reference: parts[1].reference, topic: topic, event: event, payload: parts[4])
    }
  }

  /// - Parameter payload: JSON.
  func text(join: String?, reference: String?, topic: String, event: String, payload: String) -> String {
    func quoted(_ text: String?) -> String { text.map { JSON.string($0).compactText } ?? "null" }
    return switch self {
    case .objects:
      "{\"ref\":\(quoted(reference)),\"event\":\(quoted(event)),\"topic\":\(quoted(topic)),\"payload\":\(payload)}"
    case .arrays: "[\(quoted(join)),\(quoted(reference)),\(quoted(topic)),\(quoted(event)),\(payload)]"
    }
  }
}

/// One message of a client.
struct RealtimeMessage: Sendable {
  var join: String?
  var reference: String?
  var topic: String
  var event: String
  var payload: JSON

  /// Whether everything but the payload has a sensible length.
  var isShort: Bool {
    topic.utf8.count <= RealtimeLimits.topicBytes
      && [join ?? "", reference ?? "", event].allSatisfy { $0.utf8.count <= RealtimeLimits.referenceBytes }
  }
}

extension JSON {
  /// References are texts; some clients send numbers.
  fileprivate var reference: String? {
    switch self {
    case .string(let text): text.decoded
    case .number(let literal): literal
    default: nil
    }
  }
}
