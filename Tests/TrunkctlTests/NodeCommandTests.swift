import Foundation
import Testing
import TrunkModel

@Suite struct NodeCommandTests {
  @Test func listsTheWholeTree() throws {
    let program = try BuiltProgram()
    let lines = try program.run("node", "list").lines
    #expect(lines.count == 72)
    #expect(lines[0].hasPrefix("core "))
    #expect(lines[1].hasPrefix("  core/movement "))
    #expect(program.files == [], "listing must not create a garden")
    let json = try program.json("node", "list")
    #expect(json.at("nodes")?.elements?.count == 72)
    #expect(json.text("nodes.18.id") == "branch-2")
    #expect(json.text("nodes.18.name") == "Voice")
  }

  @Test func renamesAndRestoresATwig() throws {
    let program = try BuiltProgram()
    try program.plant("The prelude")
    let outcome = try program.run("node", "rename", "voice/practice", "Cello")
    #expect(outcome.code == 0, "\(outcome.errorOutput)")
    #expect(outcome.lines[0] == "Voice · Cello")
    #expect(try program.run("list").output.contains("Voice · Cello"))
    #expect(try program.run("log", "--limit", "1").output.contains("renamed"))
    // The new name names the twig too, and the preset one stays valid in scripts.
    #expect(try program.json("node", "note", "cello", "Bow and strings").text("node.note") == "Bow and strings")
    #expect(try program.json("node", "note", "voice/practice", "Bow").text("node.presetName") == "practice")
    #expect(try program.json("node", "restore", "cello").at("node.changed") == .bool(false))
    #expect(try program.run("list").output.contains("Voice · practice"))
  }

  @Test func renamesABranch() throws {
    let program = try BuiltProgram()
    #expect(try program.json("node", "rename", "voice", "SOUND").text("node.id") == "branch-2")
    #expect(try program.json("node", "rename", "sound", "").text("node.name") == "Voice")
  }

  @Test func rejectsInvalidNodesAndTexts() throws {
    let program = try BuiltProgram()
    let long = String(repeating: "x", count: 41)
    #expect(try program.run("node", "rename", "voice", long).code == 1)
    #expect(try program.run("node", "rename", "nowhere", "x").code == 3)
    #expect(try program.run("node", "rename", "voice").code == 2)
  }

  @Test(arguments: [
    ("voice/practise", "voice/practice"), ("practise", "voice/practice"), ("heart/jo", "heart/joy"),
    ("heart/practice", "voice/practice"),
  ])
  func suggestsTheNearestTwigForATypo(typo: String, path: String) throws {
    let outcome = try BuiltProgram().run("plant", "x", "--twig", typo)
    #expect(outcome.code == 3)
    #expect(outcome.errorOutput == "No twig is called “\(typo)”. Did you mean “\(path)”?\n")
  }

  @Test(arguments: ["voice", "core", "nowhere", ""])
  func listsAllTwigsIfNoneIsNear(name: String) throws {
    let outcome = try BuiltProgram().run("plant", "x", "--twig", name)
    #expect(outcome.code == 3)
    #expect(outcome.errorOutput.hasPrefix("No twig is called “\(name)”. Write it like “voice/practice”:\n"))
  }

  @Test func anExportForOtherVersionsSaysWhatItLeavesOut() throws {
    let program = try BuiltProgram()
    try program.plant("The prelude")
    _ = try program.json("node", "rename", "voice", "SOUND")
    let file = program.home + "/garden.json"
    let outcome = try program.run("export", "--for-other-versions", file)
    #expect(
      outcome.lines == [
        "Wrote 2 events to “\(file)”.", "1 event that other versions can’t read was left out.",
      ])
    #expect(try !String(contentsOfFile: file, encoding: .utf8).contains("node_updated"))
    #expect(try program.run("export", "-").output.contains("node_updated"))
    let json = try program.json("export", "--for-other-versions", "--force", file)
    #expect(json.number("leftOut") == 1)
    #expect(json.number("events") == 2)
  }
}
