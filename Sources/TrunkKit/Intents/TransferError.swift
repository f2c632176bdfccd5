import Glibc
import Localization
import TrunkModel

/// Why an export or import failed. The garden has not changed.
public enum TransferError: UserFacingError, Equatable {
  /// The reason is part of a sentence.
  case unwritable(path: String, reason: String)
  /// `code` is an `errno`.
  case unreadable(path: String, code: Int32)
  /// The file is larger than `GardenModel.largestText`.
  case tooLarge(path: String)
  /// A folder, pipe or device.
  case notAFile(path: String)
  /// A file would be written into one of Trunk's own folders.
  case ownFolder(path: String)
  case notText(path: String)
  /// The file is compressed; `program` can decompress it.
  case compressed(path: String, program: String)
  case notAnExport(path: String, ExportFile.Problem)

  /// The message for the user: what is wrong, and what to do about it.
  public var message: String {
    switch self {
    case .unwritable(let path, let reason):
      tr("“{path}” can’t be written: {reason}.", ["path": path, "reason": reason])
    case .unreadable(let path, let code):
      tr("“{path}” can’t be read: {reason}.", ["path": path, "reason": String(cString: strerror(code))])
    case .tooLarge(let path):
      tr("“{path}” is larger than 1 GiB, the most that Trunk reads from a file. Nothing was changed.", ["path": path])
    case .notAFile(let path): tr("“{path}” is not a file.", ["path": path])
    case .ownFolder(let path):
      tr(
        "“{path}” is where Trunk keeps your garden and its own files. Choose another folder. Nothing was written.",
        ["path": path])
    case .notText(let path): tr("“{path}” is not UTF-8 text.", ["path": path])
    case .compressed(let path, let program):
      tr(
        "“{path}” is compressed. Decompress it first, for example with the command “{program}”.",
        ["path": path, "program": program])
    case .notAnExport(let path, let problem): problem.message(path: path)
    }
  }
}

extension ExportFile.Problem {
  /// The message for the user: what is wrong with the file, and what to do about it.
  public func message(path: String) -> String {
    switch self {
    case .notJSON(let error):
      tr("“{path}” is not JSON: {reason}.", ["path": path, "reason": "\(error)"])
    case .noEvents:
      tr("“{path}” has no list of events. Choose a file that Trunk exported.", ["path": path])
    case .unknownVersion(let version?):
      tr(
        "“{path}” has format version {version}, which this version of Trunk can’t read. Update Trunk and try again.",
        ["path": path, "version": version])
    case .unknownVersion(nil):
      tr("“{path}” has no format version. Choose a file that Trunk exported.", ["path": path])
    case .notAnEvent(let index):
      tr("Item {n} of the events in “{path}” is not an event.", ["path": path, "n": localized(index + 1)])
    case .eventTooLarge(let index, let type, let time, let size):
      tr(
        "Item {n} of the events in “{path}” ({event}) takes {size}. The limit is {limit}. Nothing was imported: remove this event from the file first.",
        [
          "path": path, "n": localized(index + 1),
          "event": [type, time].filter { !$0.isEmpty }.joined(separator: ", "),
          "size": Formats.size(size),
          "limit": Formats.size(ExportFile.largestEvent),
        ])
    }
  }
}
