import Foundation
import Testing

/// Requests completions as the shells' scripts do.
@Suite struct CompletionTests {
  private let program: BuiltProgram

  init() throws {
    program = try BuiltProgram()
  }

  /// The candidates for an argument of a command: its position among the arguments, or the name of an option.
  private func candidates(_ command: String, _ argument: String) throws -> [String] {
    let words = command.split(separator: " ").map(String.init)
    let arguments = ["---completion"] + words + ["--", argument, "0", "0", "trunkctl"] + words + [""]
    let outcome = try program.start(arguments).outcome()
    #expect(outcome.code == 0 && outcome.errorOutput.isEmpty, "\(outcome.errorOutput)")
    return outcome.lines.filter { !$0.isEmpty }
  }

  @Test func offersTheTwigs() throws {
    let script = try program.run("--generate-completion-script", "bash").output
    #expect(script.contains("'voice/practice'") && script.contains("'feet/administration'"))
  }

  @Test func offersWordsThatNameOneGrowingSprout() throws {
    try program.plant("Learn the cello prelude")
    try program.plant("Learn to swim")
    #expect(try candidates("water", "positional@0") == ["cello", "prelude", "swim", "the"])
  }

  @Test func offersWordsThatNameOneSeedling() throws {
    for title in ["Build a bird table", "Build a nest box"] {
      _ = try program.json("seed", title, "--twig", "hands/fabrication")
    }
    for command in ["seedling edit", "seedling delete"] {
      #expect(try candidates(command, "positional@0") == ["bird", "box", "nest", "table"], "\(command)")
    }
  }

  @Test func neverOffersWordsThatAShellWouldExpand() throws {
    try program.plant("Read $(touch pwned) `id` a;b \\x")
    #expect(try candidates("water", "positional@0").allSatisfy { $0.allSatisfy { $0.isLetter || $0.isNumber } })
  }

  @Test func createsNoGarden() throws {
    #expect(try candidates("water", "positional@0") == [])
    #expect(program.files == [])
  }
}
