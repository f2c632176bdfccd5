import EventStore
import Glibc
import Localization
import SQLiteKit
import TrunkModel

extension GardenModel {
  /// The file name of an export made now.
  public var exportName: String { ExportFile.name(at: clock.now(), in: garden.zone) }

  /// Imports the events of a file; see `EventStore.importEvents`.
  public func importEvents(
    _ events: [Event], superseded: [Event] = [], journals: [EarlierJournal] = [], hidden: [HiddenMark] = [],
    drafts: [Draft] = []
  ) async throws -> AppendResult {
    try await serially { [self] in
      let result = try await store.importEvents(
        events, superseded: superseded, journals: journals, hidden: hidden, drafts: drafts,
        unlessClearedSince: expectedClears)
      if !drafts.isEmpty { draftRevision += 1 }
      try await applyNewEvents()
      return result
    }
  }

  /// Restores everything in copies of this garden that it lacks.
  public func restore(_ comparison: CopyComparison) async throws -> Restored {
    try await serially { [self] in
      let restored = try await store.restore(comparison, unlessClearedSince: expectedClears)
      try await applyNewEvents()
      return restored
    }
  }

  /// Returns everything that an export contains.
  public func contents() async throws(StoreError) -> ExportFile.Contents { try await store.contents() }

  /// Exports the log to one file, completely or not at all, readable only by its owner.
  /// - Parameter forOtherVersions: whether to leave out what one of the other clients rejects together with the rest of
  ///   the file.
  /// - Returns: the number of events in it, and how many were left out.
  /// - Throws: `TransferError`, `StoreError`.
  @discardableResult
  public func export(to path: String, forOtherVersions: Bool = false) async throws -> (events: Int, leftOut: Int) {
    var (contents, leftOut) = (try await unblockedContents(), 0)
    if forOtherVersions { (contents, leftOut) = contents.forOtherVersions() }
    try await GardenModel.write(contents, exportedAt: clock.now(), to: path)
    return (contents.events.count, leftOut)
  }

  /// The number of events because of which another client rejects an export.
  public func unreadableElsewhere() async throws -> Int {
    let contents = try await unblockedContents()
    return await Task.detached { contents.forOtherVersions().leftOut }.value
  }

  /// Reads from a separate store, so that reading decades of entries doesn't block today's writes.
  private func unblockedContents() async throws -> ExportFile.Contents {
    try await EventStore.open(folder: store.folder).contents()
  }

  /// Exports the superseded versions of events to a separate file.
  /// - Returns: the number of versions in it.
  /// - Throws: `TransferError`, `StoreError`.
  @discardableResult
  public func exportSuperseded(to path: String) async throws -> Int {
    let events = try await store.superseded().map(\.event)
    try await GardenModel.write(ExportFile.Contents(events: events), exportedAt: clock.now(), to: path)
    return events.count
  }

  /// Exports these events to a file, completely or not at all, readable only by its owner.
  /// - Throws: `TransferError`.
  public func export(_ events: [Event], to path: String) async throws(TransferError) {
    try await GardenModel.write(ExportFile.Contents(events: events), exportedAt: clock.now(), to: path)
  }

  /// Reads an export file. It does not block the caller's actor.
  ///
  /// A pipe or device is rejected: it may never end, and would keep one of the few threads that all tasks share.
  /// - Parameter isBackup: whether the file is a backup of Trunk's own, which may have any event that the garden had.
  public nonisolated static func contents(
    ofExport path: String, isBackup: Bool = false
  ) async throws(TransferError) -> ExportFile.Contents {
    let text = try readText(path, onlyFiles: true)
    do throws(ExportFile.Problem) {
      return try isBackup ? ExportFile.decodeContents(text) : ExportFile.decodeImport(text)
    } catch {
      throw .notAnExport(path: path, error)
    }
  }

  /// The maximum size in bytes of a file that the user names: 1 GiB. An entry takes about 500 bytes in an export, so
  /// two million entries fit. There must be a limit, because a device or a pipe may have no end.
  public nonisolated static let largestText = 1 << 30

  /// Reads a file that the user names.
  /// - Parameter onlyFiles: whether to reject pipes and devices, which a shell passes to a command.
  public nonisolated static func readText(
    _ path: String, onlyFiles: Bool = false
  ) throws(TransferError) -> String {
    // Without O_NONBLOCK, opening a pipe waits for a writer.
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | (onlyFiles ? O_NONBLOCK : 0))
    guard descriptor >= 0 else { throw .unreadable(path: path, code: errno) }
    defer { Glibc.close(descriptor) }
    var status = stat()
    if onlyFiles, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFREG { throw .notAFile(path: path) }
    return try readText(descriptor, path: path)
  }

  /// Reads text from the descriptor's current position to the end.
  /// - Parameter path: the name of the file in errors.
  public nonisolated static func readText(
    _ descriptor: Int32, path: String, limit: Int = largestText
  ) throws(TransferError) -> String {
    let bytes: [UInt8]?
    do throws(PrivateFiles.Failure) { bytes = try PrivateFiles.read(descriptor, path, limit: limit) } catch {
      throw .unreadable(path: path, code: error.systemError)
    }
    guard let bytes else { throw .tooLarge(path: path) }
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    if let program = decompressor(of: bytes) { throw .compressed(path: path, program: program) }
    throw .notText(path: path)
  }

  /// Returns the program that decompresses a file, by the bytes with which its format begins.
  nonisolated static func decompressor(of bytes: [UInt8]) -> String? {
    let formats: [(start: [UInt8], program: String)] = [
      ([0x1F, 0x8B], "gunzip"), ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "unxz"), ([0x28, 0xB5, 0x2F, 0xFD], "unzstd"),
      ([0x42, 0x5A, 0x68], "bunzip2"), ([0x50, 0x4B, 0x03, 0x04], "unzip"),
    ]
    return formats.first { bytes.starts(with: $0.start) }?.program
  }

  private nonisolated static func write(
    _ contents: ExportFile.Contents, exportedAt: Instant, to path: String
  ) async throws(TransferError) {
    try write(ExportFile.encode(contents, exportedAt: exportedAt), to: path)
  }

  /// Writes a file completely or not at all, readable only by its owner, and flushes it and its name to disk. If the
  /// path is a link, replaces the file that it leads to.
  public nonisolated static func write(_ text: String, to path: String) throws(TransferError) {
    try write(Array(text.utf8), to: path)
  }

  /// Whether there is something that `write` would replace.
  public nonisolated static func replaces(_ path: String) -> Bool { !PrivateFiles.isMissing(path) }

  /// Writes a file that is not text in the same way.
  public nonisolated static func write(_ bytes: [UInt8], to path: String) throws(TransferError) {
    try checkTarget(path)
    do throws(PrivateFiles.Failure) { try PrivateFiles.replace(path, with: bytes, isDurable: true) } catch {
      throw .unwritable(path: error.path, reason: error.reason)
    }
  }

  /// Protects what a new file must not replace: the garden itself, its backups and copies, and pipes and devices.
  private nonisolated static func checkTarget(_ path: String) throws(TransferError) {
    let folder = PrivateFiles.folder(of: PrivateFiles.resolved(path) ?? path)
    if Folders.isOwn(folder) { throw .ownFolder(path: folder) }
    var status = stat()
    if stat(path, &status) == 0, ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) { throw .notAFile(path: path) }
  }
}
