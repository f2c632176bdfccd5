import SQLiteKit
import TrunkModel

/// Answers requests. It knows nothing about sockets.
struct Service: Sendable {
  let authority: Authority
  let budget: Budget
  let auth: AuthAPI
  let rest: RestAPI
  let sync: PlainAPI
  let accounts: Accounts
  let metrics: ServerMetrics
  private let hub: RealtimeHub

  init(
    store: ServerStore, hub: RealtimeHub, secret: [UInt8], configuration: ServerConfiguration,
    metrics: ServerMetrics = .off
  ) {
    let budget = Budget(limitsRates: configuration.limitsRates, now: configuration.now)
    self.budget = budget
    self.hub = hub
    self.metrics = metrics
    authority = Authority(keys: configuration.keys, secret: secret, now: configuration.now)
    accounts = Accounts(store: store, budget: budget, secret: secret, configuration: configuration)
    let quota = EventTable.Quota(rows: configuration.accountRowLimit, bytes: configuration.accountByteLimit)
    let space = SpaceLimit(databaseLimit: configuration.databaseByteLimit) {
      try configuration.diskSpace(configuration.folder)
    }
    let events = EventTable(store: store, budget: budget, quota: quota, space: space, now: configuration.now) {
      metrics.stored($1.count)
      hub.publish($1, userID: $0, at: configuration.now())
    }
    let bodies = BodyReader()
    auth = AuthAPI(
      accounts: accounts, authority: authority, budget: budget, bodies: bodies, configuration: configuration)
    rest = RestAPI(events: events, authority: authority, bodies: bodies)
    sync = PlainAPI(
      accounts: accounts, events: events, authority: authority, budget: budget, bodies: bodies,
      configuration: configuration)
  }

  /// The memory for the body of a request with a valid access token; `nil` for other requests.
  func bodyMemory(_ request: Request) -> Claim? {
    guard let bearer = request.bearer, let token = try? authority.token(bearer, leeway: Authority.dataLeeway) else {
      return nil
    }
    return budget.claim(0, of: .bodies, by: Requester(account: token.userID, client: request.peer).holders)
  }

  func answer(_ request: Request) async -> Response {
    var response: Response
    do {
      response = try await route(request)
    } catch let error as DatabaseError {
      response = Service.answer(to: error, isPlain: request.path.hasPrefix("/api/"))
    } catch is StoreClosed {
      response = request.path.hasPrefix("/api/") ? PlainAPI.answer(to: .stopping) : RestError.stopping.response
    } catch {
      // Other errors may contain values.
      let reason = (error as? ServerProblem)?.description ?? "\(type(of: error))"
      ServerLog.log.error("a request failed unexpectedly", metadata: ["error": "\(reason)"])
      response = .json(text: #"{"code":"unexpected_failure","message":"Unexpected failure"}"#, status: 500)
    }
    // No response depends on cookies, so pages from any origin may send requests.
    response.headers["Access-Control-Allow-Origin"] = "*"
    response.headers["Access-Control-Expose-Headers"] =
      "Content-Range, Preference-Applied, Proxy-Status, Retry-After, X-Sb-Error-Code, X-Supabase-Api-Version"
    response.headers["Cache-Control"] = "no-store"
    return response
  }

  /// The live connection that a request asks for.
  /// - Returns: `nil` for all other requests.
  func liveConnection(_ request: Request) -> Result<RealtimeSocket, Rejected>? {
    guard request.path == "/realtime/v1/websocket" || request.path == "/socket/websocket" else { return nil }
    guard let key = request.headers["apikey"] ?? request.item("apikey"), authority.isKey(key) else {
      return .failure(Rejected(response: .json(text: #"{"error":"API key missing or unknown"}"#, status: 401)))
    }
    do throws(AuthError) {
      try budget.count(.requests, request)
    } catch {
      return .failure(
        Rejected(
          response: .json(text: #"{"error":"Too many connections"}"#, status: 429, rejection: .rateLimit)))
    }
    return .success(
      RealtimeSocket(
        hub: hub, authority: authority, budget: budget, framing: RealtimeFrames(version: request.item("vsn")),
        client: request.peer))
  }

  struct Rejected: Error {
    let response: Response
  }

  /// - Parameters:
  ///   - error: its description contains the statement and the kind of error, but never values.
  ///   - isPlain: whether the request is one of the plain interface.
  private static func answer(to error: DatabaseError, isPlain: Bool) -> Response {
    guard error.isDiskFull else {
      ServerLog.log.error("the database failed", error: error)
      return .json(text: #"{"code":"unexpected_failure","message":"The database failed"}"#, status: 500)
    }
    ServerLog.log.error("the disk is full: nothing can be stored until there is space again", error: error)
    return isPlain ? PlainAPI.answer(to: .diskFull) : RestError.diskFull.response
  }

  private func route(_ request: Request) async throws -> Response {
    if request.method == "OPTIONS" { return Service.preflight(request) }
    let isData = request.path.hasPrefix("/rest/v1/") || request.path.hasPrefix("/api/sync/")
    if isData {
      do throws(AuthError) {
        try budget.count(.requests, request)
      } catch {
        return request.path.hasPrefix("/api/") ? error.plainResponse : error.answer(to: request)
      }
    }
    if request.path.hasPrefix("/api/") { return try await sync.answer(request) }
    guard request.path.hasPrefix("/auth/v1/") || request.path.hasPrefix("/rest/v1/") else {
      return .json(text: #"{"message":"no Route matched with those values"}"#, status: 404)
    }
    if let rejection = authority.rejection(request) { return rejection }
    return try await request.path.hasPrefix("/auth/v1/") ? auth.answer(request) : rest.answer(request)
  }

  /// Answers the preflight request that a browser sends before a cross-origin request.
  private static func preflight(_ request: Request) -> Response {
    Response(
      status: 204,
      headers: [
        "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
        "Access-Control-Allow-Headers": request.headers["access-control-request-headers"] ?? "*",
        "Access-Control-Max-Age": "3600",
      ])
  }
}
