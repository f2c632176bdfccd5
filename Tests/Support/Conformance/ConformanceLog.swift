import Foundation
import TrunkModel

/// A log and the garden that an independent implementation derived from it. The folder `logs` holds `NN.json` with
/// `tz`, `now` and `events`, and `NN.expected.json`.
public struct ConformanceLog: Sendable {
  /// The names of all logs.
  public static let names = ["02", "05", "13", "16", "24", "35"]

  /// The path of the log's JSON file.
  public let path: String
  /// The content of the log's JSON file.
  public let text: String
  /// The identifier of the time zone.
  public let zone: String
  /// The instant for which the garden was derived, in ISO 8601.
  public let now: String
  private let expected: JSON

  /// Reads the log with this name.
  /// - Throws: errors of reading and decoding the two files.
  public init(_ name: String) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "logs")
    path = folder.appending(path: name + ".json").path
    text = try String(contentsOfFile: path, encoding: .utf8)
    expected = try JSON(String(contentsOf: folder.appending(path: name + ".expected.json"), encoding: .utf8))
    let input = try JSON(text)
    (zone, now) = (input["tz"]?.text ?? "", input["now"]?.text ?? "")
  }

  /// Returns a line for each value of a report that differs from the expected one by more than rounding (1e-9).
  ///
  /// Compares only the times of the soil chart's points. Ignores members that the expected report lacks.
  public func differences(from report: JSON) -> [String] {
    guard case .object(let members) = expected, !members.isEmpty else { return ["nothing is expected"] }
    return members.flatMap { member -> [String] in
      let key = member.name.decoded
      guard let value = report[key] else { return ["\(key) is missing"] }
      guard key == "soilChart", case .object(let ranges) = member.value else {
        return differences(value, member.value, at: key)
      }
      return ranges.flatMap { range in
        let times = value[range.name.decoded]?.elements?.compactMap { $0.elements?.first }
        return differences(.array(times ?? []), range.value, at: "soilChart.\(range.name.decoded)")
      }
    }
  }

  /// Compares two values. In objects, both must have the same members.
  private func differences(_ actual: JSON, _ expected: JSON, at path: String) -> [String] {
    switch (actual, expected) {
    case (.number, .number):
      guard let left = actual.double, let right = expected.double, abs(left - right) <= 1e-9 else { break }
      return []
    case (.array(let left), .array(let right)) where left.count == right.count:
      return zip(left, right).enumerated().flatMap { differences($1.0, $1.1, at: "\(path)[\($0)]") }
    case (.object(let left), .object(let right)):
      return Set((left + right).map(\.name.decoded)).flatMap { name -> [String] in
        switch (actual[name], expected[name]) {
        case (let left?, let right?): differences(left, right, at: "\(path).\(name)")
        case (let left, let right):
          ["\(path).\(name): \(left?.compactText ?? "none"), expected \(right?.compactText ?? "none")"]
        }
      }
    default: if actual.canonicalText == expected.canonicalText { return [] }
    }
    return ["\(path): \(actual.compactText), expected \(expected.compactText)"]
  }
}
