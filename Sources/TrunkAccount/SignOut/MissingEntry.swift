import SyncEngine
import TrunkModel

/// An entry on this computer that the server lacks. `description(in:)` describes it.
public struct MissingEntry: Sendable {
  public let event: Event
  public let reason: ServerComparison.Missing.Reason
  /// Whether the user has hidden its words on this computer.
  let isHidden: Bool

  public init(event: Event, reason: ServerComparison.Missing.Reason, isHidden: Bool = false) {
    (self.event, self.reason, self.isHidden) = (event, reason, isHidden)
  }
}
