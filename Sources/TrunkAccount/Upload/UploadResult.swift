import EventStore

/// The result of importing this computer's garden into the account.
public struct UploadResult: Sendable {
  /// The number of events that were new in the account.
  public var count = 0
  /// The number of unfinished texts that the account lacked.
  public var drafts = 0
  /// The number of earlier pages that the account lacked. They stay on this computer.
  public var pages = 0
  /// Events that the account has with another text. The account's text stays; the other is kept as superseded.
  public var conflicts: [EventConflict] = []
}
