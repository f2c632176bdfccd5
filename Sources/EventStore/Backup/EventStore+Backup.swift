import SQLiteKit
import TrunkModel

/// The result of writing a backup.
public struct BackupResult: Sendable, Equatable {
  public let path: String
  public let eventCount: Int
}

/// A finished backup, which was read back when it was written.
public struct BackupFile: Sendable, Equatable {
  public let path: String
  /// The local day, and the second of that day, at which the backup was written, from its name.
  public let day: Day
  public let second: Int64

  /// The folder that contains it.
  public var folder: String { PrivateFiles.folder(of: path) }
}

extension EventStore {
  /// Returns the backups below `folder`, newest first; none if there is no such folder.
  public nonisolated static func backups(in folder: String) throws(StoreError) -> [BackupFile] {
    let backups = BackupFolder(in: folder)
    do throws(PrivateFiles.Failure) {
      return try backups.names().reversed().compactMap { name in
        guard let day = BackupFolder.day(of: name), let second = BackupFolder.second(of: name) else { return nil }
        return BackupFile(path: backups.path + "/" + name, day: day, second: second)
      }
    } catch {
      throw StoreError(error, path: backups.path)
    }
  }

  /// Checks that backups can be written below `folder` and read back.
  public nonisolated static func checkBackupFolder(_ folder: String) throws(StoreError) {
    let backups = BackupFolder(in: folder)
    do { try backups.check() } catch { throw StoreError(error, path: backups.path) }
  }

  /// The size in bytes above which a backup has entries. An empty one has about 100.
  private static let emptyBackupSize: Int64 = 1024

  /// Whether a backup below `folder` has an entry, or can't be read and may have one.
  public nonisolated static func hasBackedUpEntries(in folder: String) throws(StoreError) -> Bool {
    try backups(in: folder).contains { backup in
      // One that can't be read counts, or damage would hide the entries in it.
      guard PrivateFiles.size(of: backup.path) <= emptyBackupSize,
        let contents = BackupFolder.contents(of: backup.path)
      else { return true }
      return !contents.isEmpty
    }
  }
}

extension EventStore {
  /// Writes the whole log as an export file below `folder`/backups, reads it back, and removes old backups. See
  /// `BackupFolder.rotate` for the backups that stay.
  ///
  /// Reading and writing the file doesn't block other calls.
  /// - Parameter zone: the zone of the time in the file's name.
  /// - Throws: `absentFolder` or `absentDisk` if the disk of a second folder is not connected.
  public nonisolated func backUp(
    to folder: String, now: Instant, zone: Zone
  ) async throws(StoreError) -> BackupResult {
    let backups = BackupFolder(in: folder)
    try await checkIsPresent(backups, in: folder)
    let (state, contents) = try await stateForBackup()
    let result: BackupResult
    do throws(any Error) {
      result = try backups.write(contents, now: now, zone: zone)
      let name = PrivateFiles.name(of: result.path)
      let own = try await record(name, in: backups)
      try backups.rotate(own, keeping: name, today: zone.local(now).day)
    } catch {
      throw StoreError(error, path: path)
    }
    if access == .readWrite {
      try await change(.lastBackup) { text in
        var last = BackupRecord(text: text)
        last[backups.path] = [state.text, PrivateFiles.name(of: result.path)]
        return last.text
      }
      try await recordDisk(of: backups, in: folder)
    }
    return result
  }

  /// Writes a backup if there is none of today and the log has changed since the last one. An empty log is not backed
  /// up, so that it never pushes out older backups. A garden that can't be written has no backups in a second folder,
  /// because they couldn't be recorded and would never be removed.
  /// - Returns: `nil` if no backup was due.
  public nonisolated func backUpIfDue(
    to folder: String, now: Instant, zone: Zone
  ) async throws(StoreError) -> BackupResult? {
    let newest: String?
    let backups = BackupFolder(in: folder)
    guard access == .readWrite || isOwn(backups) else { return nil }
    let today = zone.local(now).day
    do throws(any Error) {
      // A later day comes from a clock that was set back, and says nothing about today.
      newest = try await ownNames(in: backups).last { BackupFolder.day(of: $0).map { $0 <= today } ?? false }
    } catch {
      throw StoreError(error, path: path)
    }
    if try await count() == 0, try await journals().isEmpty { return nil }
    if let newest {
      if BackupFolder.day(of: newest) == today { return nil }
      if try await BackupRecord(text: value(.lastBackup))[backups.path] == [state().text, newest] { return nil }
    }
    return try await backUp(to: folder, now: now, zone: zone)
  }

  /// Returns the names of this garden's backups in a folder, oldest first. Several gardens can share a second folder,
  /// and the names don't tell them apart: there, only recorded backups are this garden's.
  private nonisolated func ownNames(in backups: BackupFolder) async throws -> [String] {
    let names = try backups.names()
    if isOwn(backups) { return names }
    let recorded = Set(BackupRecord(text: try await value(.backups))[backups.path])
    return names.filter(recorded.contains)
  }

  /// Records a new backup.
  /// - Returns: the names of this garden's backups in that folder.
  private nonisolated func record(_ name: String, in backups: BackupFolder) async throws -> [String] {
    let own = try await ownNames(in: backups)
    guard !isOwn(backups), access == .readWrite else { return own }
    let names = own.contains(name) ? own : own + [name]
    try await change(.backups) { text in
      var record = BackupRecord(text: text)
      record[backups.path] = names
      return record.text
    }
    return names
  }

  /// Checks that the disk of a second folder is connected. Otherwise the backup would be written to another disk, often
  /// that of the garden, into the folder where the missing one is usually mounted.
  ///
  /// A folder with an earlier backup is the right one, wherever its disk is mounted now.
  private nonisolated func checkIsPresent(_ backups: BackupFolder, in folder: String) async throws(StoreError) {
    if isOwn(backups) { return }
    let disk = BackupRecord(text: try await value(.backupDisks))[backups.path].first
    let earlier = BackupRecord(text: try await value(.backups))[backups.path]
    guard let present = PrivateFiles.mountPoint(of: folder) else {
      let hasParent = PrivateFiles.exists(PrivateFiles.folder(of: PrivateFiles.absolute(folder)))
      if earlier.isEmpty, disk == nil, hasParent { return }
      throw .absentFolder(path: folder)
    }
    if let disk, disk != present, !earlier.contains(where: { PrivateFiles.exists(backups.path + "/" + $0) }) {
      throw .absentDisk(path: folder)
    }
  }

  private nonisolated func recordDisk(of backups: BackupFolder, in folder: String) async throws(StoreError) {
    guard !isOwn(backups), let disk = PrivateFiles.mountPoint(of: folder) else { return }
    try await change(.backupDisks) { text in
      var disks = BackupRecord(text: text)
      disks[backups.path] = [disk]
      return disks.text
    }
  }

  /// Whether this is the garden's own folder of backups, even if its path is written differently.
  private nonisolated func isOwn(_ backups: BackupFolder) -> Bool {
    let own = BackupFolder(in: folder).path
    // Before the first backup, there is no such folder.
    return backups.path == own || PrivateFiles.isSameFile(backups.path, own)
  }

  private func stateForBackup() throws(StoreError) -> (state: LogState, contents: ExportFile.Contents) {
    (try state(), try contents())
  }
}
