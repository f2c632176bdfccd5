import TrunkModel

/// The upload state of an event that the server has not acknowledged, for display.
public struct OutboxItem: Sendable, Equatable {
  public enum State: Sendable, Equatable, CaseIterable {
    /// It is sent as soon as possible.
    case pending
    /// The server rejected it, and the user hasn't decided what to do.
    case rejected
    /// The server rejected it, and the user wants to keep it on this computer only.
    case localOnly
  }

  public let seq: Int64
  public let type: String
  public let instant: Instant?
  /// Length of its text, in bytes.
  public let size: Int
  /// The number of failed attempts.
  public let attempts: Int
  /// The result of the last attempt: a code, and sometimes a colon and the server's message, which may quote the event.
  public let lastAnswer: String?
  public let state: State

  /// The code of `lastAnswer`, which never quotes the event.
  public var lastCode: String? { lastAnswer.map { String($0.prefix { $0 != ":" }) } }
}
