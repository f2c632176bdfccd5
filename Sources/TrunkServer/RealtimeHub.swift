import Synchronization

/// Knows who listens to whose events.
final class RealtimeHub: Sendable {
  func publish(_ rows: [EventRow], userID: String) {}
}
