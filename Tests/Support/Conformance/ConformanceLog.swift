import Foundation
import TrunkModel

/// A log and the garden that an independent implementation derived from it. The folder `logs` holds `NN.json` with
/// `tz`, `now` and `events`, and `NN.expected.json`.
public struct ConformanceLog: Sendable {
  /// All logs.
  public static let names = ["02", "05", "13", "16", "24", "35"]

  /// The log as the program reads it.
  public let path: String
  public let text: String
  /// The identifier of the time zone.
  public let zone: String
  /// The instant for which the garden was derived.
  public let now: String
  private let expected: JSON

  /// - Throws: errors of reading and decoding the two files.
  public init(_ name: String) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "logs")
    path = folder.appending(path: name + ".json").path
    text = try String(contentsOfFile: path, encoding: .utf8)
    expected = try JSON(String(contentsOf: folder.appending(path: name + ".expected.json"), encoding: .utf8))
    let input = try JSON(text)
    (zone, now) = (input["tz"]?.text ?? "", input["now"]?.text ?? "")
  }

  /// Returns the places where a report differs from the expected one by more than rounding. Of the soil chart, only the
  /// times of the points are compared. Members that are not in the expected report are ignored.
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

  /// Members that `expected` lacks must be missing.
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
