import Conformance
import Testing
import TrunkModel

@Suite struct DeriveTests {
  @Test(arguments: ConformanceLog.names) func derivesTheSameGardenAsAnIndependentImplementation(name: String) throws {
    let program = try BuiltProgram()
    let log = try ConformanceLog(name)
    let outcome = try program.run("derive", "--events", log.path, "--now", log.now, "--time-zone", log.zone)
    #expect(outcome.code == 0)
    #expect(outcome.errorOutput == "")
    #expect(try log.differences(from: outcome.json()).prefix(5) == [])
    #expect(program.files == [])
  }

  private static let log = """
    {"events":[{"type":"sprout_planted","sproutId":"s","twigId":"branch-0-twig-0","title":"A","season":"2w",
    "environment":"firm","soilCost":3,"leafId":"l","timestamp":"2026-01-05T10:00:00+01:00"},
    {"type":"sprout_watered","sproutId":"s","content":"wet","timestamp":"2026-01-06T04:30:00Z"},{"type":"odd"}]}
    """

  @Test func readsStandardInputAndAnArray() throws {
    let program = try BuiltProgram()
    func derive(_ input: String, now: String = "2026-01-06T04:59:00Z") throws -> BuiltProgram.Outcome {
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

  @Test func reportsInvalidInput() throws {
    let program = try BuiltProgram()
    func derive(_ input: String, now: String = "2026-01-06T04:59:00Z", zone: String = "UTC") throws
      -> BuiltProgram.Outcome
    {
      try program.run("derive", "--events", "-", "--now", now, "--time-zone", zone, input: input)
    }
    #expect(try derive("[]").code == 0)
    #expect(try derive("[", now: "2026-01-06T04:59:00Z").code == 5)
    #expect(try derive("{}").errorOutput == "“-” has no list of events. Choose a file that Trunk exported.\n")
    #expect(try derive("[]", now: "today").code == 2)
    let zone = try derive("[]", zone: "Mars/Olympus")
    #expect(zone.code == 2)
    #expect(zone.errorOutput.contains("Europe/Berlin"))
    #expect(
      try program.run("derive", "--events", "missing", "--now", "2026-01-06T04:59:00Z", "--time-zone", "UTC").code == 5)
    #expect(try program.run("derive").code == 2)
  }
}
