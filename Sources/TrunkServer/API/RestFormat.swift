import TrunkModel

/// The format of a response with rows, as requested by the `Accept` header.
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

  /// A response with rows.
  /// - Parameters:
  ///   - first: the rows of the first part, as text.
  ///   - parts: the number of parts.
  ///   - rows: reads one of the later parts.
  func answer(
    _ columns: [EventColumn], status: Int, first: [String], parts: Int, rows: @escaping ResponseRows.Source
  ) -> Response {
    let header = columns.map(\.rawValue).joined(separator: ",") + "\n"
    let frame =
      switch self {
      case .json: ResponseRows.Frame(open: "[", separator: ",\n ", close: "]")
      case .object: ResponseRows.Frame(open: "", separator: "", close: "")
      case .csv: ResponseRows.Frame(open: parts > 0 ? header : "", separator: "\n", close: "")
      }
    var response = ResponseRows(frame: frame, first: first, count: parts, rows: rows).answer(status: status)
    response.headers["Content-Type"] = contentType
    return response
  }

  /// A response with rows that are already in memory.
  /// - Parameter memory: their memory, which is kept until they are sent.
  func answer(
    _ rows: [EventRow], _ columns: [EventColumn], status: Int, memory: Claim? = nil
  ) -> Response {
    let parts = EventTable.parts(
      rows.map(\.payload.utf8.count), count: ServerConfiguration.rowLimit, bytes: ServerConfiguration.partSize)
    @Sendable func texts(_ part: Range<Int>) -> [String] { rows[part].map { text($0, columns) } }
    return answer(columns, status: status, first: parts.first.map(texts) ?? [], parts: parts.count) { part in
      withExtendedLifetime(memory) { texts(parts[part]) }
    }
  }

  func text(_ row: EventRow, _ columns: [EventColumn]) -> String {
    switch self {
    case .json, .object: row.json(columns)
    case .csv: columns.map { row.csv($0) }.joined(separator: ",")
    }
  }
}

/// A response whose rows are read part by part, as fast as the client receives them.
struct ResponseRows: Sendable {
  /// The text around and between the rows.
  struct Frame: Sendable {
    let open: String
    let separator: String
    let close: String
  }

  /// Reads the rows of one part, as text.
  typealias Source = @Sendable (_ part: Int) async throws -> [String]

  let frame: Frame
  /// The rows of the first part. Later parts are read when they are sent.
  let first: [String]
  /// The number of parts.
  let count: Int
  let rows: Source

  func answer(status: Int) -> Response {
    var response = Response.json(text: frame.open + first.joined(separator: frame.separator), status: status)
    guard count > 1 else {
      response.body += frame.close
      return response
    }
    response.rest = Response.Rest(count: count - 1) { index in
      let texts = try await rows(index + 1).map { frame.separator + $0 }
      return texts.joined() + (index + 2 == count ? frame.close : "")
    }
    return response
  }
}

extension EventRow {
  /// The field as PostgreSQL writes it in a row value: empty for NULL, quoted if it could be misread.
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
