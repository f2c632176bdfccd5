import TrunkModel

/// The upload state of the log, in numbers.
public struct SyncFigures: Sendable, Equatable {
  /// The number of events that the server has not acknowledged, including those in their undo window.
  public var pending = 0
  /// The number of pending events in their undo window.
  public var undoable = 0
  /// The number of pending events that may be sent now.
  public var sendable = 0
  /// The number of rejected events that the user hasn't decided about.
  public var rejected = 0
  /// The number of rejected events that the user keeps on this computer only.
  public var localOnly = 0
  /// The remote loss that the user hasn't decided about; `nil` if there is none.
  public var remoteLoss: RemoteLoss?
  /// When a sync last compared this garden with the server, by this computer's clock; `nil` if none has.
  public var lastCheck: Instant?
  /// The server's `created_at` of the newest confirmed event. The text sorts chronologically, because one server always
  /// uses the same format.
  public var latest: String?
  /// When the first undo window ends, so that its event may be sent.
  public var nextUndoWindowEnd: Instant?

  public init() {}
}
