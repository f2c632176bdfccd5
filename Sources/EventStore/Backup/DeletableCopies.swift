import Glibc
import SQLiteKit
import TrunkModel

/// Copies and backups of one garden whose every event is known to be on the server.
public struct DeletableCopies: Sendable, Equatable {
  /// The folders of the copies.
  public var copies: [String]
  /// The files of the backups.
  public var backups: [String]
  /// How many drafts the copies hold; they are on no server.
  public var drafts: Int
  /// How many superseded versions the copies and backups hold; they are on no server.
  public var superseded: Int

  public init(copies: [String], backups: [String], drafts: Int, superseded: Int) {
    (self.copies, self.backups) = (copies, backups)
    (self.drafts, self.superseded) = (drafts, superseded)
  }
}

/// Why copies and backups have to stay.
public enum UndeletableCopies: Error, Sendable, Equatable {
  /// It holds an event that is not known to be on the server.
  case holdsMore(path: String)
  /// The server gave no list to compare with.
  case unchecked
  /// What it holds is not known.
  case unreadable(path: String)
}

extension EventStore {
  /// Decides from their contents whether all copies and backups of a signed-out garden can be deleted.
  ///
  /// Damaged files that were set aside are not among them: they are never deleted.
  /// - Parameters:
  ///   - folder: where the copies are.
  ///   - garden: the garden's own folder, where the backups are.
  ///   - isOnServer: whether the server was found to have an event, by its identity.
  public nonisolated static func deletableCopies(
    below folder: String, backupsIn garden: String, isOnServer: @escaping (String) -> Bool
  ) throws(UndeletableCopies) -> DeletableCopies {
    var survey = Survey(isOnServer: isOnServer)
    try survey.read(folder) { () throws(StoreError) in
      for copy in try copies(below: folder) { survey.copies.append(copy) }
    }
    // An event that got another id is on the server under that one. Whichever copy knows it says so for all.
    for copy in survey.copies {
      try survey.read(copy.path) { () throws(StoreError) in
        for (identity, clientID) in try CopyReader(copy).formerIDs() {
          survey.formerIDs[Array(identity.utf8)] = clientID
        }
      }
    }
    for copy in survey.copies { try survey.add(copy) }
    try survey.read(garden) { () throws(StoreError) in survey.backups = try backups(in: garden).map(\.path) }
    for backup in survey.backups { try survey.add(backup: backup) }
    return DeletableCopies(
      copies: survey.copies.map(\.folder), backups: survey.backups, drafts: survey.drafts.count,
      superseded: survey.superseded.count)
  }

  /// Deletes these copies and backups, and nothing else. The user has to have asked for it.
  /// - Throws: the first failure, after all others were deleted.
  public nonisolated static func delete(_ deletable: DeletableCopies) throws(StoreError) {
    var failure: StoreError?
    for copy in deletable.copies.map({ VerifiedCopy(folder: $0) }) {
      if let code = copy.remove() { failure = failure ?? StoreError(systemError: code, path: copy.path) }
    }
    for backup in deletable.backups where unlink(backup) != 0 && errno != ENOENT {
      failure = failure ?? StoreError(systemError: errno, path: backup)
    }
    // What an interrupted program began and did not finish holds the same.
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

/// What is in the copies and backups that were read so far.
private struct Survey {
  let isOnServer: (String) -> Bool
  var copies: [VerifiedCopy] = []
  var backups: [String] = []
  var formerIDs: [[UInt8]: String] = [:]
  var drafts: Set<[UInt8]> = []
  var superseded: Set<[UInt8]> = []
  private let sha256 = SHA256()

  init(isOnServer: @escaping (String) -> Bool) { self.isOnServer = isOnServer }

  mutating func add(_ copy: VerifiedCopy) throws(UndeletableCopies) {
    var identities: [String] = []
    try read(copy.path) { () throws(StoreError) in
      let reader = try CopyReader(copy)
      identities = try reader.identities().map(\.identity)
      drafts.formUnion(try reader.drafts().map { sha256.digest(of: $0.text) })
      superseded.formUnion(try reader.superseded().map { sha256.digest(of: $0.canonicalText) })
    }
    try check(identities, copy.path)
  }

  mutating func add(backup path: String) throws(UndeletableCopies) {
    guard let bytes = try? PrivateFiles.read(path),
      let contents = try? ExportFile.decodeContents(String(decoding: bytes, as: UTF8.self))
    else { throw .unreadable(path: path) }
    superseded.formUnion(contents.superseded.map { sha256.digest(of: $0.canonicalText) })
    try check(contents.events.map(\.identity), path)
  }

  private func check(_ identities: [String], _ path: String) throws(UndeletableCopies) {
    let areAllThere = identities.allSatisfy { identity in
      isOnServer(identity) || formerIDs[Array(identity.utf8)].map(isOnServer) ?? false
    }
    guard areAllThere else { throw .holdsMore(path: path) }
  }

  func read(_ path: String, _ body: () throws(StoreError) -> Void) throws(UndeletableCopies) {
    do throws(StoreError) { try body() } catch { throw .unreadable(path: path) }
  }
}
