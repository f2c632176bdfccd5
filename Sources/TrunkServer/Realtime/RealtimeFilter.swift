import TrunkModel

/// Selects the new rows that a subscription receives: `user_id=eq.…`. All conditions between commas must hold.
struct RealtimeFilter: Sendable {
  private struct Condition: Sendable {
    let column: EventColumn
    let comparison: String
    let values: [String]
  }

  private var conditions: [Condition] = []

  /// - Returns: `nil` if the filter is invalid.
  init?(_ text: String?) {
    var rest = (text ?? "")[...]
    while !rest.isEmpty {
      guard let equals = rest.firstIndex(of: "="), let column = EventColumn(rawValue: String(rest[..<equals])),
        column != .payload
      else { return nil }
      rest = rest[rest.index(after: equals)...]
      guard let dot = rest.firstIndex(of: ".") else { return nil }
      let comparison = String(rest[..<dot])
      rest = rest[rest.index(after: dot)...]
      guard ["eq", "neq", "lt", "lte", "gt", "gte", "in"].contains(comparison) else { return nil }
      let end: Substring.Index
      if comparison == "in" {
        guard rest.first == "(", let close = rest.firstIndex(of: ")") else { return nil }
        end = rest.index(after: close)
      } else {
        end = rest.firstIndex(of: ",") ?? rest.endIndex
      }
      let value = rest[..<end]
      let values = comparison == "in" ? value.dropFirst().dropLast().split(separator: ",") : [value]
      for value in values where column == .createdAt && Microseconds(String(value)) == nil { return nil }
      conditions.append(Condition(column: column, comparison: comparison, values: values.map(String.init)))
      rest = rest[end...]
      if rest.first == "," { rest.removeFirst() } else if !rest.isEmpty { return nil }
    }
  }

  func accepts(_ row: EventRow) -> Bool {
    conditions.allSatisfy { condition in
      condition.values.contains { value in
        guard let order = row.order(condition.column, value) else { return false }
        return switch condition.comparison {
        case "neq": order != 0
        case "lt": order < 0
        case "lte": order <= 0
        case "gt": order > 0
        case "gte": order >= 0
        default: order == 0
        }
      }
    }
  }
}

extension EventRow {
  /// Negative, 0 or positive if the column's value sorts before, with or after `value`; `nil` if they can't be
  /// compared.
  fileprivate func order(_ column: EventColumn, _ value: String) -> Int? {
    func compare(_ own: String?, _ other: String) -> Int? {
      guard let own else { return nil }
      return own.hasSameBytes(as: other) ? 0 : own.precedesInBytes(other) ? -1 : 1
    }
    return switch column {
    case .id: compare(id, value.lowercased())
    case .userID: compare(userID, value.lowercased())
    case .type: compare(type, value)
    case .clientID: compare(clientID, value)
    case .clientTimestamp: compare(clientTimestamp, value)
    case .createdAt: Microseconds(value).map { (createdAt.value - $0.value).signum() }.map { Int($0) }
    case .payload: nil
    }
  }
}
