import Foundation
import Glibc
import TemporaryFolders
import Testing
import TrunkModel

@testable import TrunkKit

@Suite struct TextFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder("text").created() }

  /// The size of a file is known before reading; pipes and devices have to be read.
  @Test func noMoreThanTheLimitIsRead() throws {
    let path = folder.path + "/text"
    try Data("abcdefgh".utf8).write(to: URL(fileURLWithPath: path))
    func read(_ path: String, limit: Int) throws -> String {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      defer { close(descriptor) }
      return try GardenModel.readText(descriptor, path: path, limit: limit)
    }
    #expect(try read(path, limit: 8) == "abcdefgh")
    #expect(throws: TransferError.tooLarge(path: path)) { try read(path, limit: 7) }
    #expect(throws: TransferError.tooLarge(path: "/dev/zero")) { try read("/dev/zero", limit: 1_000_000) }
  }

  @Test func aFileThatIsTooLargeIsRejectedUnread() async throws {
    let path = folder.path + "/large"
    try Data().write(to: URL(fileURLWithPath: path))
    // A sparse file: it takes no space.
    #expect(truncate(path, off_t(GardenModel.largestText) + 1) == 0)
    await #expect(throws: TransferError.tooLarge(path: path)) { try await GardenModel.contents(ofExport: path) }
  }

  @Test func aBackupMayHaveAnyEventThatTheGardenHad() async throws {
    let path = folder.path + "/backup.json"
    let large = #"{"type":"moon_rose","x":"\#(String(repeating: "x", count: ExportFile.largestEvent))"}"#
    try GardenModel.write(#"{"version":4,"events":[\#(large)]}"#, to: path)
    await #expect {
      _ = try await GardenModel.contents(ofExport: path)
    } throws: {
      "\($0)".contains("eventTooLarge") && userMessage(for: $0).contains("(moon_rose) takes")
    }
    #expect(try await GardenModel.contents(ofExport: path, isBackup: true).events.count == 1)
  }

  /// The window would wait for a pipe's writer, or read a device until its memory is full.
  @Test func pipesAndDevicesAreNotImported() async throws {
    let pipe = folder.path + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    for path in [pipe, "/dev/zero", folder.path] {
      await #expect(throws: TransferError.notAFile(path: path)) { try await GardenModel.contents(ofExport: path) }
    }
  }
}
