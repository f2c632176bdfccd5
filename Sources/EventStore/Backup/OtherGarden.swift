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

  /// - Returns: `nil` unless the file is a SQLite database, or what damage or an unfinished sync has left of a
  ///   garden's. A link, a pipe or a device is none.
  public init?(path: String) {
    let descriptor = Glibc.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    var bytes = Array(OtherGarden.magic)
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let count = read(descriptor, &bytes, bytes.count)
    guard count >= 0 else { return nil }
    self.path = path
    if count == bytes.count, bytes.elementsEqual(OtherGarden.magic) { return }
    // The file may be empty, cut or filled with zeros, or have a damaged letter.
    let others = zip(bytes[..<count], OtherGarden.magic).count { $0 != $1 && $0 != 0 }
    guard name.hasPrefix("garden"), name.hasSuffix(".db"), others <= 2 else { return nil }
  }

  /// - Parameter path: a file that the user names; a link is followed.
  public init?(named path: String) { self.init(path: PrivateFiles.resolved(path) ?? path) }

  /// The first bytes of a SQLite database.
  private static let magic = "SQLite format 3\0".utf8
  /// SQLite's smallest page, in bytes.
  private static let smallestPage: Int64 = 512

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
    public let journals: [EarlierJournal]
    public let hidden: [HiddenMark]
    public let drafts: [Draft]
    /// `nil` if everything in the file could be read.
    public let damage: Damage?
    /// The user's ID if it is the garden of an account.
    let account: String?
    /// The size and the time of the last change of the file when it was read.
    fileprivate let state: [Int]

    /// Whether nothing in the file could be read.
    public var isEmpty: Bool { events.isEmpty && superseded.isEmpty && drafts.isEmpty && journals.isEmpty }
  }

  /// Because of which the file may have held more than its contents.
  public struct Damage: Sendable, Equatable {
    /// The number of places with an event, superseded version or draft that can't be read; 0 if that can't be told.
    public let unreadable: Int
  }

  /// Reads a copy of the file, which stays as it is. What is damaged is left out: see `Contents.damage`.
  /// - Parameters:
  ///   - folder: the folder of the open garden, which gets the copy.
  ///   - temporary: the folder that gets the copy if the garden's can't be written.
  /// - Throws: `ownFile` if the file is the garden in `folder` itself, `newerVersion` if a newer version of the program
  ///   wrote the file, `notAGarden` if another one did.
  public func contents(in folder: String, otherwise temporary: String) throws(StoreError) -> Contents {
    do {
      if OtherGarden.isOwn(path, in: folder) { throw StoreError.ownFile(path: path) }
      let place = access(folder, W_OK) == 0 ? folder : temporary
      try PrivateFiles.makeFolder(place)
      OtherGarden.removeAbandonedCopy(in: place)
      guard let unfinished = try UnfinishedCopy.make(OtherGarden.copyFolder(in: place)) else { throw StoreError.busy }
      defer { unfinished.remove() }
      let (copy, state) = (unfinished.copy, self.state)
      for suffix in ["", "-wal"] where PrivateFiles.exists(path + suffix) {
        try PrivateFiles.copyReadable(path + suffix, to: copy.path + suffix)
      }
      let damage = try prepare(copy)
      let contents = try copy.contents()
      return Contents(
        events: contents.events, superseded: contents.superseded, journals: contents.journals, hidden: contents.hidden,
        drafts: contents.drafts, damage: damage, account: try CopyReader(copy).value(.account), state: state)
    } catch {
      throw StoreError(error, path: path)
    }
  }

  private static func copyFolder(in folder: String) -> String { folder + "/other" + UnfinishedCopy.suffix }

  /// Removes the copy of a program that ended while it was reading.
  static func removeAbandonedCopy(in folder: String) { UnfinishedCopy.removeAbandoned(copyFolder(in: folder)) }

  /// Migrates the copy, and repairs it if it is damaged.
  private func prepare(_ copy: VerifiedCopy) throws -> Damage? {
    do {
      var options = ConnectionOptions()
      options.acceptsNewFile = false
      // SQLite would drop the log of a file without a page.
      guard PrivateFiles.size(of: copy.path) >= OtherGarden.smallestPage else { throw StoreError.damaged(path: path) }
      let (database, access) = try options.open(copy.path)
      if access == .readOnly(.newerVersion) { throw StoreError.newerVersion }
      guard try Verification(database).isSound else { throw StoreError.damaged(path: path) }
      return nil
    } catch {
      switch StoreError(error, path: path) {
      case .damaged:
        return Damage(unreadable: try Salvage(path: copy.path, options: ConnectionOptions()).run().unreadable)
      case .notAGarden: throw StoreError.notAGarden(path: path)
      case let failure: throw failure
      }
    }
  }

  /// Moves the file and its companions into the folder `merged`, if it lies beside the garden in `folder`, hasn't
  /// changed since it was read, and is not damaged: a complete file may replace a damaged one.
  /// - Returns: the new path; `nil` if the file stays.
  public func setAside(after contents: Contents, in folder: String) throws(StoreError) -> String? {
    guard isBeside(folder), contents.damage == nil, contents.state == state else { return nil }
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

  /// The size, the time of the last change and the number of the file and of its log.
  fileprivate var state: [Int] {
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

  /// Records that everything in a damaged file that can be read was merged.
  public func recordMerge(of garden: OtherGarden, _ contents: OtherGarden.Contents) throws(StoreError) {
    try change(.mergedGardens) { text in
      var record = BackupRecord(text: text)
      record[garden.name] = contents.state.map(String.init)
      return record.text
    }
  }

  /// Whether a damaged file was merged as far as it can be read, and hasn't changed since.
  public func hasMerged(_ garden: OtherGarden) throws(StoreError) -> Bool {
    BackupRecord(text: try value(.mergedGardens))[garden.name] == garden.state.map(String.init)
  }
}
