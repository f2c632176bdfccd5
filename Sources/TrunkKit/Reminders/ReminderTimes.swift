import Glibc
import SQLiteKit

/// The file with which the user's systemd starts the timer at one more time of day than the installed unit does.
public struct ReminderTimes {
  private let folder: String

  /// - Parameter folder: of the user's units.
  public init(folder: String = Folders.units) { self.folder = folder + "/trunk-reminder.timer.d" }

  private var path: String { folder + "/time.conf" }

  /// Writes the file, or removes it.
  /// - Parameter minute: since midnight; `nil` for no time besides those of the unit.
  /// - Returns: whether it has changed. systemd has to read its units again then.
  /// - Throws: `TransferError` if it can't be written.
  public func set(_ minute: Int?) throws -> Bool {
    // A file that can't be read is replaced like one with another time; an error of writing reaches the caller.
    let known = try? GardenModel.readText(path, onlyFiles: true)
    let text = minute.map { "[Timer]\nOnCalendar=*-*-* \(ReminderSettings.text(minute: $0))\n" }
    if text == known, text != nil || PrivateFiles.isMissing(path) { return false }
    guard let text else {
      guard unlink(path) == 0 || errno == ENOENT else {
        throw TransferError.unwritable(path: path, reason: String(cString: strerror(errno)))
      }
      return true
    }
    do {
      try PrivateFiles.makeFolder(folder)
      try PrivateFiles.replace(path, with: Array(text.utf8), isDurable: true)
    } catch { throw TransferError.unwritable(path: error.path, reason: error.reason) }
    return true
  }
}
