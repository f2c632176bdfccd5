import Garden
import Localization
import Sync

/// An entry on this computer that the server lacks, as people are told about it.
public struct MissingEntry: Sendable {
  public let event: Event
  public let reason: ServerComparison.Missing.Reason

  public init(event: Event, reason: ServerComparison.Missing.Reason) {
    self.event = event
    self.reason = reason
  }

  /// Why the server lacks it, in a word or two.
  public var words: String {
    switch reason {
    case .unsent: tr("not sent")
    case .rejected: tr("rejected")
    case .lost: tr("no longer on the server")
    }
  }
}
