import EventStore

/// What a sync is asked to do, besides sending the outbox.
public enum SyncRequest: Sendable, Equatable {
  /// Fetch new rows; not user-initiated. After a failure, the status shows this sync only once the server has answered.
  case automatic
  /// Fetch new rows: user-initiated.
  case newRows
  /// Fetch all rows again: user-initiated.
  case allRows
  /// Fetch all rows and carry out the user's decision about the recorded remote loss. Without a recorded loss, this is
  /// the same as `newRows`.
  case decision(RemoteLoss.Decision)
}
