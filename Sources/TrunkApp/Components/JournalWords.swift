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

  /// The text as Pango markup, with the matches of a search in bold and underlined: colour alone would not do.
  static func marked(_ entry: TimelineEntry) -> String {
    let bytes = Array(entry.text.utf8)
    func part(_ range: Range<Int>) -> String {
      escaped(String(decoding: bytes[range.clamped(to: 0..<bytes.count)], as: UTF8.self))
    }
    var (markup, end) = ("", 0)
    for mark in entry.marks where mark.lowerBound >= end {
      markup += part(end..<mark.lowerBound) + "<span weight=\"bold\" underline=\"single\">" + part(mark) + "</span>"
      end = mark.upperBound
    }
    return markup + part(end..<max(end, bytes.count))
  }

  /// What an entry is about: `Learn the cello prelude · VOICE · practice`.
  static func about(_ entry: TimelineEntry, in garden: Garden) -> String {
    garden.about(entry) { clamped($0, to: oneLineLimit) }
  }
}
