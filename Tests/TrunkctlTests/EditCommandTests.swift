import Foundation
import Testing
import TrunkModel

@Suite struct EditCommandTests {
  private let program: BuiltProgram

  init() throws {
    program = try BuiltProgram()
  }

  @Test func editsASprout() throws {
    try program.plant("Cello")
    let edited = try program.json(
      "edit", "cello", "--title", "Play the cello", "--withering", "Not once", "--flourishing", "By heart")
    #expect(edited.text("sprout.title") == "Play the cello" && edited.text("sprout.bloomWither") == "Not once")
    #expect(try program.run("edit", "cello", "--flourishing", "").output == "Saved “Play the cello”.\n")
    let sprout = try program.json("show", "cello")
    #expect(sprout.text("sprout.bloomFlourish") ?? "" == "" && sprout.text("sprout.bloomWither") == "Not once")
    let count = try program.json("status").number("events")
    #expect(try program.run("edit", "cello", "--title", "Play the cello").code == 0)
    #expect(try program.json("status").number("events") == count, "nothing changed, so nothing is written")
  }

  @Test func movesASproutToAnotherLeaf() throws {
    let id = try program.plant("Cello")
    _ = try program.json("edit", "cello", "--leaf", "Scales")
    var leaves = try #require(try program.json("leaf", "list").at("leaves")?.elements)
    #expect(leaves.map { $0.text("name") } == ["Scales", "Cello"])
    #expect(
      leaves.map { $0.number("growing") } == [1, 0]
        && leaves.map { $0.text("twig") } == ["voice/practice", "voice/practice"])
    // By name, by id, and by the short id of the list.
    _ = try program.json("edit", "cello", "--leaf", "cello")
    #expect(try program.json("show", "cello").text("sprout.leaf") == "Cello")
    let short = try #require(try program.run("leaf").lines.last?.split(separator: " ").first)
    _ = try program.json("edit", id, "--leaf", String(short))
    #expect(try program.json("show", "cello").text("sprout.leaf") == "Scales")
    leaves = try #require(try program.json("leaf", "list", "--twig", "core/sport").at("leaves")?.elements)
    #expect(leaves.isEmpty)
    #expect(try program.json("leaf", "list").at("leaves")?.elements?.count == 2, "no leaf was created twice")
  }

  @Test(
    arguments: [
      (["cello"], 2), (["cello", "--leaf", " "], 2), (["tuba", "--title", "x"], 3), (["cello", "--title", " "], 1),
      (["cello", "--budding", String(repeating: "x", count: 61)], 1),
    ] as [([String], Int32)])
  func rejectsOtherEdits(arguments: [String], code: Int32) throws {
    try program.plant("Cello")
    let before = try program.run("export", "-").output.split(separator: "\n").filter { !$0.contains("exportedAt") }
    let outcome = try program.start(["edit"] + arguments).outcome()
    #expect(outcome.code == code && outcome.output == "" && !outcome.errorOutput.isEmpty)
    let after = try program.run("export", "-").output.split(separator: "\n").filter { !$0.contains("exportedAt") }
    #expect(after == before)
  }

  @Test func plantsASeedling() throws {
    _ = try program.json("seed", "Build a bird table", "--twig", "hands/fabrication")
    let planted = try program.json("plant", "--seedling", "bird", "--season", "2w")
    #expect(planted.text("sprout.title") == "Build a bird table" && planted.text("sprout.twig") == "hands/fabrication")
    #expect(try program.json("seedling", "list").at("seedlings")?.elements?.isEmpty == true)
    _ = try program.json("seed", "Run", "--twig", "core/movement")
    let other = try program.json("plant", "Run far", "--seedling", "run", "--twig", "core/sport", "--season", "2w")
    #expect(other.text("sprout.title") == "Run far" && other.text("sprout.twig") == "core/sport")
    #expect(try program.run("plant", "Run").code == 2)
    #expect(try program.run("plant", "--twig", "core/sport").code == 2)
    #expect(try program.run("plant", "--seedling", "tuba").code == 3)
  }
}
