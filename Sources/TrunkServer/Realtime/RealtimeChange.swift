/// One new row, as it is told to listeners.
struct RealtimeChange: Sendable {
  let row: EventRow
  /// JSON.
  let data: String

  /// Rows above this many bytes are told without their large values, and then listeners have to pull.
  private static let sizeLimit = 1 << 20

  init(_ row: EventRow, committedAt instant: Microseconds) {
    self.row = row
    var columns = EventColumn.allCases
    let isTooLarge = row.payload.utf8.count + row.type.utf8.count + (row.clientID ?? "").utf8.count > Self.sizeLimit
    if isTooLarge { columns.removeAll { row.json($0).utf8.count > 64 } }
    let types = EventColumn.allCases.map { #"{"name":"\#($0.rawValue)","type":"\#($0.typeName)"}"# }
    data =
      #"{"schema":"public","table":"events","type":"INSERT","commit_timestamp":"\#(instant.milliseconds)","#
      + #""columns":[\#(types.joined(separator: ","))],"record":\#(row.json(columns)),"#
      + #""errors":\#(isTooLarge ? #"["Error 413: Payload Too Large"]"# : "null")}"#
  }
}
