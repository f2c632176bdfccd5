import Foundation
import ServerProcess
import SyncEngine
import TemporaryFolders
import TestSupport

/// The folder and keyring of one computer, for several programs at once.
final class SharedComputer: Sendable {
  let backend: Backend
  let address: String
  let account: Account
  let vault: FileVault
  private let home: TemporaryFolder

  var folder: String { home.path + "/garden" }

  init(_ backend: Backend, _ address: String, _ session: StoredSession) throws {
    self.backend = backend
    self.address = address
    account = session.account
    home = try TemporaryFolder("trunk-sync", isInMemory: true).created()
    vault = FileVault(home.path + "/session")
    try vault.store(session)
  }

  /// Starts another program.
  func program(_ command: String) throws -> DeviceProcess {
    try DeviceProcess([folder, backend.rawValue, address, account.userID, home.path + "/session", command])
  }
}

/// The built `sync-device`.
final class DeviceProcess: Sendable {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  let lines: LineReader

  init(_ arguments: [String]) throws {
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent("sync-device")
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    lines = LineReader(output.fileHandleForReading)
  }

  deinit { kill() }

  func sendLine(_ line: String) { input.fileHandleForWriting.write(Data((line + "\n").utf8)) }

  func kill() { if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) } }
}
