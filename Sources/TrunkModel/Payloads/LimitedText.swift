/// The texts that users write. Forms and `GardenModel.commit` enforce their limits; reading never does.
public enum LimitedText: Sendable, Equatable {
  case title, leafName, withering, budding, flourishing, seedlingNotes, nodeLabel, nodeNote, entry, reflection

  /// The maximum length in characters as the user sees them.
  public var limit: Int {
    switch self {
    case .title, .withering, .budding, .flourishing: 60
    case .leafName, .nodeLabel: 40
    case .seedlingNotes: 200
    case .nodeNote, .entry, .reflection: 2000
    }
  }
}
