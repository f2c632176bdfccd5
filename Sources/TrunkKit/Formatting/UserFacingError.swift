import EventStore
import Localization
import PageFormats

/// An error that says in plain words what happened and what the user can do.
public protocol UserFacingError: Error {
  var message: String { get }
}

/// The message for any error. Errors of the system show their description.
public func userMessage(for error: any Error) -> String {
  guard let error = error as? any UserFacingError else {
    return tr("Something went wrong: {reason}.", ["reason": "\(error)"])
  }
  return error.message
}

extension StoreError: UserFacingError {}

extension PageReadError: UserFacingError {}

extension Settings.Unreadable: UserFacingError {
  public var message: String { tr("“{path}” can’t be used: {reason}.", ["path": path, "reason": detail]) }
}
