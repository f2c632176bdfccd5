import Foundation
import Testing
import TrunkModel

@Suite struct UndoCommandTests {
  private let program: BuiltProgram

  init() throws {
    program = try BuiltProgram()
  }

  @Test func undoesTheLastActionAndKeepsItsText() throws {
    try program.plant("Cello")
    try program.plant("Run")
    #expect(try program.run("water", "cello", "-m", "First.").code == 0)
    #expect(try program.run("water", "run", "-m", "Second.").code == 0)
    let undone = try program.run("undo")
    #expect(undone.code == 0)
    #expect(
      undone.output
        == "Undone: Watered · Run\nWhat you wrote is a draft, which the window offers to continue.\n")
    #expect(try program.json("doctor").number("drafts") == 1)
    #expect(try program.json("due").at("due")?.elements?.map { $0.text("title") } == ["Run"])

    let json = try program.json("undo")
    #expect(json.text("undone.0.event.type") == "sprout_watered" && json.text("undone.0.title") == "Cello")
    #expect(json.at("draft") == .bool(true) && json.number("water.left") == 3)
    let nothing = try program.run("undo")
    #expect(nothing.code == 1 && nothing.output == "")
    #expect(nothing.errorOutput.hasPrefix("There is nothing to undo"))
  }

  @Test func undoesEverythingThatAnActionWrote() throws {
    _ = try program.json("seed", "Build a bird table", "--twig", "hands/fabrication", "--notes", "for robins")
    _ = try program.json("plant", "--seedling", "bird")
    #expect(try program.json("seedling", "list").at("seedlings")?.elements?.isEmpty == true)
    let undone = try program.json("undo")
    #expect(
      (undone.at("undone")?.elements ?? []).map { $0.text("event.type") }
        == ["leaf_created", "sprout_planted", "seedling_deleted"])
    #expect(try program.json("list").at("sprouts")?.elements?.isEmpty == true)
    #expect(try program.json("leaf", "list").at("leaves")?.elements?.isEmpty == true)
    #expect(try program.json("seedling", "list").text("seedlings.0.notes") == "for robins")

    // A sprout with an entry stays.
    _ = try program.json("plant", "Cello", "--twig", "voice/practice")
    _ = try program.json("water", "cello", "-m", "A line.")
    _ = try program.json("undo")
    _ = try program.json("undo")
    #expect(try program.json("list").at("sprouts")?.elements?.isEmpty == true)
  }

  @Test func undoesEditsAndNewSeedlings() throws {
    try program.plant("Cello")
    _ = try program.json("edit", "cello", "--title", "Play the viola", "--leaf", "Strings")
    let lost = "What you wrote is not kept as a draft:\n"
    #expect(try program.run("undo").output == "Undone: Edited · Cello\n\(lost)  Strings\n  Play the viola\n")
    #expect(try program.json("leaf", "list").at("leaves")?.elements?.count == 1)

    _ = try program.json("seed", "Viola", "--twig", "voice/practice")
    _ = try program.json("seedling", "edit", "viola", "--title", "Violin")
    #expect(try program.run("undo").output == "Undone: Seedling edited · Viola\n\(lost)  Violin\n")
    #expect(try program.run("undo").output == "Undone: Seedling · Viola\n")
    _ = try program.json("seed", "Viola", "--twig", "voice/practice", "--notes", "Ask Ada.\nA bow, too.")
    #expect(try program.run("undo").output == "Undone: Seedling · Viola\n\(lost)  Ask Ada.\n  A bow, too.\n")
    #expect(try program.json("seedling", "list").at("seedlings")?.elements?.isEmpty == true)
  }

  @Test func importedEventsCannotBeUndone() throws {
    try program.plant("Cello")
    #expect(try program.run("undo").code == 1)
    #expect(try program.json("list").text("sprouts.0.title") == "Cello")
  }
}
