import FaultServer
import SyncBackends
import Testing

@Suite struct WebSocketTests {
  @Test func sendsAndReceivesTexts() async throws {
    let server = FaultServer { request, connection in
      let peer = FaultWebSocket(request, connection)
      peer.send("first")
      while let text = peer.receiveText() { peer.send(text) }
      peer.close(1000)
    }
    let socket = try await WebSocket.connect(to: "ws://127.0.0.1:\(server.port)/live?key=a%2Bb")
    var messages = socket.messages.makeAsyncIterator()
    #expect(try await messages.next() == "first")
    // A text may contain NUL, and need the largest format of a frame's length.
    for text in ["", "grün", "a\0b", String(repeating: "x", count: 70_000)] {
      try await socket.send(text)
      #expect(try await messages.next() == text)
    }
    await socket.close()
    #expect(try await messages.next() == nil)
    #expect(server.requests.map(\.target) == ["/live?key=a%2Bb"])
    await #expect(throws: WebSocketFailure.connectionLost) { try await socket.send("late") }
  }

  @Test func joinsFragmentsAndAnswersPings() async throws {
    let server = FaultServer { request, connection in
      let peer = FaultWebSocket(request, connection)
      peer.send(FaultWebSocket.Opcode.binary, [1, 2, 3])
      peer.send(FaultWebSocket.Opcode.text, Array("in ".utf8), isLast: false)
      peer.send(FaultWebSocket.Opcode.ping, [7])
      peer.send(FaultWebSocket.Opcode.continuation, Array("parts".utf8))
      let pong = peer.receive()
      peer.send(pong?.opcode == FaultWebSocket.Opcode.pong && pong?.payload == [7] ? "pong" : "no pong")
      connection.stall()
    }
    let socket = try await WebSocket.connect(to: "ws://localhost:\(server.port)/")
    var messages = socket.messages.makeAsyncIterator()
    #expect(try await messages.next() == "in parts")
    #expect(try await messages.next() == "pong")
  }

  @Test(arguments: [401, 403, 404, 429, 500, 503, 200]) func reportsHowItWasRejected(status: Int) async {
    let server = FaultServer { _, connection in connection.answer(status, ["Retry-After": "7"], body: "{}") }
    await #expect(throws: WebSocketFailure.rejected(status: status, retryAfter: 7)) {
      try await WebSocket.connect(to: "ws://127.0.0.1:\(server.port)/")
    }
  }

  @Test(
    arguments: [
      ("9223372036854775807", 86_400), ("-9223372036854775808", nil), ("soon", nil),
    ] as [(String, Int64?)])
  func anAbsurdPauseIsADayAtMost(header: String, seconds: Int64?) async {
    let server = FaultServer { _, connection in connection.answer(503, ["Retry-After": header]) }
    await #expect(throws: WebSocketFailure.rejected(status: 503, retryAfter: seconds)) {
      try await WebSocket.connect(to: "ws://127.0.0.1:\(server.port)/")
    }
  }

  @Test func followsNoRedirect() async {
    let target = FaultServer { request, connection in _ = FaultWebSocket(request, connection) }
    let server = FaultServer { _, connection in
      connection.answer(302, ["Location": "http://127.0.0.1:\(target.port)/"])
    }
    await #expect(throws: WebSocketFailure.rejected(status: 302, retryAfter: nil)) {
      try await WebSocket.connect(to: "ws://127.0.0.1:\(server.port)/")
    }
    #expect(target.requests.isEmpty)
  }

  @Test func unencryptedTrafficStaysOnThisComputer() async {
    for address in [
      "ws://example.org/", "ws://127.0.0.1.example.org/", "http://127.0.0.1/", "wss://me:secret@example.org/", "ws:",
      "",
    ] {
      await #expect(throws: WebSocketFailure.insecureAddress, "\(address)") {
        try await WebSocket.connect(to: address)
      }
    }
  }

  @Test func aSelfSignedCertificateIsNotTrusted() async throws {
    let server = try TLSServer()
    let failure = await failure { try await WebSocket.connect(to: "wss://localhost:\(server.port)/") }
    guard case .unreachable = failure else { throw Unexpected(failure) }
    // When it is trusted, the same server responds, but not with WebSocket.
    await #expect(throws: WebSocketFailure.rejected(status: 200, retryAfter: nil)) {
      try await WebSocket.connect(to: "wss://localhost:\(server.port)/", authorities: server.certificate)
    }
    let otherName = await self.failure {
      try await WebSocket.connect(to: "wss://127.0.0.1:\(server.port)/", authorities: server.certificate)
    }
    guard case .unreachable = otherName else { throw Unexpected(otherName) }
  }

  @Test func timesOutOnASilentServer() async {
    let server = FaultServer { _, connection in connection.stall() }
    await #expect(throws: WebSocketFailure.unreachable(detail: "timed out")) {
      try await WebSocket.connect(
        to: "ws://127.0.0.1:\(server.port)/", limits: WebSocketLimits(connect: .milliseconds(100)))
    }
  }

  @Test func reportsARejectedConnection() async throws {
    let server = FaultServer { _, _ in }
    server.stop()
    let failure = await failure { try await WebSocket.connect(to: "ws://127.0.0.1:\(server.port)/") }
    guard case .unreachable = failure else { throw Unexpected(failure) }
  }

  @Test func cancellingEndsTheHandshake() async throws {
    let (asked, tellAsked) = AsyncStream<Void>.makeStream()
    let server = FaultServer { _, connection in
      tellAsked.yield()
      connection.stall()
      tellAsked.finish()
    }
    let address = "ws://127.0.0.1:\(server.port)/"
    let attempt = Task { try await WebSocket.connect(to: address) }
    var signs = asked.makeAsyncIterator()
    await signs.next()
    attempt.cancel()
    await #expect(throws: WebSocketFailure.cancelled) { try await attempt.value }
    // The server sees that the connection has been closed.
    #expect(await signs.next() == nil)
  }

  @Test func endsWithItsLastReference() async throws {
    let (ends, tellEnd) = AsyncStream<Bool>.makeStream()
    let server = FaultServer { request, connection in
      let peer = FaultWebSocket(request, connection)
      tellEnd.yield(peer.receiveText() == nil)
    }
    _ = try await WebSocket.connect(to: "ws://127.0.0.1:\(server.port)/")
    for await isOver in ends {
      #expect(isOver)
      break
    }
  }

  /// How the peer ends the connection, and what the client reports after one message.
  @Test(arguments: Ending.allCases) func reportsHowItEnded(ending: Ending) async throws {
    let (ends, tellEnd) = AsyncStream<Void>.makeStream()
    let server = FaultServer { request, connection in
      let peer = FaultWebSocket(request, connection)
      peer.send("one")
      ending.play(peer, connection)
      tellEnd.finish()
    }
    let socket = try await WebSocket.connect(
      to: "ws://127.0.0.1:\(server.port)/", limits: WebSocketLimits(frameBytes: 1_000, unreadMessages: 10))
    // Reading starts only after the connection has ended.
    for await _ in ends {}
    let failure = await failure {
      for try await _ in socket.messages {}
      return socket
    }
    #expect(ending.fits(failure), "\(String(describing: failure))")
  }

  enum Ending: CaseIterable {
    case close, nothing, reset, midFrame, tooLarge, tooLargeAnnounced, notUTF8, reserved, flood

    func play(_ peer: FaultWebSocket, _ connection: FaultConnection) {
      switch self {
      case .close: peer.close(1001)
      case .nothing: connection.close()
      case .reset: connection.reset()
      case .midFrame:
        peer.send(FaultWebSocket.Opcode.text, Array("cut".utf8), declaredLength: 900)
        connection.close()
      case .tooLarge: peer.send(String(repeating: "x", count: 1_001))
      case .tooLargeAnnounced: peer.send(FaultWebSocket.Opcode.text, [1], declaredLength: 1 << 62)
      case .notUTF8: peer.send(FaultWebSocket.Opcode.text, [0xC3, 0x28])
      case .reserved: peer.send(0x73, [])
      case .flood: for _ in 0..<20 { peer.send("x") }
      }
      // The connection is reset when its last reference is released.
      if self != .reset { while let frame = peer.receive(), frame.opcode != FaultWebSocket.Opcode.close {} }
    }

    func fits(_ failure: WebSocketFailure?) -> Bool {
      switch (self, failure) {
      case (.close, .closed(1001)), (.tooLarge, .tooLarge), (.tooLargeAnnounced, .tooLarge), (.flood, .tooMany),
        (.notUTF8, .violation), (.reserved, .violation), (.nothing, .connectionLost), (.reset, .connectionLost),
        (.midFrame, .connectionLost):
        true
      default: false
      }
    }
  }

  private func failure(_ body: () async throws -> WebSocket) async -> WebSocketFailure? {
    do {
      _ = try await body()
      return nil
    } catch {
      return error as? WebSocketFailure
    }
  }
}

struct Unexpected: Error {
  let failure: WebSocketFailure?
  init(_ failure: WebSocketFailure?) { self.failure = failure }
}
