import FaultServer
import SyncBackends
import SyncEngine
import Testing
import TrunkModel

@testable import SyncBackends

@Suite struct RealtimeTests {
  private static let row1 = "row 1 2026-02-09T14:32:07.123456+00:00 c1"

  @Test func joinsAndReceivesRows() async throws {
    let (joins, tellJoin) = AsyncStream<[JSON]>.makeStream()
    let server = RealtimePeer.server { peer in
      tellJoin.yield(peer.join)
      peer.acceptJoin()
      peer.goLive()
      peer.report(RealtimePeer.record(1))
    }
    let (signals, failure) = await signals(from: server, stopAfter: 2)
    #expect(signals == ["live", Self.row1])
    #expect(failure == nil)
    #expect(server.requests.map(\.target) == ["/realtime/v1/websocket?apikey=key%2B1&vsn=2.0.0"])
    for await join in joins {
      #expect(join[0] == join[1])
      #expect(join[4]["access_token"]?.text == "token-1")
      let config = join[4]["config"]
      #expect(config?["private"] == .bool(false))
      #expect(config?["postgres_changes"]?.compactText == "[\(RealtimePeer.subscription)]")
      break
    }
  }

  @Test func leavesRowsToThePullUntilItIsLive() async {
    let server = RealtimePeer.server { peer in
      peer.report(RealtimePeer.record(2))
      peer.acceptJoin()
      peer.report(RealtimePeer.record(3))
      peer.goLive()
      peer.report(RealtimePeer.record(1))
    }
    #expect(await signals(from: server, stopAfter: 2).signals == ["live", Self.row1])
  }

  @Test func incompleteRowsBecomeHints() async {
    let server = RealtimePeer.server { peer in
      peer.acceptJoin()
      peer.goLive()
      // For values that are too large, the server leaves out the values or the whole row.
      peer.report(#"{"id":"1","type":"sun_shone"}"#, errors: #"["Error 413: Payload Too Large"]"#)
      peer.report(RealtimePeer.record(1), errors: #"["Error 401: Unauthorized"]"#)
      peer.report(nil, errors: #"["Error 400: Bad Request, no primary key"]"#)
      peer.report(#"{"id":"1","type":"sun_shone"}"#)
      peer.push("postgres_changes", "{}")
      peer.report(RealtimePeer.record(1), errors: "[]")
    }
    #expect(
      await signals(from: server, stopAfter: 7).signals
        == ["live", "changed", "changed", "changed", "changed", "changed", Self.row1])
  }

  @Test func ignoresUnrelatedFrames() async {
    let server = RealtimePeer.server { peer in
      peer.acceptJoin()
      peer.goLive()
      peer.report(RealtimePeer.record(2, owner: "another-user"))
      peer.push("phx_close", "{}", join: "0")
      peer.push("phx_error", "{}", join: "0")
      peer.push("presence_state", "{}")
      peer.push("system", #"{"extension":"system","status":"ok","message":"fine"}"#, join: "1")
      peer.socket.send(#"[null,null,"realtime:other","phx_close",{}]"#)
      peer.socket.send(FaultWebSocket.Opcode.binary, [3, 1, 2])
      peer.report(RealtimePeer.record(1))
    }
    #expect(await signals(from: server, stopAfter: 2).signals == ["live", Self.row1])
  }

  @Test func renewsTheTokenWithoutReconnecting() async throws {
    let (frames, tellFrame) = AsyncStream<[JSON]>.makeStream()
    let server = RealtimePeer.server { peer in
      peer.acceptJoin()
      peer.goLive()
      if let frame = peer.next() { tellFrame.yield(frame) }
      peer.goLive()
    }
    let realtime = SupabaseProject(server: server.address, key: "key").live()
    let (renewals, renew) = AsyncStream<AccessToken>.makeStream()
    let token = AccessToken("token-1", userID: RealtimePeer.userID)
    var signals = realtime.listen(token: token, renewals: renewals).makeAsyncIterator()
    #expect(try await signals.next()?.text == "live")
    renew.yield(AccessToken("token-2", userID: RealtimePeer.userID))
    // The end of the token stream does not end the connection.
    renew.finish()
    #expect(try await signals.next()?.text == "live")
    for await frame in frames {
      #expect(frame[0].text == "1")
      #expect(frame[3].text == "access_token")
      #expect(frame[4].compactText == #"{"access_token":"token-2"}"#)
      break
    }
  }

  @Test func leavesWhenItIsCancelled() async throws {
    let (ends, tellEnd) = AsyncStream<String>.makeStream()
    let server = RealtimePeer.server { peer in
      peer.acceptJoin()
      peer.goLive()
      tellEnd.yield(peer.next()?[3].text ?? "nothing")
      tellEnd.yield(peer.socket.receive()?.opcode == FaultWebSocket.Opcode.close ? "close" : "no close")
      peer.socket.close(1000)
      tellEnd.finish()
    }
    #expect(await signals(from: server, stopAfter: 1).signals == ["live"])
    var frames: [String] = []
    for await frame in ends { frames.append(frame) }
    #expect(frames == ["phx_leave", "close"])
  }

  @Test func detectsASilentServer() async {
    let server = RealtimePeer.server { peer in
      peer.acceptJoin()
      peer.goLive()
    }
    // Long enough for the join on a busy computer.
    let limits = Realtime.TimeLimits(heartbeat: .seconds(2), firstHeartbeat: .seconds(2))
    let (signals, failure) = await signals(from: server, limits: limits)
    #expect(signals == ["live"])
    #expect(failure == .unreachable(detail: "heartbeat without an answer"))
  }

  @Test func staysWithAServerThatAnswersHeartbeats() async {
    let server = RealtimePeer.server { peer in
      peer.acceptJoin()
      peer.goLive()
      for _ in 0..<2 {
        guard let text = peer.socket.receiveText(), let frame = (try? JSON(text))?.elements,
          let reference = frame[1].text
        else { return }
        peer.socket.send(#"[null,"\#(reference)","phoenix","phx_reply",{"status":"ok","response":{}}]"#)
      }
      peer.report(RealtimePeer.record(1))
    }
    // Long enough for an answer on a busy computer.
    let limits = Realtime.TimeLimits(heartbeat: .seconds(3), firstHeartbeat: .seconds(3))
    #expect(await signals(from: server, limits: limits, stopAfter: 2).signals == ["live", Self.row1])
  }

  @Test func detectsAnUnansweredJoin() async {
    let server = RealtimePeer.server { _ in }
    let limits = Realtime.TimeLimits(join: .milliseconds(50))
    #expect(await signals(from: server, limits: limits).failure == .unreachable(detail: "join without an answer"))
  }

  @Test func detectsAJoinWithoutASubscription() async {
    let server = RealtimePeer.server { $0.acceptJoin() }
    // Long enough for the join on a busy computer.
    let limits = Realtime.TimeLimits(join: .seconds(3), subscription: .milliseconds(3050))
    let (signals, failure) = await signals(from: server, limits: limits)
    #expect(signals == [])
    #expect(failure == .unavailable(status: 503, code: "not_subscribed", retryAfter: nil))
  }

  @Test(arguments: Ending.allCases) func reportsWhyItEnded(ending: Ending) async {
    let server = RealtimePeer.server { peer in
      if !ending.isBeforeJoin {
        peer.acceptJoin()
        peer.goLive()
      }
      ending.play(peer)
    }
    let (signals, failure) = await signals(from: server, socketLimits: WebSocketLimits(frameBytes: 10_000))
    #expect(signals == (ending.isBeforeJoin ? [] : ["live"]))
    #expect(ending.fits(failure), "\(String(describing: failure))")
  }

  enum Ending: CaseIterable {
    case joinRejected, otherSubscription, wrongTable
    case expiry, close, crash, databaseTrouble, goodBye, midFrame, hugeFrame, notJSON, notAFrame

    var isBeforeJoin: Bool { [.joinRejected, .otherSubscription, .wrongTable].contains(self) }

    func play(_ peer: RealtimePeer) {
      func system(_ rest: String) { peer.push("system", #"{"channel":"trunk-events",\#(rest)}"#, join: "1") }
      switch self {
      case .joinRejected:
        peer.push(
          "phx_reply", #"{"status":"error","response":{"reason":"MalformedJWT: what is this"}}"#, join: "1",
          reference: "1")
      case .otherSubscription: peer.acceptJoin(RealtimePeer.subscription.replacing("public", with: "private"))
      case .wrongTable:
        peer.acceptJoin()
        system(
          #""extension":"postgres_changes","status":"error","#
            + #""message":"Unable to subscribe to changes with given parameters. Is it enabled?""#)
      case .expiry:
        system(#""extension":"system","status":"error","message":"Token has expired 3 seconds ago""#)
        peer.push("phx_close", "{}", join: "1")
      case .close: peer.push("phx_close", "{}", join: "1", reference: "1")
      case .crash: peer.push("phx_error", "{}", join: "1", reference: "1")
      case .databaseTrouble:
        system(#""extension":"postgres_changes","status":"error","message":"connection not available""#)
      case .goodBye:
        peer.socket.close(1001)
        drain(peer)
      case .midFrame:
        peer.socket.send(FaultWebSocket.Opcode.text, Array("[null,".utf8), declaredLength: 900)
        peer.socket.disconnect()
      case .hugeFrame:
        peer.report(#"{"payload":"\#(String(repeating: "x", count: 10_000))"}"#)
        drain(peer)
      case .notJSON: peer.socket.send("<html>")
      case .notAFrame: peer.socket.send(#"{"topic":"phoenix","event":"x","payload":{},"ref":null}"#)
      }
    }

    /// Closing a connection with unread frames resets it, which may lose the last frames that were sent.
    private func drain(_ peer: RealtimePeer) { while peer.socket.receive() != nil {} }

    func fits(_ failure: ServiceFailure?) -> Bool {
      switch (self, failure) {
      case (.joinRejected, .unauthorized("MalformedJWT")), (.expiry, .unauthorized("token_expired")),
        (.otherSubscription, .unintelligible), (.wrongTable, .misconfigured(400, "postgres_changes", _)),
        (.close, .unavailable(503, "phx_close", nil)), (.crash, .unavailable(503, "phx_error", nil)),
        (.databaseTrouble, .unavailable(503, "postgres_changes", nil)),
        (.goodBye, .unavailable(503, "closed_1001", nil)), (.midFrame, .unreachable),
        (.hugeFrame, .unintelligible("frame too large")), (.notJSON, .unintelligible), (.notAFrame, .unintelligible):
        true
      default: false
      }
    }
  }

  @Test(arguments: [401, 403, 404]) func aRejectedKeyIsAMisconfiguration(status: Int) async {
    let server = FaultServer { _, connection in connection.json(#"{"error":"no"}"#, status: status) }
    #expect(await signals(from: server).failure == .misconfigured(status: status, code: "handshake", message: ""))
  }

  @Test(arguments: [200, 302, 429, 500, 503]) func otherResponsesAreTemporary(status: Int) async {
    let server = FaultServer { _, connection in connection.answer(status, ["Retry-After": "9"]) }
    #expect(await signals(from: server).failure == .unavailable(status: status, code: "handshake", retryAfter: 9))
  }

  @Test func reportsARejectedConnection() async {
    let server = FaultServer { _, _ in }
    server.stop()
    guard case .unreachable = await signals(from: server).failure else {
      Issue.record("not unreachable")
      return
    }
  }

  @Test func unencryptedTrafficStaysOnThisComputer() async {
    let realtime = SupabaseProject(server: "http://example.org", key: "key").live()
    await #expect(throws: ServiceFailure.misconfigured(status: 0, code: "insecure_address", message: "")) {
      for try await _ in realtime.listen(
        token: AccessToken("t", userID: "u"), renewals: AsyncStream { _ in })
      {}
    }
  }
}
