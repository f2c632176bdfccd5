import EventStore
import Glibc
import SQLiteKit
import TrunkModel

/// What a file or folder is that the user wants to import, found by its content.
public enum ImportedFile: Sendable {
  /// What Trunk, or one of the other clients, has exported.
  case export(ExportFile.Contents)
  /// The file of another garden.
  case garden(OtherGarden)
  /// Anything else: perhaps the journal of another program, which `GardenModel.pagePreview` reads.
  case other
}

extension GardenModel {
  /// - Throws: `TransferError` if an export can't be read; `StoreError.ownFile` for a file of this garden.
  public nonisolated func importedFile(at path: String) async throws -> ImportedFile {
    if let garden = try otherGarden(at: path) { return .garden(garden) }
    guard GardenModel.mayBeExport(path) else { return .other }
    do throws(TransferError) {
      return .export(try await GardenModel.contents(ofExport: path))
    } catch {
      // Other programs write JSON too.
      if case .notAnExport(_, .noEvents) = error { return .other }
      throw error
    }
  }

  /// Whether a file begins like an export, or can't be read by anything else either.
  private nonisolated static func mayBeExport(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return true }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: return false
    case S_IFREG: break
    default: return true
    }
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return true }
    defer { Glibc.close(descriptor) }
    var head = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(descriptor, &head, head.count)
    guard count >= 0 else { return true }
    if let program = decompressor(of: head) { return program != "unzip" }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let start = head.starts(with: mark) ? mark.count : 0
    return head[start..<max(start, count)].first { $0 > 0x20 } == UInt8(ascii: "{")
  }
}
