import SyncEngine
import Testing
import TrunkModel

@testable import SyncBackends

struct PhoenixChannelTests {
  @Test(
    arguments: [
      ("InvalidJWTToken: Token has expired 5 seconds ago", ServiceFailure.unauthorized(code: "token_expired")),
      ("JwtSignatureError: no", .unauthorized(code: "JwtSignatureError")),
      ("Fields `role` and `exp` are required in JWT", .unauthorized(code: "token_incomplete")),
      (
        "ClientJoinRateLimitReached: slow down",
        .unavailable(status: 429, code: "ClientJoinRateLimitReached", retryAfter: 30)
      ),
      ("Too many messages per second", .unavailable(status: 429, code: "too_many_messages", retryAfter: nil)),
      (
        "TenantNotFound: no such tenant",
        .misconfigured(status: 403, code: "TenantNotFound", message: "TenantNotFound: no such tenant")
      ),
      ("RealtimeRestarting: soon", .unavailable(status: 503, code: "RealtimeRestarting", retryAfter: nil)),
      ("Unknown Error on Channel", .unavailable(status: 503, code: "realtime", retryAfter: nil)),
      ("", .unavailable(status: 503, code: "realtime", retryAfter: nil)),
    ])
  func mapsTheServersReasons(reason: String, failure: ServiceFailure) {
    #expect(PhoenixChannel.failure(reason) == failure)
  }

  @Test func aSecondJoinReplacesTheFirst() throws {
    var channel = PhoenixChannel(userID: RealtimePeer.userID)
    let token = AccessToken("t", userID: RealtimePeer.userID)
    _ = channel.join(token)
    _ = channel.join(token)
    #expect(try channel.received(Self.live(join: "1")) == nil)
    #expect(try channel.received(#"["1",null,"realtime:trunk-events","phx_close",{}]"#) == nil)
    #expect(!channel.isLive)
    #expect(try channel.received(Self.live(join: "2"))?.text == "live")
  }

  /// Frames with bytes changed, removed, duplicated and mixed are accepted, rejected or ignored; none ends the program.
  @Test func survivesAnyFrame() throws {
    var random = SeededRandom(seed: 42)
    var (signals, failures) = (0, 0)
    for _ in 0..<20_000 {
      var channel = PhoenixChannel(userID: RealtimePeer.userID)
      _ = channel.join(AccessToken("t", userID: RealtimePeer.userID))
      _ = try channel.received(Self.live(join: "1"))
      var bytes = Array((Self.samples.randomElement(using: &random) ?? "").utf8)
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        let place = Int.random(in: 0..<max(bytes.count, 1), using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.removeSubrange(place..<min(place + 9, bytes.count))
        case 2: bytes.insert(contentsOf: bytes.prefix(place), at: place / 2)
        default:
          bytes.insert(contentsOf: Array("[]{}\",:null1e9".utf8).shuffled(using: &random).prefix(3), at: place / 2)
        }
      }
      do {
        if try channel.received(String(decoding: bytes, as: UTF8.self)) != nil { signals += 1 }
      } catch {
        failures += 1
      }
    }
    // The test would be useless if all frames were rejected.
    #expect(signals > 1_000)
    #expect(failures > 1_000)
  }

  private static func live(join: String) -> String {
    #"["\#(join)",null,"realtime:trunk-events","system",{"extension":"postgres_changes","status":"ok"}]"#
  }

  private static let samples = [
    live(join: "1"),
    #"["1","1","realtime:trunk-events","phx_reply",{"status":"ok","response":{"postgres_changes":[{"id":1,"#
      + RealtimePeer.subscription.dropFirst() + "]}}]",
    #"["1","1","realtime:trunk-events","phx_reply",{"status":"error","response":{"reason":"Unauthorized: no"}}]"#,
    #"[null,null,"realtime:trunk-events","postgres_changes",{"ids":[1],"data":{"table":"events","type":"INSERT","#
      + #""errors":null,"record":\#(RealtimePeer.record(1))}}]"#,
    #"[null,"2","phoenix","phx_reply",{"status":"ok","response":{}}]"#,
    #"["1",null,"realtime:trunk-events","system",{"extension":"system","status":"error","message":"expired"}]"#,
  ]
}
