import SyncEngine
import TrunkModel

/// An entry on this computer that the server lacks. `description(in:)` describes it.
public struct MissingEntry: Sendable {
  public let event: Event
  public let reason: ServerComparison.Missing.Reason

  public init(event: Event, reason: ServerComparison.Missing.Reason) {
    self.event = event
    self.reason = reason
  }
}
