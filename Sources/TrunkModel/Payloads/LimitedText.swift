/// The texts that users write. Forms and `GardenModel.commit` enforce their limits; reading never does.
public enum LimitedText: Sendable, Equatable {
  case title, leafName, withering, budding, flourishing, seedlingNotes, nodeLabel, nodeNote, entry, reflection

  /// The maximum length in characters as the user sees them. `byteLimit` also applies.
  public var limit: Int {
    switch self {
    case .title, .withering, .budding, .flourishing: 60
    case .leafName, .nodeLabel: 40
    case .seedlingNotes: 200
    case .nodeNote, .entry, .reflection: 2000
    }
  }

  /// The maximum length in bytes of UTF-8: 32 for each character. The longest emoji of a family has 25, a syllable of
  /// Devanagari or Tibetan up to 18. One character can carry any number of accents, so without this limit an entry
  /// could be larger than a server accepts.
  public var byteLimit: Int { limit * 32 }

  /// Whether a text keeps both limits.
  public func fits(_ text: String) -> Bool {
    // A character has at least one byte, so the number of bytes tells for most texts that they fit.
    text.utf8.count <= limit || text.utf8.count <= byteLimit && text.count <= limit
  }

  /// The beginning of a text that keeps both limits.
  public func beginning(of text: String) -> String {
    var bytes = 0
    return String(
      text.prefix(limit).prefix {
        bytes += $0.utf8.count
        return bytes <= byteLimit
      })
  }
}
