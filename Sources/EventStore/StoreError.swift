import CSQLite
import Glibc
import Localization
import SQLiteKit
import TrunkModel

/// Why a store operation failed. The data on disk is unchanged.
public enum StoreError: Error, Sendable, Equatable {
  /// Another program held the lock for longer than the store waits.
  case busy
  /// Another program has written to the log since the garden was read, so that the rules must be checked again. Nothing
  /// was stored.
  case changed
  /// The disk is full, or a quota or the limit of file sizes is reached.
  case diskFull
  /// A file or folder can't be written. `path` says which.
  case notWritable(path: String)
  /// The file comes from a newer version of this program. It can be read but not changed.
  case newerVersion
  /// The file is missing, and its folder shows that it existed. `copies` is the folder with copies of it, usually
  /// backups; `nil` if there are none.
  case missing(path: String, copies: String?)
  /// The file is missing, and no backup beside it can be read.
  case nothingToRestore(folder: String)
  /// The file was moved, deleted or replaced while it was open, so that what is written to it would be lost.
  case moved(path: String)
  /// The file is damaged. Opening it again checks it and saves what can be read.
  case damaged(path: String)
  /// The file to merge is the open garden's own.
  case ownFile(path: String)
  /// The file is a database of another program. It is unchanged.
  case notAGarden(path: String)
  /// A copy that was kept at a sign-out is damaged, or isn't a copy. The file is unchanged.
  case damagedCopy(path: String)
  /// The file is damaged, and another program has it open, so it can't be set aside.
  case damagedAndInUse(path: String)
  /// The path of the folder is a file.
  case notAFolder(path: String)
  /// The folder for copies is a link, which might lead to a folder of someone else.
  case linkedFolder(path: String)
  /// The undo window of at least one event has ended. No event was undone.
  case undoWindowOver(clientID: String)
  /// A copy of the garden differed from the garden when it was read back, so nothing was removed.
  case copyNotVerified(path: String)
  /// The log belongs to the server at this address, but another one was given. Nothing was sent or fetched.
  case otherServer(address: String)
  /// The log belongs to another account: its file was copied into this account's folder. Nothing was sent or fetched.
  case otherAccount(path: String)
  /// The garden was cleared at a sign-out after it was read, or while rows were being fetched. Nothing was stored.
  case cleared
  /// The record of a remote loss can't be read, so there may be a loss. A full download replaces the record.
  case unreadableLoss
  /// A backup differed from what was written when it was read back, and was discarded.
  case backupNotVerified(path: String)
  /// The folder for backups doesn't exist, and neither does the one above it, or it had backups. Its disk is probably
  /// not connected.
  case absentFolder(path: String)
  /// The folder for backups exists, but is not on the disk that has the earlier ones.
  case absentDisk(path: String)
  /// Any other failure of the system; `code` is an `errno`.
  case system(path: String, code: Int32)
  /// Any other failure of the database.
  case database(DatabaseError)
}

extension StoreError {
  /// What happened and what to do, in plain words and in the user's language.
  public var message: String {
    switch self {
    case .busy, .changed: tr("Another program is using your garden. Try again in a moment.")
    case .diskFull: tr("The disk is full. Nothing was lost. Free some space and try again.")
    case .notWritable(let path): tr("“{path}” can’t be written. Check its permissions.", ["path": path])
    case .newerVersion:
      tr("This garden was written by a newer version of Trunk. You can read it. To write, update Trunk.")
    case .missing(let path, let copies?):
      tr(
        "Your garden’s file “{path}” is missing. There are copies in “{folder}”. Nothing was changed.",
        ["path": path, "folder": copies])
    case .missing(let path, nil):
      tr("Your garden’s file “{path}” is missing. Nothing was changed.", ["path": path])
    case .nothingToRestore(let folder):
      tr("No backup in “{folder}” can be read. Nothing was changed.", ["folder": folder])
    case .moved(let path):
      tr(
        "“{path}” was moved, deleted or replaced while Trunk was using it. Nothing was saved. Move it back, or restart Trunk.",
        ["path": path])
    case .damaged(let path):
      tr(
        "“{path}” is damaged. Restart Trunk: it keeps the damaged file and recovers what can be read.",
        ["path": path])
    case .ownFile(let path): tr("“{path}” is the file of your garden itself. Nothing was changed.", ["path": path])
    case .notAGarden(let path):
      tr(
        "“{path}” is not a garden but a file of another program. Nothing was changed. Move it to another folder and try again.",
        ["path": path])
    case .damagedCopy(let path): tr("The copy “{path}” is damaged. It was not changed.", ["path": path])
    case .damagedAndInUse(let path):
      tr("“{path}” is damaged, and another program is using it. Close that program and try again.", ["path": path])
    case .notAFolder(let path): tr("“{path}” should be a folder, but is a file.", ["path": path])
    case .linkedFolder(let path):
      tr(
        "“{path}” is a link. Trunk keeps copies only in a folder: replace the link with the folder that it leads to.",
        ["path": path])
    case .undoWindowOver: tr("This can’t be undone any more.")
    case .copyNotVerified(let path):
      tr("The copy “{path}” could not be read back correctly. Nothing was removed.", ["path": path])
    case .otherServer(let address):
      tr(
        "This account’s garden on this computer belongs to {server}. Nothing was changed. If that server has a new address, sign in again and confirm that it has moved.",
        ["server": address])
    case .otherAccount(let path):
      tr(
        "“{path}” belongs to another account. Nothing was sent, fetched or changed. Move it back to the folder from which it was copied.",
        ["path": path])
    case .unreadableLoss:
      tr(
        "Trunk can’t read its record of entries that the server has lost. Nothing was removed here. To compare this garden with the server, use Download Everything Again in the sync details, or “trunkctl sync --full”."
      )
    case .cleared: tr("This account was signed out, and its garden is no longer on this computer. Nothing was saved.")
    case .backupNotVerified(let path):
      tr("The backup “{path}” could not be read back correctly and was discarded.", ["path": path])
    case .absentFolder(let path):
      tr(
        "The folder “{path}” does not exist. No backup was written there. Connect its disk, or choose another folder.",
        ["path": path])
    case .absentDisk(let path):
      tr(
        "The disk with the earlier backups in “{path}” is not connected. No backup was written there. Connect it, or choose another folder.",
        ["path": path])
    case .system(let path, let code):
      tr("“{path}” can’t be used: {reason}.", ["path": path, "reason": String(cString: strerror(code))])
    case .database(let error): tr("The garden could not be used: {reason}.", ["reason": error.message])
    }
  }
}

extension StoreError: CustomStringConvertible {
  /// The error for logs: with more detail, in English, without journal text.
  public var description: String {
    switch self {
    case .busy: "busy"
    case .changed: "changed"
    case .diskFull: "disk full"
    case .notWritable(let path): "not writable: \(path)"
    case .newerVersion: "newer schema version"
    case .missing(let path, _): "missing: \(path)"
    case .nothingToRestore(let folder): "nothing to restore in \(folder)"
    case .moved(let path): "moved: \(path)"
    case .damaged(let path): "damaged: \(path)"
    case .ownFile(let path): "own file: \(path)"
    case .notAGarden(let path): "not a garden: \(path)"
    case .damagedCopy(let path): "damaged copy: \(path)"
    case .damagedAndInUse(let path): "damaged and in use: \(path)"
    case .notAFolder(let path): "not a folder: \(path)"
    case .linkedFolder(let path): "a link: \(path)"
    case .undoWindowOver(let clientID): "undo window over: \(clientID)"
    case .copyNotVerified(let path): "copy not verified: \(path)"
    case .otherServer(let address): "belongs to \(address)"
    case .otherAccount(let path): "belongs to another account: \(path)"
    case .unreadableLoss: "the record of the remote loss can't be read"
    case .cleared: "cleared by a sign-out"
    case .backupNotVerified(let path): "backup not verified: \(path)"
    case .absentFolder(let path): "no folder for backups: \(path)"
    case .absentDisk(let path): "another disk than before: \(path)"
    case .system(let path, let code): "errno \(code): \(path)"
    case .database(let error): error.description
    }
  }
}

extension StoreError {
  /// - Parameter path: the database file that was in use.
  init(_ error: any Error, path: String) {
    switch error {
    case let error as StoreError: self = error
    case let error as DatabaseError: self.init(error, path: path)
    case let error as PrivateFiles.Failure: self.init(systemError: error.systemError, path: error.path)
    // Every text in the log was a valid event when it was written, so it must have been damaged since.
    case is JSONError: self = .damaged(path: path)
    default: self = .system(path: path, code: EIO)
    }
  }

  init(systemError code: Int32, path: String) {
    switch code {
    case ENOSPC, EDQUOT, EFBIG: self = .diskFull
    case EACCES, EPERM, EROFS: self = .notWritable(path: path)
    case ENOTDIR: self = .notAFolder(path: path)
    default: self = .system(path: path, code: code)
    }
  }

  private init(_ error: DatabaseError, path: String) {
    switch error.code {
    case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
    case SQLITE_FULL: self = .diskFull
    case SQLITE_CORRUPT, SQLITE_NOTADB: self = .damaged(path: path)
    case SQLITE_READONLY, SQLITE_PERM: self = .notWritable(path: path)
    case SQLITE_IOERR, SQLITE_CANTOPEN:
      switch error.systemError {
      case ENOSPC, EDQUOT, EFBIG, EACCES, EPERM, EROFS, ENOTDIR, EISDIR, ELOOP:
        self.init(systemError: error.systemError, path: path)
      default: self = .database(error)
      }
    default: self = .database(error)
    }
  }
}
