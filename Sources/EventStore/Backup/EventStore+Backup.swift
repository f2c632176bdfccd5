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
}

extension EventStore {
  /// Writes the whole log as an export file below `folder`/backups, reads it back, and removes older ones that are
  /// neither the newest of one of 7 days, 4 weeks or 12 months, nor the one with the most events of one of the 7 days.
  ///
  /// Reading and writing the file doesn't block other calls.
  /// - Parameter zone: the zone of the time in the file's name.
  public nonisolated func backUp(
    to folder: String, now: Instant, zone: Zone
  ) async throws(StoreError) -> BackupResult {
    let (state, contents) = try await stateForBackup()
    let backups = BackupFolder(in: folder)
    let result: BackupResult
    do throws(any Error) {
      result = try backups.write(contents, now: now, zone: zone)
      try backups.rotate()
    } catch {
      throw StoreError(error, path: path)
    }
    if access == .readWrite { try await set("\(state.text) \(result.path)", for: .lastBackup) }
    return result
  }

  /// Writes a backup if there is none of today and the log has changed since the last one. An empty log is not backed
  /// up, so that it never pushes out older backups.
  /// - Returns: `nil` if no backup was due.
  public nonisolated func backUpIfDue(
    to folder: String, now: Instant, zone: Zone
  ) async throws(StoreError) -> BackupResult? {
    let newest: String?
    let backups = BackupFolder(in: folder)
    // A name in the future comes from a clock that was set back, and says nothing about today.
    let latest = ExportFile.name(at: now, in: zone)
    do throws(PrivateFiles.Failure) { newest = try backups.names().last { !latest.precedesInBytes($0) } } catch {
      throw StoreError(error, path: path)
    }
    if try await count() == 0 { return nil }
    if let newest {
      if BackupFolder.day(of: newest) == zone.local(now).day { return nil }
      let state = try await "\(state().text) \(backups.path)/\(newest)"
      if try await value(.lastBackup) == state { return nil }
    }
    return try await backUp(to: folder, now: now, zone: zone)
  }

  private func stateForBackup() throws(StoreError) -> (state: LogState, contents: ExportFile.Contents) {
    (try state(), try contents())
  }
}
