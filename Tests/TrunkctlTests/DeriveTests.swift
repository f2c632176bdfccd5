import Foundation
import Garden
import Testing

private let conformance = URL(filePath: #filePath).deletingLastPathComponent()
  .appending(path: "../../../shared/conformance").standardized

private let names: [String] = {
  let files = (try? FileManager.default.contentsOfDirectory(atPath: conformance.path)) ?? []
  return files.filter { $0.hasSuffix(".json") && !$0.hasSuffix(".expected.json") }.sorted().map {
    String($0.dropLast(5))
  }
}()

@Suite struct DeriveTests {
  @Test(.enabled(if: !names.isEmpty), arguments: names)
  func derivesWhatAnIndependentImplementationDerives(name: String) throws {
    let program = try Program()
    let file = conformance.appending(path: name + ".json").path
    let input = try JSON(String(contentsOfFile: file, encoding: .utf8))
    let expected = try JSON(
      String(contentsOf: conformance.appending(path: name + ".expected.json"), encoding: .utf8))
    let answer = try program.run(
      "derive", "--events", file, "--now", try #require(input.text("now")), "--time-zone",
      try #require(input.text("tz")))
    #expect(answer.code == 0)
    #expect(answer.complaint == "")
    let derived = try answer.json()
    guard case .object(let members) = expected else {
      Issue.record("not an object")
      return
    }
    for member in members where member.name.decoded != "soilChart" {
      let key = member.name.decoded
      #expect(isClose(try #require(derived[key]), member.value), "\(key)")
    }
    guard case .object(let ranges) = expected["soilChart"] ?? .null else { return }
    for range in ranges {
      let points = derived["soilChart"]?[range.name.decoded]?.elements ?? []
      #expect(points.compactMap { $0.text("0") } == range.value.elements?.compactMap(\.text))
    }
    #expect(program.files == [])
  }

  /// Equal, numbers to 1e-9.
  private func isClose(_ left: JSON, _ right: JSON) -> Bool {
    switch (left, right) {
    case (.number, .number): abs((left.double ?? .nan) - (right.double ?? .nan)) <= 1e-9
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy { isClose($0, $1) }
    case (.object(let first), .object(let second)):
      Set(first.map(\.name.decoded)) == Set(second.map(\.name.decoded))
        && first.allSatisfy { member in right[member.name.decoded].map { isClose(member.value, $0) } ?? false }
    default: left.canonicalText == right.canonicalText
    }
  }

  private static let log = """
    {"events":[{"type":"sprout_planted","sproutId":"s","twigId":"branch-0-twig-0","title":"A","season":"2w",
    "environment":"firm","soilCost":3,"leafId":"l","timestamp":"2026-01-05T10:00:00+01:00"},
    {"type":"sprout_watered","sproutId":"s","content":"wet","timestamp":"2026-01-06T04:30:00Z"},{"type":"odd"}]}
    """

  @Test func readsStandardInputAndAnArray() throws {
    let program = try Program()
    func derive(_ input: String, now: String = "2026-01-06T04:59:00Z") throws -> Program.Answer {
      try program.run("derive", "--events", "-", "--now", now, "--time-zone", "Europe/Berlin", input: input)
    }
    let json = try derive(DeriveTests.log).json()
    #expect(json.number("soil.available") == 7.05)
    #expect(json.number("water.available") == 2)
    #expect(json.number("ignored") == 1)
    #expect(json.text("sprouts.0.plantedAt") == "2026-01-05T10:00:00+01:00")
    #expect(json.text("sprouts.0.harvestDue") == "2026-01-19T09:00:00.000Z")
    #expect(json.text("sprouts.0.waterEntries.0.content") == "wet")
    // 06:00 in Berlin: another day.
    #expect(try derive(DeriveTests.log, now: "2026-01-06T05:00:00Z").json().number("water.available") == 3)
    let array = try JSON(DeriveTests.log)["events"]?.compactText ?? ""
    #expect(try derive(array).output == derive(DeriveTests.log).output)
    #expect(program.files == [])
  }

  @Test func saysWhatIsWrong() throws {
    let program = try Program()
    func derive(_ input: String, now: String = "2026-01-06T04:59:00Z", zone: String = "UTC") throws -> Program.Answer {
      try program.run("derive", "--events", "-", "--now", now, "--time-zone", zone, input: input)
    }
    #expect(try derive("[]").code == 0)
    #expect(try derive("[", now: "2026-01-06T04:59:00Z").code == 5)
    #expect(try derive("{}").complaint == "“-” has no list of events. Choose a file that Trunk exported.\n")
    #expect(try derive("[]", now: "today").code == 2)
    let zone = try derive("[]", zone: "Mars/Olympus")
    #expect(zone.code == 2)
    #expect(zone.complaint.contains("Europe/Berlin"))
    #expect(
      try program.run("derive", "--events", "missing", "--now", "2026-01-06T04:59:00Z", "--time-zone", "UTC").code == 5)
    #expect(try program.run("derive").code == 2)
  }
}
