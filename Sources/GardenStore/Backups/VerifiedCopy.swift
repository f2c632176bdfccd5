import Garden
import Glibc
import Storage

/// A complete copy of a garden, which was read back from the disk and compared with the original.
public struct VerifiedCopy: Sendable, Equatable {
  /// The folder of the copy; the file in it is `garden.db`.
  public let folder: String

  /// The copy itself, one SQLite file.
  public var path: String { Opening.path(in: folder) }

  /// When the copy was made, as its folder says: `YYYYMMDD-HHmmss` in UTC. Later ones sort later.
  public var name: String { folder.split(separator: "/").last.map(String.init) ?? "" }
}

extension GardenStore {
  /// The end of the name of a copy that is being written.
  private static let unfinished = ".part"
  /// How often a copy is begun again because another program wrote to the garden.
  private static let copyAttempts = 5

  /// Copies everything into a new folder below `folder`: events with their upload states, drafts, superseded events, and
  /// what is known of the server.
  /// - Throws: `diskFull`, `notWritable` and the like; then there is no copy. `copyNotVerified` if it reads differently.
  public func writeCopy(below folder: String, at now: Instant) throws(StoreError) -> VerifiedCopy {
    do {
      try PrivateFiles.makeFolder(folder)
      try GardenStore.refuseLinks(folder)
      try GardenStore.removeUnfinishedCopies(in: folder)
      let (copy, draft) = try GardenStore.newCopy(in: folder, at: now)
      do {
        try fill(draft)
        try PrivateFiles.rename(draft.folder, to: copy.folder)
        try PrivateFiles.sync(folder: folder)
      } catch {
        GardenStore.remove(draft)
        throw error
      }
      return copy
    } catch let error as DatabaseError where error.isDamage {
      throw failure(error)
    } catch {
      throw StoreError(error, path: folder)
    }
  }

  /// Finished copies in `folder`, newest first.
  public nonisolated static func copies(below folder: String) throws(StoreError) -> [VerifiedCopy] {
    do throws(PrivateFiles.Failure) {
      return try PrivateFiles.names(in: folder).reversed().filter { !$0.hasSuffix(unfinished) }
        .map { VerifiedCopy(folder: folder + "/" + $0) }.filter { PrivateFiles.exists($0.path) }
    } catch {
      throw StoreError(error, path: folder)
    }
  }

  /// The names of the folders in a folder; none if it is missing.
  public nonisolated static func folders(in folder: String) throws(StoreError) -> [String] {
    do throws(PrivateFiles.Failure) { return try PrivateFiles.names(in: folder) } catch {
      throw StoreError(error, path: folder)
    }
  }

  /// Deletes a copy. The user has to have asked for it.
  public nonisolated static func delete(_ copy: VerifiedCopy) throws(StoreError) {
    remove(copy)
    if PrivateFiles.exists(copy.path) { throw StoreError(systemError: errno, path: copy.path) }
  }
}

extension GardenStore {
  private func fill(_ copy: VerifiedCopy) throws {
    let descriptor = Glibc.open(copy.path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw PrivateFiles.Failure(path: copy.path, systemError: errno) }
    defer { close(descriptor) }
    for _ in 0..<GardenStore.copyAttempts {
      guard ftruncate(descriptor, 0) == 0 else { throw PrivateFiles.Failure(path: copy.path, systemError: errno) }
      try database.execute("VACUUM INTO ?", .text(copy.path))
      guard fsync(descriptor) == 0 else { throw PrivateFiles.Failure(path: copy.path, systemError: errno) }
      try PrivateFiles.sync(folder: copy.folder)
      // What is compared comes from the disk.
      posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
      let written = try Database(path: copy.path, mode: .immutable, busyTimeout: 0)
      guard try Verification(written).isSound else { break }
      // They differ if another program has written since the copy began.
      if try ContentDigest(written) == database.snapshot({ try ContentDigest(database) }) { return }
    }
    throw StoreError.copyNotVerified(path: copy.path)
  }

  /// Makes the folder of a new copy, under a name for the time in which it is written.
  private static func newCopy(in folder: String, at now: Instant) throws -> (copy: VerifiedCopy, draft: VerifiedCopy) {
    var second = now
    while true {
      let name = ExportFile.name(at: second, in: .utc).dropFirst("trunk-".count).dropLast(".json".count)
      let (copy, draft) = (folder + "/" + name, folder + "/" + name + unfinished)
      if !PrivateFiles.exists(copy), mkdir(draft, 0o700) == 0 {
        return (VerifiedCopy(folder: copy), VerifiedCopy(folder: draft))
      }
      if !PrivateFiles.exists(copy), errno != EEXIST { throw PrivateFiles.Failure(path: draft, systemError: errno) }
      second = second.adding(seconds: 1)
    }
  }

  /// A planted link must not lead the copy elsewhere.
  private static func refuseLinks(_ folder: String) throws {
    for path in [folder, PrivateFiles.folder(of: folder)] {
      let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard descriptor >= 0 else { throw PrivateFiles.Failure(path: path, systemError: errno) }
      close(descriptor)
    }
  }

  /// Copies that were being written when their program ended. The garden that they were made of was not cleared.
  private static func removeUnfinishedCopies(in folder: String) throws {
    for name in try PrivateFiles.names(in: folder) where name.hasSuffix(unfinished) {
      remove(VerifiedCopy(folder: folder + "/" + name))
    }
  }

  private static func remove(_ copy: VerifiedCopy) {
    for suffix in ["", "-journal", "-wal", "-shm"] { unlink(copy.path + suffix) }
    rmdir(copy.folder)
  }
}
