import EventStore
import Localization
import TrunkKit
import TrunkModel

extension EventConflict {
  /// Both versions, one below the other.
  /// - Parameter other: a label for the other version.
  func lines(other name: String) -> [String] {
    Table(rows: [[tr("here"), here.shownText], [name, other.shownText]]).lines()
  }
}

extension Event {
  /// The text that the user wrote; for an event without text, its JSON.
  var shownText: String { journalText.isEmpty ? raw : dotted(journalText) }
}
