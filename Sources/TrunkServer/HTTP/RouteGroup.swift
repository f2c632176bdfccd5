/// What a request is about, as the log names it. The path itself is the client's text, so it is never logged.
enum RouteGroup: String, CaseIterable, Sendable {
  case auth
  case events
  case live
  case other

  init(path: String) {
    let prefixes: [(String, RouteGroup)] = [
      ("/auth/v1/", .auth), ("/api/auth/", .auth), ("/rest/v1/", .events), ("/api/sync/", .events),
      ("/realtime/v1/", .live), ("/socket/websocket", .live),
    ]
    self = prefixes.first { path.hasPrefix($0.0) }?.1 ?? .other
  }
}
