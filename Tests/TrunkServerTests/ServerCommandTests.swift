import Foundation
import SQLiteKit
import TemporaryFolders
import Testing
import TrunkModel
import TrunkServer

/// Tests the command line of the built program.
@Suite struct ServerCommandTests {
  private struct Outcome {
    let code: Int32
    let output: String
    let errorOutput: String
  }

  private func run(_ arguments: String...) async throws -> Outcome { try await run(arguments) }

  private func run(_ arguments: [String]) async throws -> Outcome {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent("trunk-server")
    process.arguments = arguments
    let (output, errorOutput) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError) = (output, errorOutput)
    return try await withCheckedThrowingContinuation { continuation in
      process.terminationHandler = { process in
        // The output fits into a pipe.
        continuation.resume(
          returning: Outcome(
            code: process.terminationStatus,
            output: String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self),
            errorOutput: String(decoding: errorOutput.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)))
      }
      do { try process.run() } catch { continuation.resume(throwing: error) }
    }
  }

  @Test func printsItsVersion() async throws {
    #expect(try await run("--version").output == Release.version + "\n")
  }

  @Test func theManualListsEveryCommandAndOption() async throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../data/man/trunk-server.8")
    let manual = try String(contentsOf: page, encoding: .utf8)
    for command in ["serve", "backup", "accounts list", "accounts delete", "doctor"] {
      let names = command.split(separator: " ").map(String.init)
      #expect(manual.contains(".It Cm \(command)") || manual.contains(".It Cm \(names.joined(separator: " Op Cm "))"))
      let help = try await run(names + ["--help"])
      #expect(help.code == 0 && help.errorOutput == "")
      let options = help.output.matches(of: /(?m)^ {2}(?:-[a-z], )?--([a-z-]+)/).map { String($0.output.1) }
      #expect(options.contains("data"))
      for option in options where !["version", "help"].contains(option) {
        #expect(manual.contains(".It Fl -\(option)"), "\(option)")
      }
    }
  }

  @Test(arguments: [
    [], ["--data", "/nowhere"], ["--data", "/nowhere", "--print-codes", "--listen", "8787"],
    ["--data", "/nowhere", "--print-codes", "--key", ""], ["--data", "/nowhere", "--print-codes", "--dance"], ["dance"],
  ])
  func rejectsInvalidArguments(arguments: [String]) async throws {
    let outcome = try await run(arguments)
    #expect(outcome.code == 64)
    #expect(outcome.output == "")
    #expect(outcome.errorOutput.contains("trunk-server"))
  }

  @Test func reportsWhyItDoesNotStart() async throws {
    let temporary = TemporaryFolder("help")
    let folder = temporary.path
    defer { withExtendedLifetime(temporary) {} }
    for listen in ["localhost:0", "192.0.2.1:0"] {
      let outcome = try await run("--data", folder, "--print-codes", "--listen", listen)
      #expect(outcome.code == 1)
      #expect(outcome.errorOutput.contains(" critical: the server can't start error="))
      #expect(outcome.output == "")
    }
    let none = folder + "/none"
    for arguments in [["backup", "--data", none], ["backup", "--data", none, folder + ".db"]] {
      let backup = try await run(arguments)
      #expect(backup.code == 1)
      #expect(backup.errorOutput == "trunk-server: there is no \(none)/trunk-server.db\n")
    }
    #expect(!FileManager.default.fileExists(atPath: none), "a wrong folder must not be created")
    let noText = try await run(
      "--data", folder, "--smtp", "smtp://x", "--smtp-from", "x", "--mail-text", folder + "/text")
    #expect(noText.errorOutput.hasSuffix("error=\"\(folder)/text: No such file or directory\"\n"))
  }

  @Test func reportsThatAnotherBackupIsRunning() async throws {
    let folder = try TemporaryFolder("help").created()
    let path = folder.path + "/backup.db"
    let draft = try PrivateFiles.NewFile(path + ".part")
    defer { unlink(draft.path) }
    let outcome = try await run("backup", "--data", folder.path, path)
    #expect(outcome.code == 1)
    #expect(outcome.errorOutput == "trunk-server: another backup is being written to \(path)\n")
  }
}
