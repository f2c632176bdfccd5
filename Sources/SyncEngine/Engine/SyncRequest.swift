import EventStore

/// What a sync is asked to do, besides sending the outbox.
public enum SyncRequest: Sendable, Equatable {
  /// Fetch new rows. The program asks, not the user: after a failure, the status shows the sync only once the server
  /// has answered.
  case automatic
  /// Fetch new rows, because the user asked for it.
  case newRows
  /// Fetch all rows again, because the user asked for it.
  case allRows
  /// Fetch all rows and carry out the user's decision about the recorded remote loss. Without a recorded loss, this is
  /// the same as `newRows`.
  case decision(RemoteLoss.Decision)
}
