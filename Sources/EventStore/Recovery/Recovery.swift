/// What became of a damaged file.
public struct Recovery: Sendable, Equatable {
  /// Where the damaged file is now. It is never deleted.
  public let damagedFile: String
  /// Events that could be read from it.
  public let fromFile: Int
  /// Events that only the newest backup had.
  public let fromBackup: Int
  /// Places in the damaged file where an event, a superseded version or a draft should be that could not be read. Some may
  /// be in the backup.
  public let unreadable: Int
  /// Drafts that could be read.
  public let drafts: Int
  /// How many events at most were acknowledged at the end of the log and are neither in the file nor in the backup. The
  /// server may have them.
  public let missing: Int
}
