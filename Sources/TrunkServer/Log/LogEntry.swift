import Logging
import TrunkModel

/// How the log writes an entry.
public enum LogFormat: String, CaseIterable, Sendable {
  /// A message in plain words, and fields as `key=value`.
  case text
  /// A JSON object with the members `time`, `level`, `message` and `fields`.
  case json
}

/// One entry of the log.
struct LogEntry {
  let time: Microseconds
  let level: Logger.Level
  let message: String
  let fields: Logger.Metadata

  /// - Parameter hasTime: whether a line of text begins with time and level. The journal shows its own.
  func line(_ format: LogFormat, hasTime: Bool) -> String {
    switch format {
    case .json: return LogEntry.escaped(json.compactText)
    case .text:
      let start = hasTime ? "\(time.milliseconds) \(level.rawValue): " : ""
      return ([start + ServerLog.visible(message)] + pairs).joined(separator: " ")
    }
  }

  /// Sorted, so that equal entries are equal lines.
  private var pairs: [String] {
    fields.sorted { $0.key < $1.key }.map { "\($0.key)=\(LogEntry.quoted($0.value.description))" }
  }

  private var json: JSON {
    .object([
      .init("time", .string(time.milliseconds)), .init("level", .string(level.rawValue)),
      .init("message", .string(message)), .init("fields", Logger.MetadataValue.dictionary(fields).json),
    ])
  }

  /// A value that can be told from the text around it.
  private static func quoted(_ value: String) -> String {
    let isPlain = value.unicodeScalars.allSatisfy {
      !$0.isTerminalControl && !$0.properties.isWhitespace && !["\"", "\\", "="].contains($0)
    }
    guard value.isEmpty || !isPlain else { return value }
    let escaped = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\t", with: "\\t")
    return "\"" + ServerLog.visible(escaped) + "\""
  }

  /// JSON with escapes for the characters that JSON allows and a terminal interprets. They occur only in strings.
  private static func escaped(_ json: String) -> String {
    guard json.unicodeScalars.contains(where: \.isTerminalControl) else { return json }
    return json.unicodeScalars.reduce(into: "") { out, scalar in
      guard scalar.isTerminalControl else { return out.unicodeScalars.append(scalar) }
      // None of them is beyond U+FFFF.
      let digits = String(scalar.value, radix: 16)
      out += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
  }
}

extension Logger.MetadataValue {
  fileprivate var json: JSON {
    switch self {
    case .string(let text): .string(text)
    case .stringConvertible(let number as Int): .number(number)
    case .stringConvertible(let value): .string("\(value)")
    case .array(let values): .array(values.map(\.json))
    case .dictionary(let members): .object(members.sorted { $0.key < $1.key }.map { .init($0.key, $0.value.json) })
    }
  }
}
