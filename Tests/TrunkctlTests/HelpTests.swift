import Foundation
import Testing
import TrunkAccount
import TrunkKit
import TrunkModel

/// The arguments that name a command and its subcommand.
private func arguments(of command: String) -> [String] { command.split(separator: " ").map(String.init) }

/// The options in a command's help.
private func options(in help: String) -> [String] {
  let section = help.components(separatedBy: "\nOPTIONS:\n").dropFirst().joined()
  return section.matches(of: /(?m)^ {2}(?:-[a-z], )?(--[a-z-]+)/).map { String($0.output.1) }
}

@Suite struct HelpTests {
  static let commands = [
    "status", "today", "due", "water", "shine", "rest", "undo", "plant", "edit", "harvest", "uproot", "seed",
    "seedling list", "seedling edit", "seedling delete", "leaf list", "node list", "node rename", "node note",
    "node restore", "tree", "list", "show", "search", "log", "sync", "outbox", "login", "logout", "restore", "export",
    "import", "pages list", "pages import", "pages remove", "backup", "doctor", "derive", "demo", "settings list",
    "settings get", "settings set", "hide",
  ]

  @Test func printsItsVersion() throws {
    let outcome = try BuiltProgram().run("--version")
    #expect(outcome.code == 0)
    #expect(outcome.output == Release.version + "\n")
  }

  @Test(arguments: commands)
  func explainsEveryCommandWithExamples(command: String) throws {
    let program = try BuiltProgram()
    let outcome = try program.start(arguments(of: command) + ["--help"]).outcome()
    #expect(outcome.code == 0)
    #expect(outcome.errorOutput == "")
    #expect(outcome.output.contains("Examples:\n  $ "), "\(command)")
    let examples = outcome.output.components(separatedBy: "Examples:\n").last?.components(separatedBy: "\n\n").first
    let lines = examples?.components(separatedBy: "\n") ?? []
    #expect(lines.allSatisfy { $0.hasPrefix("  ") }, "an example is too long for its line: \(lines)")
    #expect(outcome.output.contains("--json"))
    #expect(!outcome.output.contains("--data-dir"))
    #expect(program.files == [])
  }

  @Test func rejectsUnknownCommandsAndOptions() throws {
    let program = try BuiltProgram()
    for arguments in [["dance"], ["--dance"], ["status", "--dance"], ["water"], ["harvest", "x"]] {
      let outcome = try program.start(arguments).outcome()
      #expect(outcome.code == 2, "\(arguments)")
      #expect(outcome.output == "")
      #expect(outcome.errorOutput.contains("Usage: trunkctl"))
    }
  }

  @Test func suggestsTheNearestCommandForATypo() throws {
    let program = try BuiltProgram()
    for (typo, command) in [("wtaer", "water"), ("stat", "status"), ("exprot", "export"), ("outbx", "outbox")] {
      let outcome = try program.run(typo, "x")
      #expect(outcome.code == 2)
      #expect(outcome.errorOutput.contains("Did you mean “\(command)”?"), "\(outcome.errorOutput)")
    }
    let outcome = try program.run("dance")
    #expect(!outcome.errorOutput.contains("Did you mean"))
    let help = try program.start(["help", "wtaer"]).outcome()
    #expect(help.code == 2 && help.errorOutput.hasPrefix("“wtaer” is not a command. Did you mean “water”?"))
    #expect(try program.start(["help", "water"]).outcome().output.contains("trunkctl water"))
    #expect(program.files == [], "a typo must not create a garden")
  }

  @Test func anUnknownCommandListsExactlyTheTestedCommands() throws {
    let lines = try BuiltProgram().run("dance").errorOutput.components(separatedBy: "\n")
    let listed = lines.filter { $0.hasPrefix("  ") }.flatMap { $0.split(separator: " ").map(String.init) }
    #expect(Set(listed) == Set(HelpTests.commands.map { arguments(of: $0)[0] }))
  }

  @Test func emphasizesOnlyWhereTheEnvironmentAllowsIt() throws {
    let program = try BuiltProgram()
    try program.plant("Cello")
    #expect(try program.onTerminal(80, "search cello").joined().contains("\u{1B}[1mCello"))
    for setting in ["NO_COLOR=1", "TERM=dumb"] {
      let plain = try program.onTerminal(80, "search cello", settings: setting).joined()
      #expect(plain.contains("Cello") && !plain.contains("\u{1B}"), "\(setting): \(plain)")
    }
  }

  @Test func theManualHasEveryCommandAndOption() throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../data/man/trunkctl.1")
    let manual = try String(contentsOf: page, encoding: .utf8)
    let program = try BuiltProgram()
    for command in HelpTests.commands {
      #expect(manual.contains(".It Cm \(command)\n") || manual.contains(".It Cm \(command) "), "\(command)")
      let help = try program.start(arguments(of: command) + ["--help"]).outcome().output
      for option in options(in: help) where !["--version", "--help"].contains(option) {
        #expect(manual.contains("Fl -" + option.dropFirst(2)), "\(command) \(option)")
      }
    }
  }

  @Test func anotherFolderCanBeGiven() throws {
    let program = try BuiltProgram()
    let folder = program.home + "/elsewhere"
    #expect(try program.run("plant", "x", "--twig", "core/sport", "--data-dir", folder).code == 0)
    #expect(FileManager.default.fileExists(atPath: folder + "/garden.db"))
    #expect(!FileManager.default.fileExists(atPath: program.garden))
    #expect(try program.run("due", "--data-dir", folder).lines.count == 1)
  }

  @Test func nothingIsReadableForOthers() throws {
    let program = try BuiltProgram()
    try program.plant("Cello")
    _ = try program.json("backup")
    for file in program.files where file.hasPrefix("data/trunk") {
      let mode = try FileManager.default.attributesOfItem(atPath: program.home + "/" + file)[.posixPermissions] as? Int
      #expect((mode ?? 0o777) & 0o077 == 0, "\(file)")
    }
  }

  @Test func outputThatCannotBeWrittenIsAFailure() throws {
    let program = try BuiltProgram()
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    let binary = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
    shell.arguments = ["-c", "'\(binary)/trunkctl' status >/dev/full 2>/dev/null"]
    shell.environment = ["XDG_DATA_HOME": program.home, "LC_ALL": "C.UTF-8"]
    try shell.run()
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 5)
  }
}
