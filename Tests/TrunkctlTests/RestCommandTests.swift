import Foundation
import Testing
import TrunkModel

@Suite struct RestCommandTests {
  @Test func addsShowsAndEndsRest() throws {
    let program = try BuiltProgram()
    #expect(try program.run("rest").output == "There are no times of rest.\n")
    #expect(program.files == [], "asking writes nothing")
    let today = program.zone.dayKey(BuiltProgram.daysAgo(0))
    let added = try program.json("rest", "--to", today.adding(days: 3).description)
    #expect(added.text("rest.until") == today.adding(days: 3).description)
    #expect(added.text("rest.periods.0.from") == today.description)
    _ = try program.json("rest", "--from", "2040-02-01", "--to", "2040-02")
    let lines = try program.run("rest").lines
    #expect(lines.count == 2)
    #expect(lines.first?.hasSuffix("4 days   resting now") == true, "\(lines)")
    #expect(lines.last?.hasPrefix("1 February – 29 February 2040") == true, "\(lines)")
    let ended = try program.json("rest", "--end")
    #expect(ended.text("rest.until") == nil)
    #expect(ended.at("rest.periods")?.elements?.count == 1)
    #expect(try program.run("rest", "--end").code == 1)
  }

  @Test func statusShowsRestAndKeepsDaysInARow() throws {
    let program = try BuiltProgram()
    let sprout = try program.plant("Cello", daysAgo: 9)
    try program.importEvents(
      [7.0, 6.0].map { days in
        let instant = BuiltProgram.daysAgo(days)
        return Event(
          .sproutWatered(.init(sproutID: sprout, content: "A line.", prompt: nil)), at: instant,
          clientID: Event.clientID(at: instant, random: .random(in: 0 ... .max)))
      })
    let today = program.zone.dayKey(BuiltProgram.daysAgo(0))
    #expect(try program.json("status").at("rest.resting") == .bool(false))
    #expect(try program.json("status").number("rest.streak.current") == 0)
    #expect(
      try program.run("rest", "--from", "\(today.adding(days: -5))", "--to", "\(today.adding(days: 1))").code == 0)
    let status = try program.json("status")
    #expect(status.at("rest.resting") == .bool(true))
    #expect(status.text("rest.until") == "\(today.adding(days: 1))")
    #expect(status.number("rest.streak.current") == 2)
    #expect(status.number("streak.current") == 0, "as other clients count")
    let lines = try program.run("status").lines
    #expect(lines.contains { $0.hasPrefix("Rest   until ") }, "\(lines)")
    #expect(lines.contains { $0.hasPrefix("Water  3 of 3 left · 2 days in a row") }, "\(lines)")
    #expect(try program.run("today", "--short").output == "3 of 3 drops · resting\n")
  }

  @Test(arguments: [
    ["--to", "2026-13-01"], ["--to", "1999-01-01"], ["--from", "2026-01-01"], ["--end", "--to", "2040-01-01"],
    ["--from", "x", "--to", "2040-01-01"],
  ])
  func rejectsOtherDates(options: [String]) throws {
    let program = try BuiltProgram()
    let outcome = try program.start(["rest"] + options).outcome()
    #expect(outcome.code == 2)
    #expect(!outcome.errorOutput.isEmpty)
    #expect(program.files == [])
  }

  @Test func explainsADateItCannotRead() throws {
    let program = try BuiltProgram()
    let folder = program.home + "/config/trunk"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try "[rest]\nperiods=soon\n".write(toFile: folder + "/trunk.conf", atomically: true, encoding: .utf8)
    for command in ["rest", "status"] {
      #expect(try program.run(command).errorOutput.hasPrefix("“soon” in “\(folder)/trunk.conf” is not a time of rest."))
    }
    #expect(try program.run("rest", "--to", "2040-01-01").code == 0)
    #expect(try String(contentsOfFile: folder + "/trunk.conf", encoding: .utf8).hasSuffix(";soon\n"))
  }
}
