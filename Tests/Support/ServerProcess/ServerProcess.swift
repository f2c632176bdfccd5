import Foundation
import FoundationNetworking
import TemporaryFolders
import TrunkModel

/// The built `trunk-server`. It has a separate folder, and prints its sign-in codes for the test.
public final class ServerProcess: @unchecked Sendable {
  /// A signed-in user.
  public struct Session: Sendable {
    public let userID: String
    public let email: String
    public let accessToken: String
    public let refreshToken: String
  }

  public struct Failure: Error, CustomStringConvertible {
    public let description: String
  }

  /// `http://127.0.0.1:PORT`.
  public let url: String
  /// The value of the `apikey` header.
  public static let key = "trunk"
  /// The folder with the database.
  public let folder: String

  private let process: Process
  private let lines: LineReader
  private let ownFolder: TemporaryFolder?
  /// Finishes when the process ends.
  private let exits: AsyncStream<Void>

  /// Starts the server and waits until it listens.
  /// - Parameters:
  ///   - folder: the folder of an earlier server, to continue with it; `nil` creates one that is removed with this
  ///     object.
  ///   - port: 0 picks a free port.
  ///   - arguments: more options.
  public init(folder: String? = nil, port: Int = 0, arguments: [String] = ["--rate-limit", "off"]) async throws {
    if let folder {
      (self.folder, ownFolder) = (folder, nil)
    } else {
      let own = TemporaryFolder("trunk-server")
      (self.folder, ownFolder) = (own.path, own)
    }
    process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent("trunk-server")
    process.arguments =
      ["--data", self.folder, "--listen", "127.0.0.1:\(port)", "--print-codes"] + arguments
    let output = Pipe()
    process.standardOutput = output
    let (exits, exit) = AsyncStream<Void>.makeStream()
    process.terminationHandler = { _ in exit.finish() }
    self.exits = exits
    try process.run()
    lines = LineReader(output.fileHandleForReading)
    guard let line = try await lines.next(with: "listening on ") else {
      for await _ in exits {}
      throw Failure(description: "trunk-server ended with \(process.terminationStatus)")
    }
    url = String(line.dropFirst("listening on ".count))
  }

  deinit {
    if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) }
    // It could still write to the folder, which is removed next.
    process.waitUntilExit()
  }

  public var processID: Int32 { process.processIdentifier }

  /// Sends SIGTERM and waits until the server ends.
  /// - Returns: its exit status.
  @discardableResult
  public func terminate() async -> Int32 {
    process.terminate()
    for await _ in exits {}
    return process.terminationStatus
  }

  /// Kills the server, as a power failure would.
  public func kill() async {
    Glibc.kill(process.processIdentifier, SIGKILL)
    for await _ in exits {}
  }

  /// Waits for the next code that the server prints for an address.
  /// - Throws: `Failure` if the server ends, or prints none within a minute.
  public func code(for email: String) async throws -> String {
    guard let line = try await lines.next(with: "code for \(email): ") else {
      throw Failure(description: "trunk-server ended without a code")
    }
    return String(line.suffix(6))
  }

  /// Signs in through Supabase's interface.
  /// - Throws: `Failure` if the server rejects a request, and errors of `URLSession`.
  public func signIn(_ email: String) async throws -> Session {
    let asked = try await request("POST", "/auth/v1/otp", json: #"{"email":"\#(email)"}"#)
    guard asked.status == 200 else { throw Failure(description: "no code: \(asked.status) \(asked.text)") }
    let code = try await code(for: email)
    let answer = try await request(
      "POST", "/auth/v1/verify", json: #"{"type":"email","email":"\#(email)","token":"\#(code)"}"#)
    let json = try JSON(answer.text)
    guard let access = json["access_token"]?.text, let refresh = json["refresh_token"]?.text,
      let user = json["user"]?["id"]?.text
    else { throw Failure(description: "no session: \(answer.status) \(answer.text)") }
    return Session(userID: user, email: email, accessToken: access, refreshToken: refresh)
  }

  public struct Response: Sendable {
    public let status: Int
    public let text: String
    /// Keyed by lower-case name.
    public let headers: [String: String]

    public func json() throws -> JSON { try JSON(text) }
  }

  /// Makes one request with the key and returns the response, whatever its status.
  /// - Parameters:
  ///   - path: the path and query, percent-encoded.
  ///   - json: the body.
  ///   - token: the bearer token.
  public func request(
    _ method: String, _ path: String, json: String? = nil, token: String? = nil, headers: [String: String] = [:]
  ) async throws -> Response {
    guard let address = URL(string: url + path) else { throw Failure(description: "not a URL: \(path)") }
    var request = URLRequest(url: address)
    request.httpMethod = method
    request.setValue(ServerProcess.key, forHTTPHeaderField: "apikey")
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    request.httpBody = json.map { Data($0.utf8) }
    let (data, response) = try await URLSession.shared.data(for: request)
    guard let response = response as? HTTPURLResponse else { throw Failure(description: "no answer") }
    let fields = response.allHeaderFields.map { ("\($0.key)".lowercased(), "\($0.value)") }
    return Response(
      status: response.statusCode, text: String(decoding: data, as: UTF8.self),
      headers: Dictionary(fields, uniquingKeysWith: { $1 }))
  }
}
