import TrunkModel

/// The upload state of an event. The raw value is stored in `events.upload`.
public enum UploadState: Int64, Sendable {
  /// Not acknowledged by the server yet.
  case pending = 0
  case confirmed = 1
  /// Rejected by the server because of its content. It is kept, and sent again only if the user asks for it.
  case rejected = 2
}

/// The upload state and the server's columns of an event.
struct UploadRecord: Equatable {
  var state = UploadState.pending
  var serverID: String?
  var serverCreatedAt: String?
  /// The end of the undo window, before which the event is not sent; `events.held_until` stores it.
  var undoableUntil: Instant?

  /// Whether the server has this text in a row whose ID is known.
  var isFromServer: Bool { state == .confirmed && serverID != nil }
}
