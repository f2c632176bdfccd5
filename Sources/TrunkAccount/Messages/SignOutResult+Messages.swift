import EventStore
import Localization
import TrunkKit

extension SignOutResult {
  /// Says that the copy has entries which were not compared with the server; `nil` if it has none.
  public var changeMessage: String? {
    guard hasChanged else { return nil }
    return tr(
      "Entries were written during the sign-out. They are in the copy, and the next sign-in offers to restore them.")
  }

  /// Says why the garden is still on this computer; `nil` if it was removed.
  public var removalMessage: String? {
    remains.map {
      tr("This account’s garden could not be removed from this computer: {reason}", ["reason": userMessage(for: $0)])
    }
  }

  /// Says that the session is still open on the server; `nil` if it isn't.
  public var sessionMessage: String? {
    sessionProblem.map {
      tr(
        "The session on the server could not be ended. It expires when it is no longer used. {reason}",
        ["reason": userMessage(for: $0)])
    }
  }

  /// What the user must know besides where the copy is: usually nothing.
  public var messages: [String] {
    var messages = [changeMessage, removalMessage, sessionMessage].compactMap(\.self)
    // That the server couldn't be checked was said before.
    if case .failure(let reason) = copies, reason != .unchecked { messages.append(reason.message) }
    return messages
  }
}
