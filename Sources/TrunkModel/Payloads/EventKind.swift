/// The known kinds of events, in causal order: of events at the same instant, one that creates something comes before
/// one that needs it.
public enum EventKind: UInt8, CaseIterable, Sendable {
  case leafCreated, nodeUpdated, seedlingCreated, sproutPlanted, seedlingEdited, sproutEdited, sproutWatered,
    sunShone, sproutHarvested, sproutUprooted, seedlingDeleted

  /// The type that reads and writes payloads of this kind.
  var coding: any PayloadCoding.Type {
    switch self {
    case .leafCreated: Payload.LeafCreated.self
    case .nodeUpdated: Payload.NodeUpdated.self
    case .seedlingCreated: Payload.SeedlingCreated.self
    case .sproutPlanted: Payload.SproutPlanted.self
    case .seedlingEdited: Payload.SeedlingEdited.self
    case .sproutEdited: Payload.SproutEdited.self
    case .sproutWatered: Payload.SproutWatered.self
    case .sunShone: Payload.SunShone.self
    case .sproutHarvested: Payload.SproutHarvested.self
    case .sproutUprooted: Payload.SproutUprooted.self
    case .seedlingDeleted: Payload.SeedlingDeleted.self
    }
  }

  /// The value of `type` in the log.
  public var name: String { coding.type }

  /// - Parameter name: the value of `type` in the log.
  /// - Returns: `nil` if this version doesn't know the kind.
  public init?(name: String) {
    guard let kind = EventKind.byName[name] else { return nil }
    self = kind
  }

  private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })
}
