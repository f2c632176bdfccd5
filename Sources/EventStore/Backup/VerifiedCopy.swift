import Glibc
import SQLiteKit
import TrunkModel

/// A complete copy of a garden, which was read back from the disk and compared with the original.
public struct VerifiedCopy: Sendable, Hashable {
  /// The folder of the copy; the file in it is `garden.db`.
  public let folder: String

  public init(folder: String) { self.folder = folder }

  /// The copy itself, one SQLite file.
  public var path: String { GardenFile.path(in: folder) }

  /// When the copy was made, from the name of its folder: `YYYYMMDD-HHmmss` in UTC. Later copies sort later, even if
  /// the clock was set back in between.
  public var name: String { folder.split(separator: "/").last.map(String.init) ?? "" }

  /// The time in the name; `nil` if the user has renamed the folder.
  public var made: Instant? { VerifiedCopy.instant(of: name) }

  static func name(at instant: Instant) -> String {
    String(ExportFile.stem(at: instant, in: .utc).dropFirst("trunk-".count))
  }

  static func instant(of name: String) -> Instant? {
    let file = "trunk-\(name).json"
    guard let day = BackupFolder.day(of: file), let second = BackupFolder.second(of: file) else { return nil }
    return Instant(milliseconds: (Int64(day.number) * 86_400 + second) * 1000)
  }

  /// Removes the files of the copy, and its folder if nothing else is in it.
  /// - Returns: the `errno` if the copy itself couldn't be removed; `nil` if it is gone.
  @discardableResult
  public func remove() -> Int32? {
    let failure = unlink(path) != 0 && errno != ENOENT ? errno : nil
    for suffix in ["-journal", "-wal", "-shm"] { unlink(path + suffix) }
    rmdir(folder)
    return failure
  }
}

extension EventStore {
  /// The maximum number of attempts, if other programs write to the garden during the copy.
  private static let copyAttempts = 5

  /// Copies everything into a new folder below `folder`: events with their upload states, drafts, superseded events and
  /// the sync state.
  /// - Throws: `diskFull`, `notWritable` and the like if the copy can't be written. `copyNotVerified` if it differs
  ///   when it is read back. `busy` if other programs wrote to the garden during each attempt.
  public func writeCopy(below folder: String, at now: Instant) throws(StoreError) -> VerifiedCopy {
    do {
      try EventStore.makeFolder(folder)
      try EventStore.removeUnfinishedCopies(below: folder)
      let (copy, unfinished) = try newCopy(below: folder, at: now)
      do {
        try fill(unfinished.copy)
        try PrivateFiles.rename(unfinished.copy.folder, to: copy.folder)
        try PrivateFiles.sync(folder: folder)
      } catch {
        unfinished.remove()
        throw error
      }
      return copy
    } catch let error as DatabaseError where error.isDamage {
      throw failure(error)
    } catch {
      throw StoreError(error, path: folder)
    }
  }

  /// Finished copies in `folder`, newest first. Anything else there is ignored.
  public nonisolated static func copies(below folder: String) throws(StoreError) -> [VerifiedCopy] {
    do throws(PrivateFiles.Failure) {
      return try PrivateFiles.names(in: folder).reversed().filter { !$0.hasSuffix(UnfinishedCopy.suffix) }
        .map { VerifiedCopy(folder: folder + "/" + $0) }
        // Opening a pipe in place of a copy would wait forever.
        .filter { PrivateFiles.isFolder($0.folder) && PrivateFiles.isFile($0.path) }
    } catch {
      throw StoreError(error, path: folder)
    }
  }

  /// The accounts that have a folder for copies in `folder`; none if it is missing. Files and links are ignored: see
  /// `checkCopies`.
  public nonisolated static func accountsWithCopies(in folder: String) throws(StoreError) -> [String] {
    do throws(PrivateFiles.Failure) {
      return try PrivateFiles.names(in: folder).filter { PrivateFiles.isFolder(folder + "/" + $0) }
    } catch {
      throw StoreError(error, path: folder)
    }
  }

  /// - Throws: `linkedFolder` if the folder of an account's copies is a link, where nothing is read or written.
  public nonisolated static func checkCopies(below folder: String) throws(StoreError) {
    if PrivateFiles.isLink(folder) { throw .linkedFolder(path: folder) }
  }

  /// Removes copies that were being written when their program ended.
  static func removeUnfinishedCopies(below folder: String) throws(PrivateFiles.Failure) {
    for name in try PrivateFiles.names(in: folder) where name.hasSuffix(UnfinishedCopy.suffix) {
      UnfinishedCopy.removeAbandoned(folder + "/" + name)
    }
  }
}

extension EventStore {
  private func fill(_ copy: VerifiedCopy) throws {
    let descriptor = PrivateFiles.create(copy.path, O_RDWR)
    guard descriptor >= 0 else { throw PrivateFiles.Failure(path: copy.path, systemError: errno) }
    defer { close(descriptor) }
    for _ in 0..<EventStore.copyAttempts {
      guard ftruncate(descriptor, 0) == 0 else { throw PrivateFiles.Failure(path: copy.path, systemError: errno) }
      try database.execute("VACUUM INTO ?", .text(copy.path))
      guard fsync(descriptor) == 0 else { throw PrivateFiles.Failure(path: copy.path, systemError: errno) }
      try PrivateFiles.sync(folder: copy.folder)
      // Makes the comparison read from the disk.
      posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
      guard let written = try EventStore.readBack(copy) else { throw StoreError.copyNotVerified(path: copy.path) }
      // They differ if another program has written since the copy began.
      if try written == database.snapshot({ try ContentDigest(database) }) { return }
    }
    throw StoreError.busy
  }

  /// - Returns: `nil` if the copy isn't what was written. The garden itself may be sound.
  static func readBack(_ copy: VerifiedCopy) throws(StoreError) -> ContentDigest? {
    do throws(StoreError) {
      let reader = try CopyReader(copy)
      return try reader.isSound() ? try reader.contentDigest() : nil
    } catch .damagedCopy {
      return nil
    }
  }

  /// Creates the folder of a new copy, named after the current time. The name sorts after all existing copies and after
  /// all that the user has decided about or restored.
  private func newCopy(below folder: String, at now: Instant) throws -> (copy: VerifiedCopy, unfinished: UnfinishedCopy)
  {
    let known = try database.snapshot {
      let meta = MetaTable(database: database)
      let answered = try meta.value(.restoreAnswered)
      return try RestoredCopies(meta.value(.draftsRestored)).names.union([answered].compactMap(\.self))
    }
    let names = try EventStore.copies(below: folder).map(\.name) + known
    let newest = names.compactMap(VerifiedCopy.instant).max()
    var second = newest.map { max(now, $0.adding(seconds: 1)) } ?? now
    while true {
      let copy = folder + "/" + VerifiedCopy.name(at: second)
      if let unfinished = try UnfinishedCopy.make(copy + UnfinishedCopy.suffix) {
        // While this program has the unfinished copy, no other program can finish a copy of this name.
        if !PrivateFiles.exists(copy) { return (VerifiedCopy(folder: copy), unfinished) }
        unfinished.remove()
      }
      second = second.adding(seconds: 1)
    }
  }

  /// Creates a folder and its parent. Throws if one is a link: a planted link must not redirect the copy.
  private static func makeFolder(_ folder: String) throws {
    for path in [PrivateFiles.folder(of: folder), folder] {
      try checkCopies(below: path)
      try PrivateFiles.makeFolder(path)
      let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard descriptor >= 0 else { throw PrivateFiles.Failure(path: path, systemError: errno) }
      close(descriptor)
    }
  }
}
