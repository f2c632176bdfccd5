import EventStore
import TrunkKit

/// The user's decision about the garden from before the sign-in, stored as `MetaKey.localEvents`.
enum LocalEventsDecision: Equatable {
  case open
  /// The garden stays separate.
  case kept
  /// The events up to `seq` were imported. If the file was since recovered or recreated, the same number names another
  /// event, so the decision counts only while the digest matches.
  case uploaded(seq: Int64, digest: String)

  init(uploaded events: [LocalIdentity]) {
    guard let last = events.last else {
      self = .open
      return
    }
    self = .uploaded(seq: last.seq, digest: LocalIdentity.digest(of: events))
  }

  /// - Parameter text: the format of `text`; anything else means no decision.
  init(text: String?) {
    let parts = text?.split(separator: " ") ?? []
    if parts == ["kept"] {
      self = .kept
    } else if parts.count == 2, let seq = Int64(parts[0]) {
      self = .uploaded(seq: seq, digest: String(parts[1]))
    } else {
      self = .open
    }
  }

  /// The stored form; `nil` without a decision.
  var text: String? {
    switch self {
    case .open: nil
    case .kept: "kept"
    case .uploaded(let seq, let digest): "\(seq) \(digest)"
    }
  }

  /// Returns the events that were not imported. An imported event isn't offered again, even if it has since left the
  /// account's garden.
  /// - Parameter events: in the order of `seq`.
  func undecided(_ events: [LocalIdentity]) -> ArraySlice<LocalIdentity> {
    guard case .uploaded(let seq, let digest) = self else { return events[...] }
    let brought = events.prefix { $0.seq <= seq }
    return LocalIdentity.digest(of: brought) == digest ? events[brought.endIndex...] : events[...]
  }
}
