/// The payload of an event: what it says, by its kind.
///
/// Payloads are classes, so that reading one doesn't copy, and count references to, each of its texts.
///
/// For a new kind see CONTRIBUTING.md.
public enum Payload: Sendable {
  case sproutPlanted(SproutPlanted)
  case sproutWatered(SproutWatered)
  case sproutHarvested(SproutHarvested)
  case sproutUprooted(SproutUprooted)
  case sproutEdited(SproutEdited)
  case sunShone(SunShone)
  case leafCreated(LeafCreated)
  case nodeUpdated(NodeUpdated)
  case seedlingCreated(SeedlingCreated)
  case seedlingEdited(SeedlingEdited)
  case seedlingDeleted(SeedlingDeleted)
  /// An unknown type, or a known one with a required field missing or invalid.
  case ignored(type: String)

  /// Reads and writes its fields; `nil` for an ignored event.
  var coding: (any PayloadCoding)? {
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

  /// The texts that the user wrote, in the order of the fields.
  public var words: [(text: String, kind: LimitedText)] {
    coding?.fields.compactMap { field in
      guard case .words(let text?, let kind) = field.value else { return nil }
      return (text, kind)
    } ?? []
  }

  /// The question that the user answered; `nil` if there was none.
  public var question: String? {
    coding?.fields.lazy.compactMap { field in
      if case .question(let text?) = field.value, !text.isEmpty { text } else { nil }
    }.first
  }
}
