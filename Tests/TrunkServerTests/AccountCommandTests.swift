import Foundation
import ServerProcess
import Testing

/// Tests `trunk-server accounts` next to a running server.
@Suite struct AccountCommandTests {
  let server: ServerProcess

  init() async throws {
    server = try await ServerProcess()
  }

  /// Runs a command and sends an answer to its question.
  private func run(_ arguments: String..., saying answer: String = "") async throws -> (code: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent("trunk-server")
    process.arguments = ["accounts"] + arguments + ["--data", server.folder]
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput, process.standardError) = (input, output, output)
    input.fileHandleForWriting.write(Data(answer.utf8))
    try input.fileHandleForWriting.close()
    return try await withCheckedThrowingContinuation { continuation in
      process.terminationHandler = { process in
        // The output fits into a pipe.
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        continuation.resume(returning: (process.terminationStatus, text))
      }
      do { try process.run() } catch { continuation.resume(throwing: error) }
    }
  }

  private func insert(_ session: ServerProcess.Session, _ name: String) async throws -> ServerProcess.Response {
    try await server.request(
      "POST", "/rest/v1/events",
      json: #"{"user_id":"\#(session.userID)","type":"t","payload":{},"client_id":"\#(name)"}"#,
      token: session.accessToken)
  }

  @Test func accountsAreListedAndDeleted() async throws {
    #expect(try await run("list") == (0, ""))
    let ada = try await server.signIn("ada@example.org")
    let bea = try await server.signIn("bea@example.org")
    #expect(try await insert(ada, "a").status == 201)
    #expect(try await insert(ada, "b").status == 201)
    #expect(try await insert(bea, "c").status == 201)
    let lines = try await run().output.split(separator: "\n").map { $0.split(separator: "\t") }
    #expect(lines.map { $0.first } == ["ada@example.org", "bea@example.org"])
    #expect(lines.map { $0[3] } == ["2", "1"])
    #expect(lines[0].count == 7 && lines[0][1].wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil)

    for answer in ["", "n\n", "\n"] {
      let (code, output) = try await run("delete", "ada@example.org", saying: answer)
      #expect(code == 1 && output.contains("2 events") && output.hasSuffix("nothing was deleted\n"))
    }
    #expect(try await run("delete", "unknown@example.org", "--yes").code == 1)
    #expect(try await run("delete", "Ada@example.org", saying: "y\n").code == 0)
    #expect(try await run("list").output.hasPrefix("bea@example.org\t"))

    // The access token is still valid, but gives access to nothing.
    #expect(try await insert(ada, "d").status == 409)
    #expect(try await server.request("GET", "/rest/v1/events", token: ada.accessToken).text == "[]")
    #expect(try await server.request("GET", "/auth/v1/user", token: ada.accessToken).status == 403)
    let refresh = #"{"refresh_token":"\#(ada.refreshToken)"}"#
    #expect(try await server.request("POST", "/auth/v1/token?grant_type=refresh_token", json: refresh).status == 400)
    // Signing in again creates a new account; other accounts are unaffected.
    #expect(try await server.signIn("ada@example.org").userID != ada.userID)
    #expect(try await insert(bea, "e").status == 201)
  }

  @Test func theListShowsWhatAccountsUseOfTheirQuota() async throws {
    #expect(try await run("list", "--json") == (0, "[]\n"))
    let ada = try await server.signIn("ada@example.org")
    for name in ["a", "b", "c"] { #expect(try await insert(ada, name).status == 201) }
    // A row counts as its texts and 200 bytes: `t`, `{}` and the name.
    let columns = try await run("--account-rows", "1000", "--account-size", "1").output.split(separator: "\t")
    #expect(columns[3...].joined(separator: " ") == "3 612 0.3% 0.0%\n")
    #expect(try await run("--account-rows", "3").output.contains("\t100.0%\t"))
    #expect(try await run("--account-rows", "0").code == 64)
    let json = try await run("list", "--json", "--account-size", "2").output
    #expect(
      json.hasPrefix(#"[{"address":"ada@example.org","created":"2"#)
        && json.hasSuffix(#""events":3,"maxEvents":2000000,"bytes":612,"maxBytes":2097152}]"# + "\n"), "\(json)")
  }

  @Test func aTerminalGetsAHeading() async throws {
    let terminal = Process()
    terminal.executableURL = URL(fileURLWithPath: "/usr/bin/script")
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent("trunk-server").path
    terminal.arguments = ["-qec", "'\(program)' accounts --data '\(server.folder)'", "/dev/null"]
    let output = Pipe()
    (terminal.standardOutput, terminal.standardInput) = (output, FileHandle.nullDevice)
    try terminal.run()
    let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    terminal.waitUntilExit()
    #expect(said.hasPrefix("address\tcreated\tlast sign-in\tevents\tbytes\tof events\tof bytes"), "\(said)")
    #expect(try await run() == (0, ""))
  }

  @Test func deletionInvalidatesSentCodes() async throws {
    _ = try await server.signIn("ada@example.org")
    _ = try await server.request("POST", "/auth/v1/otp", json: #"{"email":"ada@example.org"}"#)
    let code = try await server.code(for: "ada@example.org")
    #expect(try await run("delete", "ada@example.org", "--yes") == (0, ""))
    let body = #"{"type":"email","email":"ada@example.org","token":"\#(code)"}"#
    #expect(try await server.request("POST", "/auth/v1/verify", json: body).status == 403)
  }
}
