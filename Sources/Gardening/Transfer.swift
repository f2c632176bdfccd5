import CGLib
import Garden
import GardenStore
import Glibc
import Localization
import Storage

/// Why a file could not be exported or imported. Nothing in the garden has changed.
public enum TransferError: Error, Equatable {
  /// The system's words, which name the file.
  case system(String)
  case notText(path: String)
  case notAnExport(path: String, ExportFile.Problem)

  /// What is wrong, and what to do about it.
  public var message: String {
    switch self {
    case .system(let words): tr("The file can’t be used. {reason}.", ["reason": words])
    case .notText(let path): tr("“{path}” is not text in UTF-8.", ["path": path])
    case .notAnExport(let path, let problem): problem.message(path: path)
    }
  }
}

extension ExportFile.Problem {
  /// What is wrong with a file, and what to do about it.
  public func message(path: String) -> String {
    switch self {
    case .notJSON(let error):
      tr("“{path}” is not JSON: {reason}.", ["path": path, "reason": "\(error)"])
    case .noEvents:
      tr("“{path}” has no list of events. Choose a file that Trunk exported.", ["path": path])
    case .unknownVersion(let version):
      tr(
        "“{path}” is of version {version}, which this program does not know. Update Trunk and try again.",
        ["path": path, "version": version ?? "?"])
    case .notAnEvent(let index):
      tr("Entry {n} of the events in “{path}” is not an event.", ["path": path, "n": "\(index + 1)"])
    }
  }
}

extension Gardener {
  /// The name that an export made now would have.
  public var exportName: String { ExportFile.name(at: clock.now(), in: garden.zone) }

  /// Writes the whole log as one file, completely or not at all; only its owner can read it.
  /// - Returns: how many events it holds.
  /// - Throws: `TransferError`, `StoreError`.
  @discardableResult
  public func export(to path: String) async throws -> Int {
    // A store of its own: reading decades of entries must not keep today's waiting.
    let contents = try await GardenStore.open(folder: store.folder).contents()
    try await Gardener.write(contents, exportedAt: clock.now(), to: path)
    return contents.events.count
  }

  /// Writes the superseded versions of events into a separate export file.
  /// - Returns: how many it holds.
  /// - Throws: `TransferError`, `StoreError`.
  @discardableResult
  public func exportSuperseded(to path: String) async throws -> Int {
    let events = try await store.superseded().map(\.event)
    try await Gardener.write(ExportFile.Contents(events: events), exportedAt: clock.now(), to: path)
    return events.count
  }

  /// Writes these events as an export file, completely or not at all; only its owner can read it.
  /// - Throws: `TransferError`.
  public func export(_ events: [Event], to path: String) async throws(TransferError) {
    try await Gardener.write(ExportFile.Contents(events: events), exportedAt: clock.now(), to: path)
  }

  /// Reads an export file. It does not block the caller's actor.
  public nonisolated static func contents(ofExport path: String) async throws(TransferError) -> ExportFile.Contents {
    var contents: UnsafeMutablePointer<CChar>?
    var length: gsize = 0
    var error: UnsafeMutablePointer<GError>?
    defer { g_clear_error(&error) }
    guard g_file_get_contents(path, &contents, &length, &error) != 0, let contents else {
      throw .system(reason(error))
    }
    defer { g_free(contents) }
    let bytes = UnsafeRawBufferPointer(start: contents, count: Int(length))
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .notText(path: path) }
    do throws(ExportFile.Problem) { return try ExportFile.decodeContents(text) } catch {
      throw .notAnExport(path: path, error)
    }
  }

  private nonisolated static func write(
    _ contents: ExportFile.Contents, exportedAt: Instant, to path: String
  ) async throws(TransferError) {
    try write(ExportFile.encode(contents, exportedAt: exportedAt), to: path)
  }

  /// Writes a file completely or not at all, down to the disk with its name; only its owner can read it.
  public nonisolated static func write(_ text: String, to path: String) throws(TransferError) {
    var error: UnsafeMutablePointer<GError>?
    defer { g_clear_error(&error) }
    let length = gssize(text.utf8.count)
    let flags = GFileSetContentsFlags(
      G_FILE_SET_CONTENTS_CONSISTENT.rawValue | G_FILE_SET_CONTENTS_DURABLE.rawValue)
    guard g_file_set_contents_full(path, text, length, flags, 0o600, &error) != 0 else {
      throw .system(reason(error))
    }
    do throws(PrivateFiles.Failure) { try PrivateFiles.sync(folder: PrivateFiles.folder(of: path)) } catch {
      throw .system("“\(error.path)”: \(String(cString: strerror(error.systemError)))")
    }
  }

  private nonisolated static func reason(_ error: UnsafeMutablePointer<GError>?) -> String {
    error.map { String(cString: $0.pointee.message) } ?? tr("unknown error")
  }
}
