import CGLib
import Glibc
import SQLiteKit
import TrunkModel

/// What this computer remembers about reminders.
public struct ReminderRecord: Equatable, Sendable {
  /// When it was last decided whether to remind, so that each chosen time of day is considered once.
  public var checked: Instant?
  /// When the last reminder was sent, and what it was about.
  public var sent: Instant?
  public var subject: Reminder.Subject?
  /// When the sun was last mentioned.
  public var sunSent: Instant?
  /// When the last reminder returns, after *Later*.
  public var later: Instant?

  public init() {}
}

/// The file in the state folder that contains the record.
public struct ReminderFile {
  private let path: String
  private static let group = "reminders"

  public init(folder: String = Folders.state) { path = folder + "/reminders.conf" }

  /// - Returns: an empty record if there is no file or it can't be read: a reminder too many does no harm.
  public func load() -> ReminderRecord {
    guard let file = try? KeyFile(path: path) else { return ReminderRecord() }
    func instant(_ key: String) -> Instant? { file[Self.group, key].flatMap { Instant($0) } }
    var record = ReminderRecord()
    (record.checked, record.sent, record.sunSent, record.later) = (
      instant("checked"), instant("sent"), instant("sun-sent"), instant("later")
    )
    record.subject = file[Self.group, "subject"].flatMap { Reminder.Subject(text: $0) }
    return record
  }

  /// Changes the record while no other program can: two windows in two sessions must not send the same reminder.
  /// - Throws: `Settings.Unreadable` if the record can't be written.
  public func change<Value>(_ body: (inout ReminderRecord) -> Value) throws -> Value {
    let folder = PrivateFiles.folder(of: path)
    do { try PrivateFiles.makeFolder(folder) } catch { throw unwritable(error.systemError) }
    let descriptor = PrivateFiles.openOrCreate(path + ".lock", O_RDWR)
    guard descriptor >= 0 else { throw unwritable(errno) }
    defer { close(descriptor) }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { throw unwritable(errno) }
    }
    var record = load()
    let before = record
    let value = body(&record)
    if record != before { try save(record) }
    return value
  }

  private func save(_ record: ReminderRecord) throws {
    let file = KeyFile()
    for (key, instant) in [
      ("checked", record.checked), ("sent", record.sent), ("sun-sent", record.sunSent), ("later", record.later),
    ] { file[Self.group, key] = instant?.description }
    file[Self.group, "subject"] = record.subject?.text
    try file.save(to: path, isDurable: true)
  }

  private func unwritable(_ systemError: Int32) -> Settings.Unreadable {
    Settings.Unreadable(path: path, detail: String(cString: strerror(systemError)))
  }
}

extension Reminder.Subject {
  fileprivate var text: String {
    switch self {
    case .water(let id): "water " + id
    case .harvest(let id): "harvest " + id
    case .sun: "sun"
    }
  }

  fileprivate init?(text: String) {
    let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
    switch (parts.first, parts.count) {
    case ("water", 2): self = .water(parts[1])
    case ("harvest", 2): self = .harvest(parts[1])
    case ("sun", 1): self = .sun
    default: return nil
    }
  }
}
