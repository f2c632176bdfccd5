import FaultServer
import Foundation
import Testing

@testable import SyncBackends

/// Tests errors of servers and proxies.
@Suite struct HTTPFaultTests {
  let client = HTTPClient(userAgent: "Trunk/test")

  private func failure(
    limits: HTTPLimits = HTTPLimits(), _ answer: @escaping @Sendable (FaultRequest, FaultConnection) -> Void
  ) async -> HTTPFailure? {
    let server = FaultServer(answer)
    do throws(HTTPFailure) {
      _ = try await client.send(HTTPRequest(.get, server.address, limits: limits))
      return nil
    } catch {
      return error
    }
  }

  @Test func aRedirectIsReturned() async throws {
    let other = FaultServer { $1.answer(200) }
    let server = FaultServer { [address = other.address] in $1.answer(302, ["Location": address]) }
    let answer = try await client.send(HTTPRequest(.get, server.address, headers: [("apikey", "secret")]))
    #expect(answer.status == 302 && answer["location"] == other.address)
    #expect(other.connectionCount == 0)
  }

  @Test func resetsAndEarlyEndsLoseTheConnection() async {
    #expect(await failure { $1.reset() } == .connectionLost)
    #expect(await failure { $1.close() } == .connectionLost)
    #expect(
      await failure {
        $1.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345")
        $1.close()
      } == .connectionLost)
    #expect(
      await failure {
        $1.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n")
        $1.close()
      } == .connectionLost)
    #expect(await failure { $1.send("220 smtp.example.org\r\n\r\n") } == .connectionLost)
  }

  @Test func everyTruncationIsDetected() async {
    let whole = Array(
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n[1,2,3,4,5]\n".utf8)
    for count in 0..<whole.count {
      let result = await failure {
        $1.send(Array(whole[..<count]))
        if count % 2 == 0 { $1.close() } else { $1.reset() }
      }
      #expect(result == .connectionLost, "after \(count) bytes")
    }
  }

  @Test func stalledTransfersTimeOut() async {
    let limits = HTTPLimits(stall: 1, total: 60_000)
    #expect(await failure(limits: limits) { $1.stall() } == .timedOut)
    #expect(await failure(limits: HTTPLimits(total: 200)) { $1.stall() } == .timedOut)
    #expect(
      await failure(limits: limits) {
        $1.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345")
        $1.stall()
      } == .timedOut)
  }

  @Test func occasionalBytesAreNotProgress() async {
    let result = await failure(limits: HTTPLimits(stall: 1, total: 60_000)) {
      $1.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
      $1.trickle(every: 50)
    }
    #expect(result == .timedOut)
  }

  @Test func aLargeAnswerEndsAtTheLimit() async {
    let limits = HTTPLimits(bodyBytes: 100_000)
    let exact = await failure(limits: limits) { $1.answer(200, bytes: [UInt8](repeating: 0, count: 100_000)) }
    #expect(exact == nil)
    #expect(
      await failure(limits: limits) { $1.answer(200, bytes: [UInt8](repeating: 0, count: 100_001)) } == .tooLarge)
    #expect(
      await failure(limits: limits) {
        $1.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        let chunk = "1000\r\n" + String(repeating: "x", count: 4096) + "\r\n"
        while $1.send(chunk) {}
        $1.close()
      } == .tooLarge)
    #expect(
      await failure(limits: limits) {
        $1.send("HTTP/1.1 200 OK\r\n")
        while $1.send("x: " + String(repeating: "y", count: 1000) + "\r\n") {}
        $1.close()
      } == .tooLarge)
  }

  @Test func decompressesUpToTheLimit() async throws {
    let server = FaultServer { request, connection in
      let bytes = Gzip.of(String(repeating: "leaf ", count: request.path == "/bomb" ? 10_000_000 : 10))
      connection.answer(200, ["Content-Encoding": "gzip"], bytes: bytes)
    }
    let answer = try await client.send(HTTPRequest(.get, server.address))
    #expect(String(decoding: answer.body, as: UTF8.self) == String(repeating: "leaf ", count: 10))
    await #expect(throws: HTTPFailure.tooLarge) {
      try await client.send(HTTPRequest(.get, server.address + "/bomb"))
    }
  }

  @Test func reportsMissingServers() async {
    let server = FaultServer { $1.answer(200) }
    server.stop()
    await #expect(throws: HTTPFailure.noConnection) { try await client.send(HTTPRequest(.get, server.address)) }
    await #expect(throws: HTTPFailure.noSuchHost) {
      try await client.send(HTTPRequest(.get, "https://missing.invalid/"))
    }
  }
}

enum Gzip {
  static func of(_ text: String) -> [UInt8] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/gzip")
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    guard (try? process.run()) != nil else { return [] }
    Thread.detachNewThread {
      input.fileHandleForWriting.write(Data(text.utf8))
      try? input.fileHandleForWriting.close()
    }
    return [UInt8](output.fileHandleForReading.readDataToEndOfFile())
  }
}
