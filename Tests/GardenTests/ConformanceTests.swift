import Foundation
import Garden
import Gardening
import Testing

/// Gardens that an independent implementation derived from the same logs, where a folder with them stands beside the
/// project: `NN.json` with `tz`, `now`, `events`, and `NN.expected.json`.
private let folder = URL(filePath: #filePath).deletingLastPathComponent()
  .appending(path: "../../../shared/conformance").standardized

private let names: [String] = {
  let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
  return files.filter { $0.hasSuffix(".json") && !$0.hasSuffix(".expected.json") }.sorted().map {
    String($0.dropLast(5))
  }
}()

@Test(.enabled(if: !names.isEmpty), arguments: names)
func derivesTheSameGardenAsAnIndependentImplementation(name: String) throws {
  let text = try String(contentsOf: folder.appending(path: "\(name).json"), encoding: .utf8)
  let expected = try JSON(String(contentsOf: folder.appending(path: "\(name).expected.json"), encoding: .utf8))
  let input = try JSON(text)
  let zone = try #require(Zone.named(input["tz"]?.text ?? ""))
  let now = try #require(Instant(input["now"]?.text ?? ""))
  let events = try ExportFile.decodeEvents(text).withoutDuplicates()
  let report = Garden(events, zone: zone).report(now: now) { events[Int($0)] }

  guard case .object(let members) = expected else { return #expect(Bool(false), "not an object") }
  for member in members {
    let key = member.name.decoded
    if key == "soilChart" {
      guard case .object(let ranges) = member.value else { continue }
      for range in ranges {
        let boundaries = report["soilChart"]?[range.name.decoded]?.elements?.compactMap { $0.elements?.first?.text }
        #expect(boundaries == range.value.elements?.compactMap(\.text), "\(range.name.decoded)")
      }
    } else {
      let differences = differences(try #require(report[key]), member.value, at: key)
      #expect(differences.isEmpty, "\(differences.prefix(5).joined(separator: "\n"))")
    }
  }
}

/// Where two values differ by more than rounding; object members that `expected` lacks must be missing.
private func differences(_ actual: JSON, _ expected: JSON, at path: String) -> [String] {
  switch (actual, expected) {
  case (.number, .number):
    guard let left = actual.double, let right = expected.double, abs(left - right) <= 1e-9 else { break }
    return []
  case (.array(let left), .array(let right)) where left.count == right.count:
    return zip(left, right).enumerated().flatMap { differences($1.0, $1.1, at: "\(path)[\($0)]") }
  case (.object(let left), .object(let right)):
    let names = Set((left + right).map(\.name.decoded))
    return names.flatMap { name -> [String] in
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
