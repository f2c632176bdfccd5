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
    #expect(lines.map { $0.last } == ["2", "1"])
    #expect(lines[0].count == 4 && lines[0][1].wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil)

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

  @Test func deletionInvalidatesSentCodes() async throws {
    _ = try await server.signIn("ada@example.org")
    _ = try await server.request("POST", "/auth/v1/otp", json: #"{"email":"ada@example.org"}"#)
    let code = try await server.code(for: "ada@example.org")
    #expect(try await run("delete", "ada@example.org", "--yes") == (0, ""))
    let body = #"{"type":"email","email":"ada@example.org","token":"\#(code)"}"#
    #expect(try await server.request("POST", "/auth/v1/verify", json: body).status == 403)
  }
}
