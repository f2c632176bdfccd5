/// The known kinds of events, in causal order: of events at the same instant, one that creates something comes before
/// one that needs it.
public enum EventKind: UInt8, CaseIterable, Sendable {
  case leafCreated, nodeUpdated, seedlingCreated, sproutPlanted, seedlingEdited, sproutEdited, sproutWatered,
    sunShone, sproutHarvested, sproutUprooted, seedlingDeleted

  /// The payload type of this kind.
  var payload: any Payload.Type {
    switch self {
    case .leafCreated: Content.LeafCreated.self
    case .nodeUpdated: Content.NodeUpdated.self
    case .seedlingCreated: Content.SeedlingCreated.self
    case .sproutPlanted: Content.SproutPlanted.self
    case .seedlingEdited: Content.SeedlingEdited.self
    case .sproutEdited: Content.SproutEdited.self
    case .sproutWatered: Content.SproutWatered.self
    case .sunShone: Content.SunShone.self
    case .sproutHarvested: Content.SproutHarvested.self
    case .sproutUprooted: Content.SproutUprooted.self
    case .seedlingDeleted: Content.SeedlingDeleted.self
    }
  }

  /// The value of `type` in the log.
  public var name: String { payload.type }

  /// - Parameter name: the value of `type` in the log.
  /// - Returns: `nil` if this version doesn't know the kind.
  public init?(name: String) {
    guard let kind = EventKind.byName[name] else { return nil }
    self = kind
  }

  private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })
}
