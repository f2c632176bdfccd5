import EventStore
import FaultServer
import Foundation
import SyncBackends
import SyncEngine
import TrunkModel

/// A readable token without a valid signature.
func token(subject: String?, lifetime: Int = 3600) -> String {
  func part(_ text: String) -> String { Base64URL.encode(text.utf8) }
  let subject = subject.map { "\"sub\":\"\($0)\"," } ?? ""
  return part(#"{"alg":"HS256"}"#) + "."
    + part("{\(subject)\"email\":\"ada@example.org\",\"iat\":1000,\"exp\":\(1000 + lifetime)}") + ".c2lnbmF0dXJl"
}

let user = "6f0a1c86-8b3e-4d5a-9d0e-1f2a3b4c5d6e"
let access = AccessToken(token(subject: user), userID: user)

/// A row of the table in PostgREST's format.
func row(_ number: Int, at time: String = "2026-02-09T14:32:07.123456+00:00") -> String {
  let clientID = "2026-02-09T14:32:07.000Z-" + String(String(number + 0x1000_0000, radix: 16))
  return #"{"id":"00000000-0000-4000-8000-\#(String(format: "%012d", number))","created_at":"\#(time)","#
    + #""type":"sun_shone","payload":{"type": "sun_shone", "twigId": "branch-0-twig-0", "content": "Grün \#(number)", "#
    + #""twigLabel": "Leaf", "timestamp": "2026-02-09T14:32:07.000Z", "client_id": "\#(clientID)"},"#
    + #""client_id":"\#(clientID)","client_timestamp":"2026-02-09T14:32:07.000Z"}"#
}

/// A Supabase project on a server with scripted responses.
struct Project {
  let server: FaultServer
  let project: SupabaseProject
  let events: any EventService
  let auth: any AccountService

  init(_ answer: @escaping @Sendable (FaultRequest, FaultConnection) -> Void) {
    server = FaultServer(answer)
    project = SupabaseProject(server: server.address, key: "publishable")
    let client = HTTPClient(userAgent: "Trunk/test")
    events = project.events(client)
    auth = project.auth(client)
  }

  /// Gives the same response to every request.
  init(_ status: Int, _ body: String, _ headers: [String: String] = [:]) {
    self.init { request, connection in
      connection.answer(status, headers, body: request.method == "HEAD" ? "" : body)
    }
  }
}

/// The failure of an operation; `nil` if it succeeds.
func failure<Value, Failure: Error>(_ operation: () async throws(Failure) -> Value) async -> Failure? {
  do throws(Failure) {
    _ = try await operation()
    return nil
  } catch {
    return error
  }
}
