import SQLiteKit
import TrunkModel

/// What a backup wrote.
public struct BackupResult: Sendable, Equatable {
  public let path: String
  public let eventCount: Int
}

/// A backup that was made and read back at some time.
public struct BackupFile: Sendable, Equatable {
  public let path: String
  /// The local day and second of the day at which it was made, as its name says.
  public let day: Day
  public let second: Int64

  /// Where it is.
  public var folder: String { PrivateFiles.folder(of: path) }
}

extension EventStore {
  /// The backups below `folder`, newest first; none if there is no such folder.
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
  /// Reading and writing the file does not keep other calls waiting.
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

  /// Makes a backup if today has none and the log has changed since the last one. An empty log never pushes out what
  /// older backups hold.
  /// - Returns: `nil` if none was due.
  public nonisolated func backUpIfDue(
    to folder: String, now: Instant, zone: Zone
  ) async throws(StoreError) -> BackupResult? {
    let newest: String?
    let backups = BackupFolder(in: folder)
    do throws(PrivateFiles.Failure) { newest = try backups.names().last } catch {
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
