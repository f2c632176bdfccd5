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
    garden.about(entry) { name, _ in clamped(name, to: oneLineLimit) }
  }

  /// The subject of an entry with its leaf, and the same as markup in which each name links to its page.
  static func subject(of entry: TimelineEntry, in garden: Garden) -> (text: String, markup: String) {
    let text = garden.about(entry, showsLeaf: true) { name, _ in clamped(name, to: oneLineLimit) }
    let markup = garden.about(entry, showsLeaf: true) { name, place in
      let name = escaped(clamped(name, to: oneLineLimit))
      return place.map { "<a href=\"\(escaped($0.address))\">\(name)</a>" } ?? name
    }
    return (text, markup)
  }
}
