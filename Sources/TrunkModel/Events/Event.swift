/// An immutable event of the log: its exact text, and what this version understands of it.
///
/// Every JSON object is an event. One with an unknown type or a missing required field keeps its place in the log and
/// in exports, but has no effect on the garden.
///
/// A class, because whole logs are sorted, searched and copied: an event with its texts is one reference.
public final class Event: Sendable {
  // Sorting and derivation use these first properties, which therefore share one cache line.

  /// The hash of `clientID` (see `PositionTable`), computed while the text is in the cache; 0 without a `clientID`.
  let clientHash: Int32
  /// The hash of `entityID`, computed like it; 0 for an event that this version doesn't understand.
  let entityHash: Int32
  /// The event's time; `nil` if the text contains no valid instant.
  public let instant: Instant?
  /// `nil` for an event that this version doesn't understand: see `Payload.ignored`.
  public let kind: EventKind?
  public let payload: Payload
  /// `<timestamp>-<8 hex digits>`, which identifies the event on all devices. Events in old files may lack it.
  public let clientID: String?
  /// The name of the zone in which it was written, as in the tz database. Events of other clients lack it.
  public let timeZone: String?
  /// The JSON text exactly as it was received or created.
  public let raw: String

  /// Decodes an event leniently.
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

  /// Creates a new event and its text. Optional fields without a value are left out.
  /// - Parameter timeZone: the zone in which it is written; see `timeZone`.
  public convenience init(_ payload: Payload, at instant: Instant, timeZone: String? = nil, clientID: String) {
    let coding = payload.coding
    let type = if case .ignored(let type) = payload { type } else { coding.map { Swift.type(of: $0).type } ?? "" }
    let ends: [JSON.Member?] = [
      .init("timestamp", .string(instant.description)), timeZone.map { .init("timeZone", .string($0)) },
      .init("client_id", .string(clientID)),
    ]
    let members = [.init("type", .string(type))] + (coding?.members ?? []) + ends.compactMap(\.self)
    // Reads the payload from the members, so that it is the same now and after a restart.
    self.init(raw: JSON.object(members).compactText, members: members)
  }

  /// - Parameter members: the parsed members of `raw`.
  package init(raw: String, members: [JSON.Member]) {
    let fields = PayloadFields(members)
    self.raw = raw
    instant = fields.text("timestamp").flatMap { Instant($0) }
    timeZone = fields.id("timeZone")
    let hasNullInID = fields.hasNullInID
    clientID = hasNullInID ? nil : fields.id("client_id")
    clientHash = clientID.map(PositionTable.hash) ?? 0
    let type = fields.text("type") ?? ""
    let known = instant == nil || hasNullInID ? nil : EventKind(name: type)
    let understood = known?.coding.payload(fields)
    kind = understood == nil ? nil : known
    payload = understood?.payload ?? .ignored(type: type)
    entityHash = understood?.entityHash ?? 0
  }

  /// Creates the `client_id` of a new event.
  /// - Parameter random: a new random number, so that two devices never create the same id.
  public static func clientID(at instant: Instant, random: UInt32) -> String {
    "\(instant)-" + withUnsafeBytes(of: random.bigEndian) { $0.hexadecimal }
  }

  /// The `type` as written; empty if it is missing.
  public var type: String { Event.type(payload, kind) }

  private static func type(_ payload: Payload, _ kind: EventKind?) -> String {
    if case .ignored(let type) = payload { type } else { kind?.name ?? "" }
  }

  /// Whether this version knows the type and the event is well-formed.
  public var isUnderstood: Bool { kind != nil }

  /// Whether this version knows the type, but a required member is missing or invalid.
  public var isMalformed: Bool { !isUnderstood && EventKind(name: type) != nil }

  /// The id of the entity that the event is about: the first of sproutId, seedlingId, leafId, nodeId and twigId.
  public var entityID: String? {
    switch payload {
    case .ignored:
      let json = json
      return ["sproutId", "seedlingId", "leafId", "nodeId", "twigId"].lazy.compactMap { json[$0]?.text }
        .first { !$0.isEmpty }
    default: return payload.coding?.entityID
    }
  }

  /// The text as a JSON object.
  public var json: JSON {
    // The text was parsed when the event was made, so this can't fail. If it did, different events would still differ.
    (try? JSON(raw)) ?? .string(raw)
  }

  /// The text with sorted keys and without white space, equal for all spellings of the same event.
  public var canonicalText: String { json.canonicalText }

  /// The user's words, without empty ones. The question that they answer is not among them: it is Trunk's.
  public var journalText: [String] {
    payload.words.map(\.text).filter { !$0.isEmpty }
  }
}
