import TrunkModel

/// The form of messages in text frames: an object in version 1.0.0, an array that includes the join reference in 2.0.0.
enum RealtimeFrames: Sendable {
  case objects
  case arrays

  /// - Parameter version: the `vsn` of the connection; `nil` means 1.0.0.
  init(version: String?) { self = version?.hasPrefix("2.") == true ? .arrays : .objects }

  func read(_ text: String) -> RealtimeMessage? {
    guard let json = try? JSON(text) else { return nil }
    switch self {
    case .objects:
      guard let topic = json["topic"]?.text, let event = json["event"]?.text else { return nil }
      let reference = json["ref"]?.reference
      // A join without `join_ref` uses its own reference.
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

/// One message from a client.
struct RealtimeMessage: Sendable {
  var join: String?
  var reference: String?
  var topic: String
  var event: String
  var payload: JSON

  /// Whether everything but the payload has a reasonable length.
  var isShort: Bool {
    topic.utf8.count <= RealtimeLimits.topicBytes
      && [join ?? "", reference ?? "", event].allSatisfy { $0.utf8.count <= RealtimeLimits.referenceBytes }
  }
}

extension JSON {
  /// References are strings, but some clients send numbers.
  fileprivate var reference: String? {
    switch self {
    case .string(let text): text.decoded
    case .number(let literal): literal
    default: nil
    }
  }
}
