/// The result of recovering a damaged file.
public struct Recovery: Sendable, Equatable {
  /// The new path of the damaged file. It is never deleted.
  public let damagedFile: String
  /// The number of events read from the damaged file.
  public let fromFile: Int
  /// The number of events that only the newest backup had.
  public let fromBackup: Int
  /// The number of places in the damaged file with an event, superseded version or draft that can't be read. Some may
  /// be in the backup.
  public let unreadable: Int
  /// The number of drafts read from the damaged file.
  public let drafts: Int
  /// The maximum number of acknowledged events at the end of the log that are in neither the file nor the backup. The
  /// server may have them.
  public let missing: Int
}
