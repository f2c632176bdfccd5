/// One new row, as sent to listeners.
struct RealtimeChange: Sendable {
  let row: EventRow
  /// JSON.
  let data: String

  init(_ row: EventRow, committedAt instant: Microseconds) {
    self.row = row
    let types = EventColumn.allCases.map { #"{"name":"\#($0.rawValue)","type":"\#($0.typeName)"}"# }
    data =
      #"{"schema":"public","table":"events","type":"INSERT","commit_timestamp":"\#(instant.milliseconds)","#
      + #""columns":[\#(types.joined(separator: ","))],"record":\#(row.json(EventColumn.allCases)),"#
      + #""errors":null}"#
  }
}
