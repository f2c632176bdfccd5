import Garden

/// The form of an answer with rows, as the `Accept` header asks for it.
enum RestFormat: Sendable {
  case json
  /// Exactly one row, as an object.
  case object
  case csv

  init(_ request: Request) throws(RestError) {
    let header = request.headers["accept"] ?? "*/*"
    let types = header.split(separator: ",").map { String($0.trimmed).lowercased() }
    for type in types {
      switch type.split(separator: ";").first.map({ String($0.trimmed) }) {
      case "application/json", "application/*", "*/*":
        self = .json
        return
      case "text/csv", "text/*":
        self = .csv
        return
      case "application/vnd.pgrst.object+json" where !type.contains("nulls=stripped"),
        "application/vnd.pgrst.object" where !type.contains("nulls=stripped"):
        self = .object
        return
      default: break
      }
    }
    guard types.isEmpty else {
      throw RestError(
        status: 406, code: "PGRST107", message: "None of these media types are available: \(header)")
    }
    self = .json
  }

  var isSingle: Bool { self == .object }

  private var contentType: String {
    switch self {
    case .json: "application/json; charset=utf-8"
    case .object: "application/vnd.pgrst.object+json; charset=utf-8"
    case .csv: "text/csv; charset=utf-8"
    }
  }

  /// An answer with some rows.
  /// - Parameters:
  ///   - parts: how many parts there are.
  ///   - rows: reads one of them, as texts.
  func answer(
    _ columns: [EventColumn], status: Int, parts: Int, rows: @escaping AnswerRows.Source
  ) async throws -> Answer {
    let header = columns.map(\.rawValue).joined(separator: ",") + "\n"
    let frame =
      switch self {
      case .json: AnswerRows.Frame(open: "[", separator: ",\n ", close: "]")
      case .object: AnswerRows.Frame(open: "", separator: "", close: "")
      case .csv: AnswerRows.Frame(open: parts > 0 ? header : "", separator: "\n", close: "")
      }
    var answer = try await AnswerRows(frame: frame, count: parts, rows: rows).answer(status: status)
    answer.headers["Content-Type"] = contentType
    return answer
  }

  /// An answer with rows that are in memory.
  func answer(_ rows: [EventRow], _ columns: [EventColumn], status: Int) async throws -> Answer {
    let parts = EventTable.parts(
      rows.map(\.payload.utf8.count), count: ServerConfiguration.rowLimit, bytes: ServerConfiguration.partSize)
    return try await answer(columns, status: status, parts: parts.count) { part in
      rows[parts[part]].map { text($0, columns) }
    }
  }

  func text(_ row: EventRow, _ columns: [EventColumn]) -> String {
    switch self {
    case .json, .object: row.json(columns)
    case .csv: columns.map { row.csv($0) }.joined(separator: ",")
    }
  }
}

/// An answer made of rows that are read part by part, as fast as the client takes them.
struct AnswerRows: Sendable {
  /// What stands around the rows.
  struct Frame: Sendable {
    let open: String
    let separator: String
    let close: String
  }

  /// The rows of one part, as texts.
  typealias Source = @Sendable (_ part: Int) async throws -> [String]

  let frame: Frame
  let count: Int
  let rows: Source

  /// Reads the first part; the others follow when they are sent.
  func answer(status: Int) async throws -> Answer {
    let first = count > 0 ? try await rows(0).joined(separator: frame.separator) : ""
    var answer = Answer.json(text: frame.open + first, status: status)
    guard count > 1 else {
      answer.body += frame.close
      return answer
    }
    answer.rest = Answer.Rest(count: count - 1) { index in
      let texts = try await rows(index + 1).map { frame.separator + $0 }
      return texts.joined() + (index + 2 == count ? frame.close : "")
    }
    return answer
  }
}

extension EventRow {
  /// As PostgreSQL writes a field of a row: NULL is nothing, and quotes stand around what could be misread.
  func csv(_ column: EventColumn) -> String {
    let text: String? =
      switch column {
      case .id: id
      case .userID: userID
      case .type: type
      case .payload: payload
      case .clientID: clientID
      case .clientTimestamp: clientTimestamp
      case .createdAt: createdAt.postgres
      }
    guard let text else { return "" }
    let special = text.unicodeScalars.contains { "\",()\\".unicodeScalars.contains($0) || $0.properties.isWhitespace }
    guard special || text.isEmpty else { return text }
    var quoted = "\"".unicodeScalars
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { quoted.append(scalar) }
      quoted.append(scalar)
    }
    quoted.append("\"")
    return String(quoted)
  }
}
