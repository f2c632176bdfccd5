import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The words around an entry.
enum JournalWords {
  /// The text, or words in place of an empty one.
  static func text(of entry: TimelineEntry) -> String {
    let text = entry.text.trimmed
    return text.isEmpty ? tr("Without words") : String(text)
  }

  /// What an entry is about: `Learn the cello prelude · VOICE · practice`.
  static func about(_ entry: TimelineEntry, in garden: Garden) -> String {
    garden.about(entry) { clamped($0, to: oneLineLimit) }
  }
}
