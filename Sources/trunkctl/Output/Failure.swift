import EventStore
import Localization
import SyncEngine
import TrunkAccount
import TrunkKit
import TrunkModel

/// The exit codes. They are documented in the manual page and never change their meaning.
enum Exit: Int32 {
  case success = 0
  /// A rule of the garden forbids it.
  case notAllowed = 1
  /// The command line can't be understood.
  case usage = 2
  /// The named object doesn't exist, or several match.
  case notFound = 3
  /// The store can't be used, or is damaged.
  case store = 4
  /// A file that was named can't be read, written or understood.
  case file = 5
  /// The server or the keyring can't be used now.
  case network = 6
  /// The server lacks entries that are on this computer, and the user hasn't decided about it.
  case missing = 7
  /// The server rejected entries, and the user hasn't decided about them.
  case rejected = 8

  /// The name in JSON, which never changes either.
  var name: String {
    switch self {
    case .success: "success"
    case .notAllowed: "notAllowed"
    case .usage: "usage"
    case .notFound: "notFound"
    case .store: "store"
    case .file: "file"
    case .network: "network"
    case .missing: "missing"
    case .rejected: "rejected"
    }
  }
}

/// Why a command stops: its exit code and a message for the user.
struct Failure: Error {
  let code: Exit
  let message: String

  init(_ code: Exit, _ message: String) {
    self.code = code
    self.message = message
  }
}

/// The exit code and message after an error.
struct Outcome {
  let code: Exit
  let message: String

  init(_ error: any Error) {
    switch error {
    case let failure as Failure: (code, message) = (failure.code, failure.message)
    case IntentError.unknownSprout, IntentError.unknownSeedling: (code, message) = (.notFound, userMessage(for: error))
    case is IntentError: (code, message) = (.notAllowed, userMessage(for: error))
    case StoreError.missing(_, let copies):
      let restore = copies == nil ? "" : "\n  trunkctl doctor --restore-backup"
      (code, message) = (
        .store,
        userMessage(for: error) + " " + tr("Restore the newest backup, or start with an empty garden:") + restore
          + "\n  trunkctl doctor --start-over"
      )
    case StoreError.absentFolder, StoreError.absentDisk: (code, message) = (.file, userMessage(for: error))
    case is StoreError, is Settings.Unreadable: (code, message) = (.store, userMessage(for: error))
    case is TransferError: (code, message) = (.file, userMessage(for: error))
    case let problem as SyncProblem: (code, message) = (Outcome.code(of: problem), userMessage(for: error))
    case VaultFailure.noCollection:
      (code, message) = (
        .network, userMessage(for: error) + " " + tr("Create one with your desktop’s password manager.")
      )
    case is ServiceFailure, is VaultFailure, is SignInFailure:
      (code, message) = (.network, userMessage(for: error))
    case is AccountError, is ServerSettings.Invalid: (code, message) = (.notAllowed, userMessage(for: error))
    default:
      // The parser also throws help and version as errors, with the exit code for success. All others are usage errors.
      code = Trunkctl.exitCode(for: error) == .success ? .success : .usage
      message = Trunkctl.fullMessage(for: error)
    }
  }

  /// One line, so that programs find it after other messages.
  var json: String {
    Output.line(
      .record(
        (
          "error",
          .record(
            ("exitCode", .number(Int(code.rawValue))), ("kind", .string(code.name)), ("message", .string(message)))
        )))
  }

  private static func code(of problem: SyncProblem) -> Exit {
    switch problem {
    // The garden can be used, but not with this server.
    case .store(.otherServer): .network
    case .store: .store
    default: .network
    }
  }
}
