import Foundation
import Testing

@Suite struct TreeCommandTests {
  @Test(arguments: zip(["svg", "png", "PDF"], ["<?xml", "\u{89}PNG", "%PDF"]))
  func drawsAFileOfTheFormatInItsName(ending: String, beginning: String) throws {
    let program = try BuiltProgram()
    try program.plant("Cello")
    let file = program.home + "/tree." + ending
    #expect(try program.run("tree", "--to", file).output == "Saved “\(file)”.\n")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    #expect(bytes.starts(with: beginning.unicodeScalars.map { UInt8($0.value) }))
    let again = try program.run("tree", "--to", file)
    #expect(again.code == 1)
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == bytes)
    #expect(try program.run("tree", "--to", file, "--force", "--size", "400x300", "--theme", "print").code == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)).count < bytes.count)
  }

  @Test func namesAndCaptionCanBeLeftOut() throws {
    let program = try BuiltProgram()
    try program.plant("Cello")
    // Shapes change a little from second to second, because the sprout grows, but not their number.
    func shapes(_ options: String...) throws -> Int {
      let file = program.home + "/tree.svg"
      #expect(try program.start(["tree", "--to", file, "--force"] + options).outcome().code == 0)
      return try String(contentsOf: URL(fileURLWithPath: file), encoding: .utf8).count { $0 == "<" }
    }
    let all = try shapes()
    #expect(try shapes() == all)
    #expect(try shapes("--no-labels") < all)
    #expect(try shapes("--no-caption") < all)
  }

  @Test(arguments: [
    ["--to", "tree.gif"], ["--to", "tree"], ["--to", "x.png", "--size", "9x9"], ["--to", "x.png", "--theme", "x"],
  ])
  func rejectsUnknownFormatsAndSizes(options: [String]) throws {
    let program = try BuiltProgram()
    try program.plant("Cello")
    let outcome = try program.start(["tree"] + options).outcome()
    #expect(outcome.code == 2)
    #expect(!outcome.errorOutput.isEmpty)
  }

  @Test func withoutAGardenThereIsNoTree() throws {
    let program = try BuiltProgram()
    #expect(try program.run("tree", "--to", program.home + "/tree.png").code == 3)
    #expect(program.files == [])
  }
}
