import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The texts that show an entry: its own text and its subject.
enum EntryTexts {
  /// The text of an entry; a placeholder if it is empty.
  static func text(of entry: TimelineEntry) -> String {
    let text = entry.text.trimmed
    return text.isEmpty ? tr("Without words") : String(text)
  }

  /// The subject of an entry: `Learn the cello prelude · Voice · practice`.
  static func about(_ entry: TimelineEntry, in garden: Garden) -> String {
    garden.about(entry) { clamped($0, to: oneLineLimit) }
  }
}
