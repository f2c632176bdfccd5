import TrunkModel

/// An error response of PostgREST.
struct RestError: Error, Equatable {
  var status: Int
  var code: String
  var message: String
  var details: String?
  var hint: String?

  var response: Response {
    func text(_ value: String?) -> JSON { value.map { .string($0) } ?? .null }
    var response = Response.json(
      .object([
        .init("code", .string(code)), .init("details", text(details)), .init("hint", text(hint)),
        .init("message", .string(message)),
      ]), status: status)
    response.rejection = rejection
    response.headers["Proxy-Status"] = "PostgREST; error=\(code)"
    if status == 401 {
      response.headers["WWW-Authenticate"] =
        code == "PGRST303" ? #"Bearer error="invalid_token", error_description="JWT expired""# : "Bearer"
    }
    return response
  }

  var rejection: RejectionReason? { self == .serverFull ? .serverFull : RejectionReason(code: code) }

  static func parse(_ details: String) -> RestError {
    RestError(status: 400, code: "PGRST100", message: "failed to parse the query", details: details)
  }

  static func invalid(_ type: String, _ text: String) -> RestError {
    RestError(
      status: 400, code: type == "uuid" ? "22P02" : "22007",
      message: "invalid input syntax for type \(type): \"\(text)\"")
  }

  static func unknownColumn(_ name: String) -> RestError {
    RestError(status: 400, code: "42703", message: "column events.\(name) does not exist")
  }

  /// A part of PostgREST's syntax that this server doesn't have: a cast, an alias, an aggregate, an embedded table or a
  /// path into JSON.
  static func unsupported(_ text: String) -> RestError {
    RestError(
      status: 400, code: "PGRST100", message: "\"\(text)\" is not supported by this server",
      details: "casts, aliases, aggregates, embedded tables and paths into JSON are not supported by this server",
      hint: "Name the columns of events only.")
  }

  static func unsupportedFunction(_ name: some StringProtocol) -> RestError {
    RestError(
      status: 404, code: "PGRST202", message: "Could not find the function public.\(name) in the schema cache",
      details: "functions are not supported by this server")
  }

  static let notJSON = RestError(status: 400, code: "PGRST102", message: "Empty or invalid json")

  /// Anonymous users may not use the table at all, and signed-in users can't change rows.
  static func denied(isAnonymous: Bool) -> RestError {
    RestError(status: isAnonymous ? 401 : 403, code: "42501", message: "permission denied for table events")
  }

  static let foreignRow = RestError(
    status: 403, code: "42501", message: #"new row violates row-level security policy for table "events""#)

  /// - Parameters:
  ///   - columns: the columns of the key.
  ///   - values: the values that exist already.
  static func duplicate(_ constraint: String, _ columns: String, _ values: String) -> RestError {
    RestError(
      status: 409, code: "23505", message: "duplicate key value violates unique constraint \"\(constraint)\"",
      details: "Key (\(columns))=(\(values)) already exists.")
  }

  static func missing(_ column: String) -> RestError {
    RestError(
      status: 400, code: "23502",
      message: #"null value in column "\#(column)" of relation "events" violates not-null constraint"#)
  }

  /// A request exceeds a limit of this server. The error has the format of PostgreSQL's own limits.
  /// - Parameter what: for example `3000 rows in one request`.
  static func tooMuch(_ what: String, limit: String, hint: String? = nil) -> RestError {
    RestError(
      status: 413, code: "54000", message: "program limit exceeded", details: "\(what); the limit is \(limit)",
      hint: hint)
  }

  static func tooComplex(_ what: String, limit: Int) -> RestError {
    RestError(
      status: 413, code: "54001", message: "statement too complex", details: "more than \(limit) \(what)")
  }

  static let tooManyValues = tooComplex("values in lists", limit: RestQuery.valueLimit)

  /// The account has no space for these rows. Clients treat class 53 as temporary: they keep the rows and retry later.
  static func quotaExceeded(_ quota: EventTable.Quota) -> RestError {
    RestError(
      status: 507, code: "53400", message: "the account is full",
      details: "an account may have \(quota.rows) rows and \(quota.bytes) bytes",
      hint: "Delete rows, or ask the administrator of the server to raise the limit.")
  }

  static let serverFull = RestError(
    status: 507, code: "53400", message: "the server is full",
    hint: "Ask the administrator of the server to raise --total-size.")

  /// PostgreSQL's error for a full disk.
  static let diskFull = RestError(
    status: 503, code: "53100", message: "could not extend file: No space left on device",
    hint: "Check free disk space.")

  static let outOfMemory = RestError(
    status: 503, code: "53200", message: "too many large requests at once", hint: "Try again later.")

  /// PostgreSQL's error while it shuts down.
  static let stopping = RestError(
    status: 503, code: "57P01", message: "terminating connection due to administrator command")

  static let timeout = RestError(
    status: 500, code: "57014", message: "canceling statement due to statement timeout")

  static let noConnection = RestError(
    status: 504, code: "PGRST003", message: "Timed out acquiring connection from connection pool.")

  static func notSingle(_ count: Int) -> RestError {
    RestError(
      status: 406, code: "PGRST116", message: "Cannot coerce the result to a single JSON object",
      details: "The result contains \(count) rows")
  }

  static let rangeNotSatisfiable = RestError(
    status: 416, code: "PGRST103", message: "Requested range not satisfiable")
}
