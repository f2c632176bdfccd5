import Garden

/// What PostgREST answers when it refuses.
struct RestError: Error, Equatable {
  var status: Int
  var code: String
  var message: String
  var details: String?
  var hint: String?

  var answer: Answer {
    func text(_ value: String?) -> JSON { value.map { .string($0) } ?? .null }
    var answer = Answer.json(
      .object([
        .init("code", .string(code)), .init("details", text(details)), .init("hint", text(hint)),
        .init("message", .string(message)),
      ]), status: status)
    answer.headers["Proxy-Status"] = "PostgREST; error=\(code)"
    if status == 401 {
      answer.headers["WWW-Authenticate"] =
        code == "PGRST303" ? #"Bearer error="invalid_token", error_description="JWT expired""# : "Bearer"
    }
    return answer
  }

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

  static let notJSON = RestError(status: 400, code: "PGRST102", message: "Empty or invalid json")

  /// Only those who are signed in may do anything with the table, and nobody may change a row.
  static func denied(isAnonymous: Bool) -> RestError {
    RestError(status: isAnonymous ? 401 : 403, code: "42501", message: "permission denied for table events")
  }

  static let foreignRow = RestError(
    status: 403, code: "42501", message: #"new row violates row-level security policy for table "events""#)

  static func duplicate(_ constraint: String) -> RestError {
    RestError(
      status: 409, code: "23505", message: "duplicate key value violates unique constraint \"\(constraint)\"")
  }

  static let rangeNotSatisfiable = RestError(
    status: 416, code: "PGRST103", message: "Requested range not satisfiable")
}
