/// One immutable fact of the log: its exact text, and what this version understands of it.
///
/// Every JSON object is an event. One that is of an unknown type, or lacks something its type requires, keeps its
/// place in the log and in exports; it only has no effect on the garden.
///
/// A class, because logs are sorted, searched and copied as a whole: an event with its texts is one reference.
public final class Event: Sendable {
  // What a log is sorted and derived by comes first, so that it is in one line of the processor's cache.

  /// A hash of `clientID`, made while the text is at hand; 0 without one.
  let clientHash: Int
  /// When it happened; `nil` if the text names no instant.
  public let instant: Instant?
  /// `<timestamp>-<8 hex digits>`: the event's identity on all devices. Old files may lack it.
  public let clientID: String?
  public let content: Content
  /// The JSON text exactly as it was received or made.
  public let raw: String

  /// Decodes leniently.
  /// - Throws: `JSONError` only if the text is not a JSON object.
  public convenience init(json: String) throws(JSONError) {
    var text = json
    let result = text.withUTF8 { bytes in
      Result { () throws(JSONError) in
        var scanner = JSONScanner(bytes, isValidated: true)
        let members = try scanner.members(depth: 0)
        try scanner.end()
        return members
      }
    }
    self.init(raw: json, members: try result.get())
  }

  /// Makes a new event and its text. Absent optionals are left out.
  public init(_ content: Content, at instant: Instant, clientID: String) {
    self.content = content
    self.instant = instant
    self.clientID = clientID
    clientHash = Event.hash(clientID)
    let ends: [JSON.Member] = [
      .init("timestamp", .string(instant.description)), .init("client_id", .string(clientID)),
    ]
    raw = JSON.object([.init("type", .string(content.typeName))] + (content.payload?.members ?? []) + ends).compactText
  }

  /// - Parameter members: what `raw` says.
  package init(raw: String, members: [JSON.Member]) {
    let fields = PayloadFields(members)
    self.raw = raw
    instant = fields.text("timestamp").flatMap { Instant($0) }
    clientID = fields.text("client_id").flatMap { $0.isEmpty ? nil : $0 }
    clientHash = clientID.map(Event.hash) ?? 0
    content = instant == nil ? .ignored(type: fields.text("type") ?? "") : Content(fields)
  }

  /// The `client_id` of a new event.
  /// - Parameter random: fresh randomness, so that two devices never make the same one.
  public static func clientID(at instant: Instant, random: UInt32) -> String {
    let digits = String(random, radix: 16)
    return "\(instant)-" + String(repeating: "0", count: 8 - digits.count) + digits
  }

  private static func hash(_ text: String) -> Int {
    var hasher = Hasher()
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    return hasher.finalize()
  }

  /// The `type` as written; empty if there is none.
  public var type: String { content.typeName }

  /// False for events of an unknown type and malformed ones.
  public var isUnderstood: Bool { content.kind != nil }

  /// The id of what the event is about: sproutId, else seedlingId, leafId, nodeId, twigId.
  public var entityID: String? {
    switch content {
    case .ignored:
      let object = try? JSON(raw)  // this text was read before: it parses
      return ["sproutId", "seedlingId", "leafId", "nodeId", "twigId"].lazy.compactMap { object?[$0]?.text }
        .first { !$0.isEmpty }
    default: return content.payload?.entityID
    }
  }

  /// Keys sorted, no white space: equal for all spellings of the same event.
  public var canonicalText: String {
    // The text was read before, so it parses; if it did not, it would be its own canonical form.
    (try? JSON(raw))?.canonicalText ?? raw
  }

  /// What the user wrote in it, for the search index. Prompts are ours and stay out.
  public var journalText: [String] {
    (content.payload?.journalText ?? []).compactMap { $0 }.filter { !$0.isEmpty }
  }

  /// The text of a watering or a reflection as written, with the question it answered.
  public var entry: (content: String, prompt: String?)? {
    switch content {
    case .sproutWatered(let it): (it.content, it.prompt)
    case .sunShone(let it): (it.content, it.prompt)
    default: nil
    }
  }
}
