import Garden
import Glibc
import Storage

/// What a backup wrote.
public struct BackupResult: Sendable, Equatable {
  public let path: String
  public let eventCount: Int
}

/// Writes export files that were read back before they got their name, and keeps a number of them.
struct BackupFolder {
  /// The folder of the files themselves.
  let path: String

  init(in folder: String) { path = folder + "/backups" }

  /// The names of all backups, oldest first.
  func names() throws(PrivateFiles.Failure) -> [String] {
    try PrivateFiles.names(in: path).filter { BackupFolder.day(of: $0) != nil }
  }

  /// Writes a new backup.
  func write(_ events: [Event], now: Instant, zone: Zone) throws -> BackupResult {
    try PrivateFiles.makeFolder(path)
    let target = path + "/" + ExportFile.name(at: now, in: zone)
    let temporary = target + ".part"
    let text = ExportFile.encode(events, exportedAt: now)
    do {
      try PrivateFiles.write(text, to: temporary)
      try verify(temporary, text, events)
      try PrivateFiles.rename(temporary, to: target)
      try PrivateFiles.sync(folder: path)
    } catch {
      unlink(temporary)
      throw error
    }
    return BackupResult(path: target, eventCount: events.count)
  }

  /// Removes the backups that are in none of the places: the newest of each of 7 days, 4 weeks and 12 months.
  func rotate() throws {
    let names = try names()
    let kept = BackupFolder.kept(names)
    for name in names where !kept.contains(name) {
      guard unlink(path + "/" + name) == 0 else {
        throw PrivateFiles.Failure(path: path + "/" + name, systemError: errno)
      }
    }
  }

  /// The events of the newest backup that can be read; `nil` if there is none.
  func newest() throws(PrivateFiles.Failure) -> (name: String, events: [Event])? {
    for name in try names().reversed() {
      // One that can't be read is no reason not to use the one before it.
      if let bytes = try? PrivateFiles.read(path + "/" + name),
        let events = try? ExportFile.decode(String(decoding: bytes, as: UTF8.self))
      {
        return (name, events)
      }
    }
    return nil
  }

  /// Days, weeks and months count only where there is a backup.
  static func kept(_ names: [String]) -> Set<String> {
    var kept: Set<String> = []
    for (number, period) in [(7, \Day.number), (4, \Day.monday.number), (12, \Day.monthNumber)] {
      var seen: Set<Int32> = []
      for name in names.sorted(by: { $1.precedesInBytes($0) }) {
        guard let day = day(of: name), seen.count < number || seen.contains(day[keyPath: period]) else { continue }
        if seen.insert(day[keyPath: period]).inserted { kept.insert(name) }
      }
    }
    return kept
  }

  /// The day in a name of the form `trunk-YYYYMMDD-HHmmss.json`; `nil` for every other name.
  static func day(of name: String) -> Day? {
    let bytes = Array(name.utf8)
    func number(_ range: Range<Int>) -> Int32? {
      bytes[range].allSatisfy { (0x30...0x39).contains($0) }
        ? Int32(String(decoding: bytes[range], as: UTF8.self)) : nil
    }
    guard bytes.count == 26, name.hasPrefix("trunk-"), name.hasSuffix(".json"), bytes[14] == UInt8(ascii: "-"),
      number(15..<21) != nil, let year = number(6..<10), let month = number(10..<12), let day = number(12..<14)
    else { return nil }
    return Day(year: year, month: month, day: day)
  }
}

extension BackupFolder {
  private func verify(_ file: String, _ text: String, _ events: [Event]) throws {
    let written = try PrivateFiles.read(file, uncached: true)
    guard written.elementsEqual(text.utf8), let read = try? ExportFile.decode(text), read.count == events.count,
      read.map(\.canonicalText).sorted() == events.map(\.canonicalText).sorted()
    else { throw StoreError.backupNotVerified(path: file) }
  }
}

extension Day {
  fileprivate var monthNumber: Int32 { year * 12 + month }
}
