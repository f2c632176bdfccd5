import Glibc
import SQLiteKit
import TrunkModel

/// Copies and backups of one garden whose every event is known to be on the server.
public struct DeletableCopies: Sendable, Equatable {
  /// The folders of the copies.
  public var copies: [String]
  /// The files of the backups.
  public var backups: [String]
  /// The number of drafts in the copies. Servers never have drafts.
  public var drafts: Int
  /// The number of superseded versions in the copies and backups, including events that another copy has with another
  /// text. Servers never have those.
  public var superseded: Int
  /// The number of earlier pages in the copies and backups. Servers never have those.
  public var pages: Int

  public init(copies: [String], backups: [String], drafts: Int, superseded: Int, pages: Int = 0) {
    (self.copies, self.backups) = (copies, backups)
    (self.drafts, self.superseded, self.pages) = (drafts, superseded, pages)
  }
}

/// Why copies and backups have to stay.
public enum UndeletableCopies: Error, Sendable, Equatable {
  /// A copy or backup holds an event that is not known to be on the server.
  case holdsMore(path: String)
  /// The server's list of events is not available.
  case unchecked
  /// A copy or backup can't be read.
  case unreadable(path: String)
}

extension EventStore {
  /// Decides from their contents whether all copies and backups of a signed-out garden can be deleted.
  ///
  /// Damaged files that were set aside are not included: they are never deleted.
  /// - Parameters:
  ///   - folder: the folder of the copies; `nil` for none.
  ///   - garden: the garden's own folder, which contains the backups.
  ///   - isOnServer: returns whether the server has an event with this identity.
  public nonisolated static func deletableCopies(
    below folder: String?, backupsIn garden: String, isOnServer: @escaping (String) -> Bool
  ) throws(UndeletableCopies) -> DeletableCopies {
    var survey = Survey(isOnServer: isOnServer)
    if let folder {
      try survey.read(folder) { () throws(StoreError) in survey.copies = try copies(below: folder) }
    }
    // The server has an event that got a new ID under that ID. Collect these IDs from all copies first.
    for copy in survey.copies {
      try survey.read(copy.path) { () throws(StoreError) in
        for (identity, clientID) in try CopyReader(copy).formerIDs() {
          survey.formerIDs[ExactID(identity)] = clientID
        }
      }
    }
    for copy in survey.copies { try survey.add(copy) }
    try survey.read(garden) { () throws(StoreError) in survey.backups = try backups(in: garden).map(\.path) }
    for backup in survey.backups { try survey.add(backup: backup) }
    return DeletableCopies(
      copies: survey.copies.map(\.folder), backups: survey.backups, drafts: survey.drafts.count,
      superseded: survey.superseded.count, pages: survey.pages.count)
  }

  /// Deletes these copies and backups, and unfinished ones beside them. Call it only if the user has asked for it.
  /// - Throws: the first error, after trying to delete all of them.
  public nonisolated static func delete(_ deletable: DeletableCopies) throws(StoreError) {
    var failure: StoreError?
    for copy in deletable.copies.map({ VerifiedCopy(folder: $0) }) {
      if let code = copy.remove() { failure = failure ?? StoreError(systemError: code, path: copy.path) }
    }
    for backup in deletable.backups where unlink(backup) != 0 && errno != ENOENT {
      failure = failure ?? StoreError(systemError: errno, path: backup)
    }
    // Unfinished files of interrupted programs hold the same data.
    do throws(PrivateFiles.Failure) {
      for folder in Set(deletable.copies.map({ PrivateFiles.folder(of: $0) })) {
        try removeUnfinishedCopies(below: folder)
      }
      for backups in Set(deletable.backups.map({ PrivateFiles.folder(of: $0) })) {
        try BackupFolder(in: PrivateFiles.folder(of: backups)).removeUnfinished()
      }
    } catch {
      failure = failure ?? StoreError(systemError: error.systemError, path: error.path)
    }
    if let failure { throw failure }
  }
}

/// The contents of the copies and backups that were read so far.
private struct Survey {
  let isOnServer: (String) -> Bool
  var copies: [VerifiedCopy] = []
  var backups: [String] = []
  var formerIDs: [ExactID: String] = [:]
  var drafts: Set<[UInt8]> = []
  var superseded: Set<[UInt8]> = []
  var pages: Set<EarlierPage> = []
  /// The digest of the text of each event, by identity.
  private var texts: [ExactID: [UInt8]] = [:]
  private let sha256 = SHA256()

  init(isOnServer: @escaping (String) -> Bool) { self.isOnServer = isOnServer }

  mutating func add(_ copy: VerifiedCopy) throws(UndeletableCopies) {
    var (events, hasUnreadRows): ([Event], Bool) = ([], false)
    try read(copy.path) { () throws(StoreError) in
      let reader = try CopyReader(copy)
      events = try reader.events()
      hasUnreadRows = try reader.hasUnreadRows()
      drafts.formUnion(try reader.drafts().map { sha256.digest(of: $0.text) })
      superseded.formUnion(try reader.superseded().map { sha256.digest(of: $0.canonicalText) })
      pages.formUnion(try reader.journals().flatMap(\.pages))
    }
    if hasUnreadRows { throw .holdsMore(path: copy.path) }
    try check(events, copy.path)
  }

  mutating func add(backup path: String) throws(UndeletableCopies) {
    // Any reason why it can't be read has the same result: nothing is deleted.
    guard let contents = BackupFolder.contents(of: path) else { throw .unreadable(path: path) }
    superseded.formUnion(contents.superseded.map { sha256.digest(of: $0.canonicalText) })
    pages.formUnion(contents.journals.flatMap(\.pages))
    try check(contents.events, path)
  }

  private mutating func check(_ events: [Event], _ path: String) throws(UndeletableCopies) {
    for event in events {
      let identity = ExactID(event.identity)
      guard isOnServer(event.identity) || formerIDs[identity].map(isOnServer) ?? false else {
        throw .holdsMore(path: path)
      }
      let digest = sha256.digest(of: event.canonicalText)
      if let other = texts.updateValue(digest, forKey: identity), other != digest {
        texts[identity] = other
        superseded.insert(digest)
      }
    }
  }

  func read(_ path: String, _ body: () throws(StoreError) -> Void) throws(UndeletableCopies) {
    do throws(StoreError) { try body() } catch { throw .unreadable(path: path) }
  }
}
