import FaultServer
import Foundation
import Synchronization
import Testing
import TrunkModel

@testable import SyncBackends

@Suite struct HTTPClientTests {
  let client = HTTPClient(userAgent: "Trunk/test")

  private func failure(_ request: HTTPRequest) async -> HTTPFailure? {
    do throws(HTTPFailure) {
      _ = try await client.send(request)
      return nil
    } catch {
      return error
    }
  }

  @Test func sendsRequestsAndReturnsResponses() async throws {
    let server = FaultServer { request, connection in
      connection.answer(
        request.method == "DELETE" ? 404 : 201, ["X-Name": " a: b ", "x-name": "second"],
        body: request.method == "HEAD" ? "" : request.text + "!")
    }
    for method in [HTTPRequest.Method.get, .post, .put, .delete, .head] {
      let carriesBody = [.post, .put].contains(method)
      let answer = try await client.send(
        HTTPRequest(
          method, server.address + "/a?b=c%2B", headers: [("apikey", "k"), ("Empty", "")],
          body: carriesBody ? Array("grün".utf8) : nil))
      #expect(answer.status == (method == .delete ? 404 : 201))
      #expect(answer["x-name"] == "a: b")
      #expect(String(decoding: answer.body, as: UTF8.self) == (method == .head ? "" : carriesBody ? "grün!" : "!"))
    }
    #expect(server.requests.map(\.method) == ["GET", "POST", "PUT", "DELETE", "HEAD"])
    let request = try #require(server.requests.first)
    #expect(request.target == "/a?b=c%2B")
    #expect(request.headers["apikey"] == "k" && request.headers["empty"]?.isEmpty == true)
    #expect(request.headers["user-agent"] == "Trunk/test")
    #expect(request.headers["cookie"] == nil && request.headers["expect"] == nil)
  }

  @Test func comparesTheClockWithTheServers() async throws {
    let date = Mutex("Thu, 09 Oct 2025 08:53:20 GMT")
    let server = FaultServer { request, connection in
      connection.answer(
        200,
        request.target == "/cached" ? ["Date": date.withLock { $0 }, "Age": "9000"] : ["Date": date.withLock { $0 }])
    }
    let now = Mutex(Instant(milliseconds: 1_760_000_000_000))
    let client = HTTPClient(.init(userAgent: "Trunk/test", authorities: nil)) {
      0
    } now: {
      now.withLock { $0 }
    }
    func compare(_ path: String = "/") async throws -> Int64? {
      _ = try await client.send(HTTPRequest(.get, server.address + path))
      return client.clockDifference?.seconds
    }
    #expect(try await compare() == nil)
    now.withLock { $0 = $0.adding(seconds: 10_800) }
    #expect(try await compare("/cached") == nil)
    #expect(try await compare() == 10_800)
    date.withLock { $0 = "Thu, 09 Oct 2025 13:53:20 GMT" }
    #expect(try await compare() == -7200)
    date.withLock { $0 = "soon" }
    #expect(try await compare() == -7200, "a response without a date compares nothing")
    date.withLock { $0 = "Thu, 09 Oct 2025 11:53:20 GMT" }
    #expect(try await compare() == nil)
  }

  @Test func anEmptyPostIsNotReadFromStandardInput() async throws {
    let server = FaultServer { $1.answer(204) }
    _ = try await client.send(HTTPRequest(.post, server.address))
    #expect(server.requests.first?.headers["content-length"] == "0")
  }

  @Test func reusesConnectionsUntilASuspend() async throws {
    let server = FaultServer { $1.answer(200, ["Set-Cookie": "a=b"]) }
    let asleep = Mutex(100)
    let client = HTTPClient(.init(userAgent: "Trunk/test", authorities: nil)) { asleep.withLock { $0 } }
    for _ in 0..<5 { _ = try await client.send(HTTPRequest(.get, server.address)) }
    #expect(server.connectionCount == 1)
    asleep.withLock { $0 += 3600 }
    for _ in 0..<5 { _ = try await client.send(HTTPRequest(.get, server.address)) }
    #expect(server.connectionCount == 2)
    #expect(server.requests.allSatisfy { $0.headers["cookie"] == nil })
  }

  @Test func unrepeatableRequestsAreSentOnce() async throws {
    // The server closes the reused connection on the second request.
    let server = FaultServer { request, connection in
      if request.method == "GET" { connection.answer(200) } else { connection.close() }
    }
    _ = try await client.send(HTTPRequest(.get, server.address))
    #expect(await failure(HTTPRequest(.post, server.address, isRepeatable: false)) == .connectionLost)
    #expect(server.requests.count == 2)
    #expect(server.connectionCount == 2)
  }

  @Test func concurrentRequestsDoNotBlockEachOther() async throws {
    let (released, release) = AsyncStream.makeStream(of: Void.self)
    let server = FaultServer { request, connection in
      if request.path == "/slow" {
        let done = DispatchSemaphore(value: 0)
        Task {
          for await _ in released {}
          done.signal()
        }
        done.wait()
      }
      connection.answer(200, body: request.path)
    }
    async let slow = client.send(HTTPRequest(.get, server.address + "/slow"))
    for number in 0..<20 {
      let answer = try await client.send(HTTPRequest(.get, server.address + "/\(number)"))
      #expect(String(decoding: answer.body, as: UTF8.self) == "/\(number)")
    }
    release.finish()
    #expect(try await slow.status == 200)
  }

  @Test func cancellationEndsTheTransferAtOnce() async throws {
    let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
    let (departures, departed) = AsyncStream.makeStream(of: Void.self)
    let server = FaultServer { _, connection in
      arrived.yield()
      connection.stall()
      departed.yield()
    }
    let task = Task { await failure(HTTPRequest(.get, server.address)) }
    for await _ in arrivals { break }
    task.cancel()
    #expect(await task.value == .cancelled)
    for await _ in departures { break }  // the connection is closed, not left behind

    let early = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await failure(HTTPRequest(.get, server.address))
    }
    #expect(await early.value == .cancelled)
  }

  @Test(arguments: [
    "http://example.org/", "ftp://127.0.0.1/", "file:///etc/passwd", "http://127.0.0.1.example.org/", "example.org",
    "http://localhost.example.org", "https://user:word@example.org/", "http://127.0.0.1@example.org/", "https:///",
    "", "https://exa mple.org", "http://[::2]/", "http://0.0.0.0/", "ws://127.0.0.1/",
  ])
  func unsafeAddressesAreRejected(url: String) async {
    #expect(await failure(HTTPRequest(.get, url)) == .insecureAddress)
  }

  @Test(arguments: ["http://127.0.0.1", "http://localhost:1", "http://[::1]/a", "http://127.8.0.1:80", "https://a.b"])
  func safeAddressesAreAccepted(url: String) throws {
    #expect(HTTPAddress(url)?.isSafe == true)
  }

  @Test func headersWithLineBreaksAreRejected() async {
    let server = FaultServer { $1.answer(200) }
    for header in [("a", "b\r\nc: d"), ("a\nb", "c"), ("", "c"), ("a:", "b"), ("a b", "c"), ("a", "\0")] {
      #expect(await failure(HTTPRequest(.get, server.address, headers: [header])) == .badHeader)
    }
    #expect(server.requests.isEmpty)
  }

  @Test func unencryptedRequestsBypassTheProxy() async {
    // In its own process, because all tests share the environment.
    await #expect(processExitsWith: .success) {
      let proxy = FaultServer { $1.answer(502) }
      let server = FaultServer { $1.answer(200) }
      setenv("http_proxy", proxy.address, 1)
      let answer = try await HTTPClient(userAgent: "Trunk/test").send(HTTPRequest(.get, server.address))
      #expect(answer.status == 200)
      #expect(proxy.requests.isEmpty)
    }
  }

  @Test func aProxySeesOnlyTheHost() async {
    await #expect(processExitsWith: .success) {
      let proxy = FaultServer { $1.answer(403, body: "<html></html>") }
      setenv("https_proxy", proxy.address, 1)
      let request = HTTPRequest(
        .post, "https://garden.example:444/path", headers: [("apikey", "secret"), ("Authorization", "Bearer secret")],
        body: Array("secret".utf8))
      await #expect(throws: HTTPFailure.connectionLost) { try await HTTPClient(userAgent: "Trunk/test").send(request) }
      let asked = proxy.requests
      #expect(asked.map(\.method) == ["CONNECT"] && asked.map(\.target) == ["garden.example:444"])
      #expect(asked.allSatisfy { request in !request.headers.values.contains { $0.contains("secret") } })
      #expect(asked.allSatisfy { $0.headers["apikey"] == nil })
    }
  }

  @Test func namesWhatIsWrongWithACertificate() async throws {
    let server = try TLSServer()
    let url = "https://localhost:\(server.port)/"
    #expect(await failure(HTTPRequest(.get, url)) == .untrustedIssuer)
    let trusting = HTTPClient(userAgent: "Trunk/test", authorities: server.certificate)
    #expect(try await trusting.send(HTTPRequest(.get, url)).body == Array("ok".utf8))
    // The same certificate, but for another host name.
    await #expect(throws: HTTPFailure.certificateName) {
      try await trusting.send(HTTPRequest(.get, "https://127.0.0.1:\(server.port)/"))
    }
    for (years, expected) in [(2001...2002, HTTPFailure.certificateExpired), (2090...2091, .certificateNotYetValid)] {
      let server = try TLSServer(years: years)
      let trusting = HTTPClient(userAgent: "Trunk/test", authorities: server.certificate)
      await #expect(throws: expected) {
        try await trusting.send(HTTPRequest(.get, "https://localhost:\(server.port)/"))
      }
    }
  }

  @Test(arguments: [
    ("https://garden.example.org/auth/v1/otp?code=1", "https://garden.example.org"),
    ("http://garden.example.org:8080/auth", "http://garden.example.org:8080"),
    ("/elsewhere?code=1", "/elsewhere"), ("ftp://a.example", nil), ("https://ada:secret@a.example", nil),
  ])
  func namesTheAddressOfARedirect(location: String, address: String?) async throws {
    let server = FaultServer { $1.answer(308, ["Location": location]) }
    let response = try await HTTPClient(userAgent: "Trunk/test").send(HTTPRequest(.get, server.address + "/auth"))
    let expected = address.map { $0.hasPrefix("/") ? server.address + $0 : $0 }
    #expect(response.status == 308 && response.movedTo == expected)
    #expect(server.requests.count == 1, "never followed")
  }

  @Test func encodesReservedBytes() {
    #expect("aZ09-._~".percentEncoded == "aZ09-._~")
    #expect("a+b c/ü\0%".percentEncoded == "a%2Bb%20c%2F%C3%BC%00%25")
  }
}
