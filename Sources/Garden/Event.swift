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
    raw = JSON.object([.init("type", .string(content.typeName))] + content.members + ends).compactText
  }

  /// - Parameter members: what `raw` says.
  package init(raw: String, members: [JSON.Member]) {
    let fields = EventFields(members)
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
    default: return content.entityID
    }
  }

  /// Keys sorted, no white space: equal for all spellings of the same event.
  public var canonicalText: String {
    // The text was read before, so it parses; if it did not, it would be its own canonical form.
    (try? JSON(raw))?.canonicalText ?? raw
  }

  /// What people wrote in it, for the search index. Prompts are ours and stay out.
  public var journalText: [String] {
    let texts: [String?] =
      switch content {
      case .sproutPlanted(let it): [it.title, it.bloomWither, it.bloomBudding, it.bloomFlourish]
      case .sproutWatered(let it): [it.content]
      case .sproutHarvested(let it): [it.reflection]
      case .sproutEdited(let it): [it.title, it.bloomWither, it.bloomBudding, it.bloomFlourish]
      case .sunShone(let it): [it.content]
      case .leafCreated(let it): [it.name]
      case .nodeUpdated(let it): [it.label, it.note]
      case .seedlingCreated(let it): [it.title, it.notes]
      case .seedlingEdited(let it): [it.title, it.notes]
      case .sproutUprooted, .seedlingDeleted, .ignored: []
      }
    return texts.compactMap { $0 }.filter { !$0.isEmpty }
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

/// The known types of event. The order is that of causes: of events at the same instant, one that creates something
/// comes before one that needs it.
public enum EventKind: UInt8, CaseIterable, Sendable {
  case leafCreated, nodeUpdated, seedlingCreated, sproutPlanted, seedlingEdited, sproutEdited, sproutWatered,
    sunShone, sproutHarvested, sproutUprooted, seedlingDeleted

  /// The value of `type` in the log.
  public var name: String {
    switch self {
    case .leafCreated: "leaf_created"
    case .nodeUpdated: "node_updated"
    case .seedlingCreated: "seedling_created"
    case .sproutPlanted: "sprout_planted"
    case .seedlingEdited: "seedling_edited"
    case .sproutEdited: "sprout_edited"
    case .sproutWatered: "sprout_watered"
    case .sunShone: "sun_shone"
    case .sproutHarvested: "sprout_harvested"
    case .sproutUprooted: "sprout_uprooted"
    case .seedlingDeleted: "seedling_deleted"
    }
  }
}

/// What an event says.
public enum Content: Sendable {
  indirect case sproutPlanted(SproutPlanted)
  case sproutWatered(SproutWatered)
  case sproutHarvested(SproutHarvested)
  case sproutUprooted(SproutUprooted)
  indirect case sproutEdited(SproutEdited)
  indirect case sunShone(SunShone)
  case leafCreated(LeafCreated)
  case nodeUpdated(NodeUpdated)
  indirect case seedlingCreated(SeedlingCreated)
  case seedlingEdited(SeedlingEdited)
  case seedlingDeleted(SeedlingDeleted)
  /// An unknown type, or a known one that lacks something or has it wrong.
  case ignored(type: String)

  public struct SproutPlanted: Sendable {
    public var sproutID: String
    public var twigID: String
    public var title: String
    public var season: Season
    public var environment: Environment
    public var soilCost: Double
    public var leafID: String
    public var bloomWither: String?
    public var bloomBudding: String?
    public var bloomFlourish: String?

    public init(
      sproutID: String, twigID: String, title: String, season: Season, environment: Environment, soilCost: Double,
      leafID: String, bloomWither: String? = nil, bloomBudding: String? = nil, bloomFlourish: String? = nil
    ) {
      self.sproutID = sproutID
      self.twigID = twigID
      self.title = title
      self.season = season
      self.environment = environment
      self.soilCost = soilCost
      self.leafID = leafID
      self.bloomWither = bloomWither
      self.bloomBudding = bloomBudding
      self.bloomFlourish = bloomFlourish
    }
  }

  public struct SproutWatered: Sendable {
    public var sproutID: String
    public var content: String
    public var prompt: String?

    public init(sproutID: String, content: String, prompt: String?) {
      self.sproutID = sproutID
      self.content = content
      self.prompt = prompt
    }
  }

  public struct SproutHarvested: Sendable {
    public var sproutID: String
    /// 1…5.
    public var result: Int
    public var capacityGained: Double
    public var reflection: String?

    public init(sproutID: String, result: Int, capacityGained: Double, reflection: String?) {
      self.sproutID = sproutID
      self.result = result
      self.capacityGained = capacityGained
      self.reflection = reflection
    }
  }

  public struct SproutUprooted: Sendable {
    public var sproutID: String
    public var soilReturned: Double

    public init(sproutID: String, soilReturned: Double) {
      self.sproutID = sproutID
      self.soilReturned = soilReturned
    }
  }

  /// Absent fields stay as they were; an empty bloom clears it.
  public struct SproutEdited: Sendable {
    public var sproutID: String
    public var title: String?
    public var bloomWither: String?
    public var bloomBudding: String?
    public var bloomFlourish: String?
    public var leafID: String?

    public init(
      sproutID: String, title: String? = nil, bloomWither: String? = nil, bloomBudding: String? = nil,
      bloomFlourish: String? = nil, leafID: String? = nil
    ) {
      self.sproutID = sproutID
      self.title = title
      self.bloomWither = bloomWither
      self.bloomBudding = bloomBudding
      self.bloomFlourish = bloomFlourish
      self.leafID = leafID
    }
  }

  public struct SunShone: Sendable {
    public var twigID: String
    public var twigLabel: String
    public var content: String
    public var prompt: String?

    public init(twigID: String, twigLabel: String, content: String, prompt: String?) {
      self.twigID = twigID
      self.twigLabel = twigLabel
      self.content = content
      self.prompt = prompt
    }
  }

  public struct LeafCreated: Sendable {
    public var leafID: String
    public var twigID: String
    public var name: String

    public init(leafID: String, twigID: String, name: String) {
      self.leafID = leafID
      self.twigID = twigID
      self.name = name
    }
  }

  /// Absent fields stay as they were; an empty one brings the preset back.
  public struct NodeUpdated: Sendable {
    public var nodeID: String
    public var label: String?
    public var note: String?

    public init(nodeID: String, label: String? = nil, note: String? = nil) {
      self.nodeID = nodeID
      self.label = label
      self.note = note
    }
  }

  public struct SeedlingCreated: Sendable {
    public var seedlingID: String
    public var twigID: String
    public var title: String
    public var notes: String?

    public init(seedlingID: String, twigID: String, title: String, notes: String? = nil) {
      self.seedlingID = seedlingID
      self.twigID = twigID
      self.title = title
      self.notes = notes
    }
  }

  public struct SeedlingEdited: Sendable {
    public var seedlingID: String
    public var title: String?
    public var notes: String?

    public init(seedlingID: String, title: String? = nil, notes: String? = nil) {
      self.seedlingID = seedlingID
      self.title = title
      self.notes = notes
    }
  }

  public struct SeedlingDeleted: Sendable {
    public var seedlingID: String

    public init(seedlingID: String) {
      self.seedlingID = seedlingID
    }
  }
}

extension Content {
  /// `nil` for an ignored event.
  public var kind: EventKind? {
    switch self {
    case .sproutPlanted: .sproutPlanted
    case .sproutWatered: .sproutWatered
    case .sproutHarvested: .sproutHarvested
    case .sproutUprooted: .sproutUprooted
    case .sproutEdited: .sproutEdited
    case .sunShone: .sunShone
    case .leafCreated: .leafCreated
    case .nodeUpdated: .nodeUpdated
    case .seedlingCreated: .seedlingCreated
    case .seedlingEdited: .seedlingEdited
    case .seedlingDeleted: .seedlingDeleted
    case .ignored: nil
    }
  }

  var typeName: String {
    if case .ignored(let type) = self { type } else { kind?.name ?? "" }
  }

  var entityID: String? {
    switch self {
    case .sproutPlanted(let it): it.sproutID
    case .sproutWatered(let it): it.sproutID
    case .sproutHarvested(let it): it.sproutID
    case .sproutUprooted(let it): it.sproutID
    case .sproutEdited(let it): it.sproutID
    case .sunShone(let it): it.twigID
    case .leafCreated(let it): it.leafID
    case .nodeUpdated(let it): it.nodeID
    case .seedlingCreated(let it): it.seedlingID
    case .seedlingEdited(let it): it.seedlingID
    case .seedlingDeleted(let it): it.seedlingID
    case .ignored: nil
    }
  }

  /// Reads what the type requires; anything missing or wrong makes the event an ignored one.
  fileprivate init(_ fields: EventFields) {
    let type = fields.text("type") ?? ""
    self = Content.known(type, fields) ?? .ignored(type: type)
  }

  private static func known(_ type: String, _ fields: EventFields) -> Content? {
    switch type {
    case "sprout_planted":
      guard let sproutID = fields.id("sproutId"), let twigID = fields.id("twigId"), let title = fields.text("title"),
        let season = fields.text("season").flatMap(Season.init(rawValue:)),
        let environment = fields.text("environment").flatMap(Environment.init(rawValue:)),
        let soilCost = fields.amount("soilCost"), let leafID = fields.text("leafId")
      else { return nil }
      return .sproutPlanted(
        SproutPlanted(
          sproutID: sproutID, twigID: twigID, title: title, season: season, environment: environment,
          soilCost: soilCost, leafID: leafID, bloomWither: fields.text("bloomWither"),
          bloomBudding: fields.text("bloomBudding"), bloomFlourish: fields.text("bloomFlourish")))
    case "sprout_watered":
      guard let sproutID = fields.id("sproutId"), let content = fields.text("content") else { return nil }
      return .sproutWatered(SproutWatered(sproutID: sproutID, content: content, prompt: fields.text("prompt")))
    case "sprout_harvested":
      guard let sproutID = fields.id("sproutId"), let result = fields.amount("result").flatMap(Int.init(exactly:)),
        (1...5).contains(result), let capacityGained = fields.amount("capacityGained")
      else { return nil }
      return .sproutHarvested(
        SproutHarvested(
          sproutID: sproutID, result: result, capacityGained: capacityGained, reflection: fields.text("reflection")))
    case "sprout_uprooted":
      guard let sproutID = fields.id("sproutId"), let soilReturned = fields.amount("soilReturned") else { return nil }
      return .sproutUprooted(SproutUprooted(sproutID: sproutID, soilReturned: soilReturned))
    case "sprout_edited":
      guard let sproutID = fields.id("sproutId") else { return nil }
      return .sproutEdited(
        SproutEdited(
          sproutID: sproutID, title: fields.text("title"), bloomWither: fields.text("bloomWither"),
          bloomBudding: fields.text("bloomBudding"), bloomFlourish: fields.text("bloomFlourish"),
          leafID: fields.text("leafId")))
    case "sun_shone":
      guard let twigID = fields.id("twigId"), let twigLabel = fields.text("twigLabel"),
        let content = fields.text("content")
      else { return nil }
      return .sunShone(
        SunShone(twigID: twigID, twigLabel: twigLabel, content: content, prompt: fields.text("prompt")))
    case "leaf_created":
      guard let leafID = fields.id("leafId"), let twigID = fields.id("twigId"), let name = fields.text("name")
      else { return nil }
      return .leafCreated(LeafCreated(leafID: leafID, twigID: twigID, name: name))
    case "node_updated":
      guard let nodeID = fields.id("nodeId") else { return nil }
      return .nodeUpdated(NodeUpdated(nodeID: nodeID, label: fields.text("label"), note: fields.text("note")))
    case "seedling_created":
      guard let seedlingID = fields.id("seedlingId"), let twigID = fields.id("twigId"),
        let title = fields.text("title")
      else { return nil }
      return .seedlingCreated(
        SeedlingCreated(seedlingID: seedlingID, twigID: twigID, title: title, notes: fields.text("notes")))
    case "seedling_edited":
      guard let seedlingID = fields.id("seedlingId") else { return nil }
      return .seedlingEdited(
        SeedlingEdited(seedlingID: seedlingID, title: fields.text("title"), notes: fields.text("notes")))
    case "seedling_deleted":
      guard let seedlingID = fields.id("seedlingId") else { return nil }
      return .seedlingDeleted(SeedlingDeleted(seedlingID: seedlingID))
    default: return nil
    }
  }

  /// The fields between `type` and `timestamp`, in the order in which they are written.
  fileprivate var members: [JSON.Member] {
    func members(_ pairs: (String, JSON?)...) -> [JSON.Member] {
      pairs.compactMap { name, value in value.map { JSON.Member(name, $0) } }
    }
    func text(_ value: String?) -> JSON? { value.map { .string(EventFields.withoutNull($0)) } }
    switch self {
    case .sproutPlanted(let it):
      return members(
        ("sproutId", text(it.sproutID)), ("twigId", text(it.twigID)), ("title", text(it.title)),
        ("season", text(it.season.rawValue)), ("environment", text(it.environment.rawValue)),
        ("soilCost", .number(it.soilCost)), ("leafId", text(it.leafID)), ("bloomWither", text(it.bloomWither)),
        ("bloomBudding", text(it.bloomBudding)), ("bloomFlourish", text(it.bloomFlourish)))
    case .sproutWatered(let it):
      return members(
        ("sproutId", text(it.sproutID)), ("content", text(it.content)), ("prompt", text(it.prompt)))
    case .sproutHarvested(let it):
      return members(
        ("sproutId", text(it.sproutID)), ("result", .number(it.result)),
        ("capacityGained", .number(it.capacityGained)), ("reflection", text(it.reflection)))
    case .sproutUprooted(let it):
      return members(("sproutId", text(it.sproutID)), ("soilReturned", .number(it.soilReturned)))
    case .sproutEdited(let it):
      return members(
        ("sproutId", text(it.sproutID)), ("title", text(it.title)), ("bloomWither", text(it.bloomWither)),
        ("bloomBudding", text(it.bloomBudding)), ("bloomFlourish", text(it.bloomFlourish)),
        ("leafId", text(it.leafID)))
    case .sunShone(let it):
      return members(
        ("twigId", text(it.twigID)), ("twigLabel", text(it.twigLabel)), ("content", text(it.content)),
        ("prompt", text(it.prompt)))
    case .leafCreated(let it):
      return members(("leafId", text(it.leafID)), ("twigId", text(it.twigID)), ("name", text(it.name)))
    case .nodeUpdated(let it):
      return members(("nodeId", text(it.nodeID)), ("label", text(it.label)), ("note", text(it.note)))
    case .seedlingCreated(let it):
      return members(
        ("seedlingId", text(it.seedlingID)), ("twigId", text(it.twigID)), ("title", text(it.title)),
        ("notes", text(it.notes)))
    case .seedlingEdited(let it):
      return members(("seedlingId", text(it.seedlingID)), ("title", text(it.title)), ("notes", text(it.notes)))
    case .seedlingDeleted(let it):
      return members(("seedlingId", text(it.seedlingID)))
    case .ignored: return []
    }
  }
}

/// The members of an event's object, looked up by name. Of duplicate names the last counts.
private struct EventFields {
  private let members: [JSON.Member]

  init(_ members: [JSON.Member]) {
    self.members = members
  }

  /// A string; null and every other value count as absent.
  func text(_ name: String) -> String? {
    guard case .string(let string) = members.value(name) else { return nil }
    return string.hasEscapes ? EventFields.withoutNull(string.decoded) : string.literal
  }

  /// A string that names something: not empty.
  func id(_ name: String) -> String? {
    text(name).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A finite number, at least 0.
  func amount(_ name: String) -> Double? {
    members.value(name)?.double.flatMap { $0 >= 0 ? $0 : nil }
  }

  /// C strings, and PostgreSQL's text, end at U+0000: no one can mean to write it.
  static func withoutNull(_ text: String) -> String {
    text.utf8.contains(0) ? String(text.unicodeScalars.filter { $0.value != 0 }.map(Character.init)) : text
  }
}
