import Foundation
import SQLiteKit
import Testing
import TrunkModel
import TrunkServer

/// Tests the command line of the built program.
@Suite struct ServerCommandTests {
  private struct Response {
    let code: Int32
    let output: String
    let complaint: String
  }

  private func run(_ arguments: String...) async throws -> Response { try await run(arguments) }

  private func run(_ arguments: [String]) async throws -> Response {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent("trunk-server")
    process.arguments = arguments
    let (output, complaint) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError) = (output, complaint)
    return try await withCheckedThrowingContinuation { continuation in
      process.terminationHandler = { process in
        // The output fits into a pipe.
        continuation.resume(
          returning: Response(
            code: process.terminationStatus,
            output: String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self),
            complaint: String(decoding: complaint.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)))
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
    for command in ["serve", "backup", "accounts list", "accounts delete"] {
      let words = command.split(separator: " ").map(String.init)
      #expect(manual.contains(".It Cm \(command)") || manual.contains(".It Cm \(words.joined(separator: " Op Cm "))"))
      let help = try await run(words + ["--help"])
      #expect(help.code == 0 && help.complaint == "")
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
    let answer = try await run(arguments)
    #expect(answer.code == 64)
    #expect(answer.output == "")
    #expect(answer.complaint.contains("trunk-server"))
  }

  @Test func reportsWhyItDoesNotStart() async throws {
    let folder = NSTemporaryDirectory() + "help-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for listen in ["localhost:0", "192.0.2.1:0"] {
      let answer = try await run("--data", folder, "--print-codes", "--listen", listen)
      #expect(answer.code == 1)
      #expect(answer.complaint.hasPrefix("trunk-server: "))
      #expect(answer.output == "")
    }
    #expect(try await run("backup", "--data", folder + "/none").code == 1)
    let noText = try await run(
      "--data", folder, "--smtp", "smtp://x", "--smtp-from", "x", "--mail-text", folder + "/text")
    #expect(noText.complaint == "trunk-server: \(folder)/text: No such file or directory\n")
  }

  @Test func saysThatAnotherBackupIsRunning() async throws {
    let path = NSTemporaryDirectory() + "help-\(UUID().uuidString).db"
    let draft = try PrivateFiles.NewFile(path + ".part")
    defer { unlink(draft.path) }
    let answer = try await run("backup", "--data", NSTemporaryDirectory(), path)
    #expect(answer.code == 1)
    #expect(answer.complaint == "trunk-server: another backup is being written to \(path)\n")
  }
}
