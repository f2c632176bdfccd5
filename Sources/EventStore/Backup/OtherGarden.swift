import Glibc
import SQLiteKit
import TrunkModel

/// A file with a garden other than the open one: most often the version of another computer, which a service such as
/// Dropbox, Syncthing or Nextcloud has kept beside the garden's own file because both computers had written to it.
public struct OtherGarden: Sendable, Hashable {
  public let path: String

  /// Whether the file is still there.
  public var exists: Bool { PrivateFiles.exists(path) }

  /// The name of the file.
  public var name: String { PrivateFiles.name(of: path) }

  /// The folder in a garden's folder for files whose events were merged. They are never deleted.
  static let merged = "/merged"

  private static let companions = ["", "-wal", "-shm", "-journal"]

  /// - Returns: `nil` unless the file is a SQLite database. A link, a pipe or a device is none.
  public init?(path: String) {
    let descriptor = Glibc.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 16)
    guard read(descriptor, &bytes, bytes.count) == bytes.count, bytes.elementsEqual("SQLite format 3\0".utf8)
    else { return nil }
    self.path = path
  }

  /// Whether a path is one of the files of the garden in `folder`, which nothing but SQLite may open while the garden
  /// is open: closing the file would drop the locks of this program's connections. Another program would then cut the
  /// shared memory of the write-ahead log while it is in use.
  public static func isOwn(_ path: String, in folder: String) -> Bool {
    companions.contains { PrivateFiles.isSameFile(path, GardenFile.path(in: folder) + $0) }
  }

  /// The other gardens beside the one in `folder`, sorted by name. Damaged files that were set aside are none.
  public static func all(in folder: String) throws(StoreError) -> [OtherGarden] {
    let own = GardenFile.path(in: folder)
    do throws(PrivateFiles.Failure) {
      return try PrivateFiles.names(in: folder).map { folder + "/" + $0 }
        .filter { !Salvage.isCopy($0, of: own) && !isOwn($0, in: folder) }
        .compactMap { OtherGarden(path: $0) }.filter(\.isGarden)
    } catch {
      throw StoreError(error, path: folder)
    }
  }

  /// Whether the file has a log, or is damaged and named like a garden.
  private var isGarden: Bool {
    if name.hasPrefix("garden") { return true }
    let columns = "SELECT count(*) FROM pragma_table_info('events') WHERE name IN ('client_id', 'sha256', 'raw')"
    // A file that can't be read as a garden is none.
    return (try? Database(path: path, mode: .immutable, busyTimeout: 0).integer(columns)) == 3
  }
}

extension OtherGarden {
  /// What the file holds.
  public struct Contents: Sendable {
    public let events: [Event]
    public let superseded: [Event]
    public let drafts: [Draft]
    /// The user's ID if it is the garden of an account.
    let account: String?
    /// The size and the time of the last change of the file when it was read.
    fileprivate let state: [Int]
  }

  /// Reads a copy of the file, which stays as it is. What is damaged is left out.
  /// - Parameter folder: the folder of the open garden, which gets a temporary copy.
  /// - Throws: `ownFile` if the file is the garden in `folder` itself, `newerVersion` if a newer version of the program
  ///   wrote the file, `notAGarden` if another one did.
  public func contents(in folder: String) throws(StoreError) -> Contents {
    let copyFolder = folder + "/other" + UnfinishedCopy.suffix
    do {
      if OtherGarden.isOwn(path, in: folder) { throw StoreError.ownFile(path: path) }
      try PrivateFiles.makeFolder(folder)
      UnfinishedCopy.removeAbandoned(copyFolder)
      guard let unfinished = try UnfinishedCopy.make(copyFolder) else { throw StoreError.busy }
      defer { unfinished.remove() }
      let (copy, state) = (unfinished.copy, self.state)
      for suffix in ["", "-wal"] where PrivateFiles.exists(path + suffix) {
        try PrivateFiles.copyReadable(path + suffix, to: copy.path + suffix)
      }
      try prepare(copy)
      let contents = try copy.contents()
      return Contents(
        events: contents.events, superseded: contents.superseded, drafts: contents.drafts,
        account: try CopyReader(copy).value(.account), state: state)
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Migrates the copy, and repairs it if it is damaged.
  private func prepare(_ copy: VerifiedCopy) throws {
    let options = ConnectionOptions()
    do {
      let (database, access) = try options.open(copy.path)
      if access == .readOnly(.newerVersion) { throw StoreError.newerVersion }
      guard try Verification(database).isSound else { throw StoreError.damaged(path: copy.path) }
    } catch StoreError.damaged {
      _ = try Salvage(path: copy.path, options: options).run()
    } catch StoreError.notAGarden {
      throw StoreError.notAGarden(path: path)
    }
  }

  /// Moves the file and its companions into the folder `merged`, if it lies beside the garden in `folder` and hasn't
  /// changed since it was read.
  /// - Returns: the new path; `nil` if the file stays.
  public func setAside(after contents: Contents, in folder: String) throws(StoreError) -> String? {
    guard isBeside(folder), contents.state == state else { return nil }
    do throws(PrivateFiles.Failure) {
      try PrivateFiles.makeFolderWithoutLink(folder + OtherGarden.merged)
      let target = free(in: folder + OtherGarden.merged)
      for suffix in OtherGarden.companions where PrivateFiles.exists(path + suffix) {
        try PrivateFiles.rename(path + suffix, to: target + suffix)
      }
      try PrivateFiles.sync(folder: folder)
      return target
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Whether the file is in this folder.
  public func isBeside(_ folder: String) -> Bool { PrivateFiles.isSameFile(PrivateFiles.folder(of: path), folder) }

  private func free(in folder: String) -> String {
    var (target, number) = (folder + "/" + name, 1)
    while OtherGarden.companions.contains(where: { !PrivateFiles.isMissing(target + $0) }) {
      number += 1
      target = folder + "/\(number) " + name
    }
    return target
  }

  private var state: [Int] {
    ["", "-wal"].flatMap { suffix in
      var status = stat()
      guard stat(path + suffix, &status) == 0 else { return [-1] }
      return [Int(status.st_size), Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec), Int(status.st_ino)]
    }
  }
}

extension EventStore {
  /// - Throws: `otherAccount` if a file holds the garden of another account.
  public func check(_ contents: OtherGarden.Contents, of garden: OtherGarden) throws(StoreError) {
    guard let account = contents.account, let own = try value(.account), account != own else { return }
    throw .otherAccount(path: garden.path)
  }
}
