import EventStore
import FaultServer
import Foundation
import SyncBackends
import SyncEngine
import TrunkModel

@testable import SyncBackends

/// The server's end of realtime, scripted by a test. Used on the thread of its connection.
struct RealtimePeer {
  static let userID = "7d3c0a4e-0000-4000-8000-000000000001"
  static let subscription =
    #"{"event":"INSERT","schema":"public","table":"events","filter":"user_id=eq.\#(userID)"}"#

  let socket: FaultWebSocket
  let topic: String
  /// The join as received.
  let join: [JSON]

  /// Waits for the join.
  init?(_ socket: FaultWebSocket) {
    guard let text = socket.receiveText(), let join = (try? JSON(text))?.elements, join.count == 5,
      join[3].text == "phx_join"
    else { return nil }
    self.socket = socket
    self.join = join
    topic = join[2].text ?? ""
  }

  /// A server that runs `script` for each connection.
  static func server(_ script: @escaping @Sendable (RealtimePeer) -> Void) -> FaultServer {
    FaultServer { request, connection in
      let socket = FaultWebSocket(request, connection)
      guard let peer = RealtimePeer(socket) else { return connection.close() }
      script(peer)
      while socket.receive() != nil {}
      connection.close()
    }
  }

  func push(_ event: String, _ payload: String, join: String? = nil, reference: String? = nil) {
    func quoted(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "null" }
    socket.send("[\(quoted(join)),\(quoted(reference)),\"\(topic)\",\"\(event)\",\(payload)]")
  }

  func acceptJoin(_ subscription: String = RealtimePeer.subscription) {
    let changes = #"[{"id":77,"# + subscription.dropFirst() + "]"
    push(
      "phx_reply", #"{"status":"ok","response":{"postgres_changes":\#(changes)}}"#, join: "1", reference: "1")
  }

  func goLive() {
    push(
      "system",
      #"{"channel":"trunk-events","extension":"postgres_changes","status":"ok","message":"Subscribed to PostgreSQL"}"#,
      join: "1")
  }

  func report(_ record: String?, errors: String = "null", type: String = "INSERT") {
    let record = record.map { #","record":\#($0)"# } ?? ""
    push(
      "postgres_changes",
      #"{"ids":[77],"data":{"schema":"public","table":"events","type":"\#(type)","errors":\#(errors)\#(record)}}"#)
  }

  static func record(_ number: Int, owner: String = userID) -> String {
    #"{"id":"00000000-0000-4000-8000-\#(String(format: "%012d", number))","user_id":"\#(owner)","#
      + #""created_at":"2026-02-09T14:32:07.123456+00:00","type":"sun_shone","#
      + #""payload":{"type":"sun_shone","timestamp":"2026-02-09T14:32:07.000Z","client_id":"c\#(number)"},"#
      + #""client_id":"c\#(number)","client_timestamp":"2026-02-09T14:32:07.000Z"}"#
  }

  /// The next frame that is not a heartbeat; `nil` at the end.
  func next() -> [JSON]? {
    while let text = socket.receiveText() {
      guard let frame = (try? JSON(text))?.elements, frame[2].text != "phoenix" else { continue }
      return frame
    }
    return nil
  }
}

/// Listens to a server. Returns the signals in order, and the failure that ended listening.
func signals(
  from server: FaultServer, limits: Realtime.TimeLimits = Realtime.TimeLimits(),
  socketLimits: WebSocketLimits = WebSocketLimits(), stopAfter count: Int = .max
) async -> (signals: [String], failure: ServiceFailure?) {
  let realtime = Realtime(
    SupabaseProject(server: server.address, key: "key+1"), socketLimits: socketLimits, limits: limits)
  let token = AccessToken("token-1", userID: RealtimePeer.userID)
  var signals: [String] = []
  do {
    for try await signal in realtime.listen(token: token, renewals: AsyncStream { _ in }) {
      signals.append(signal.text)
      if signals.count == count { break }
    }
    return (signals, nil)
  } catch {
    return (signals, error as? ServiceFailure)
  }
}

extension LiveSignal {
  var text: String {
    switch self {
    case .isLive: "live"
    case .row(let row): "row \(row.id.suffix(1)) \(row.createdAt) \(row.event.clientID ?? "")"
    case .somethingChanged: "changed"
    }
  }
}
