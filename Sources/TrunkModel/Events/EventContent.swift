/// The content of an event: the payload of its kind.
///
/// A new kind needs a payload in its own file, a line in each `switch` here and in `EventKind`, its effect in
/// `Garden+Derivation.swift`, and its words in `EntryWords.swift` of TrunkAccount.
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
  /// An unknown type, or a known one with a required field missing or invalid.
  case ignored(type: String)

  /// Reads the payload of a known kind; everything else is ignored.
  init(_ fields: PayloadFields) {
    let type = fields.text("type") ?? ""
    self = EventKind(name: type).flatMap { Content($0, fields) } ?? .ignored(type: type)
  }

  private init?(_ kind: EventKind, _ fields: PayloadFields) {
    let content: Content? =
      switch kind {
      case .sproutPlanted: SproutPlanted(fields).map(Content.sproutPlanted)
      case .sproutWatered: SproutWatered(fields).map(Content.sproutWatered)
      case .sproutHarvested: SproutHarvested(fields).map(Content.sproutHarvested)
      case .sproutUprooted: SproutUprooted(fields).map(Content.sproutUprooted)
      case .sproutEdited: SproutEdited(fields).map(Content.sproutEdited)
      case .sunShone: SunShone(fields).map(Content.sunShone)
      case .leafCreated: LeafCreated(fields).map(Content.leafCreated)
      case .nodeUpdated: NodeUpdated(fields).map(Content.nodeUpdated)
      case .seedlingCreated: SeedlingCreated(fields).map(Content.seedlingCreated)
      case .seedlingEdited: SeedlingEdited(fields).map(Content.seedlingEdited)
      case .seedlingDeleted: SeedlingDeleted(fields).map(Content.seedlingDeleted)
      }
    guard let content else { return nil }
    self = content
  }

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

  /// `nil` for an ignored event.
  var payload: (any Payload)? {
    switch self {
    case .sproutPlanted(let it): it
    case .sproutWatered(let it): it
    case .sproutHarvested(let it): it
    case .sproutUprooted(let it): it
    case .sproutEdited(let it): it
    case .sunShone(let it): it
    case .leafCreated(let it): it
    case .nodeUpdated(let it): it
    case .seedlingCreated(let it): it
    case .seedlingEdited(let it): it
    case .seedlingDeleted(let it): it
    case .ignored: nil
    }
  }

  var typeName: String {
    if case .ignored(let type) = self { type } else { kind?.name ?? "" }
  }
}
