import Foundation
import TemporaryFolders
import Testing
import TrunkKit

/// Runs every command line of the documents and the help in the demo garden, as a reader would.
@Suite struct DocumentationTests {
  /// A demo garden that every line gets a copy of.
  private let template: BuiltProgram

  init() throws {
    template = try BuiltProgram()
    _ = try template.json("demo", "--years", "3", "--into-store")
    // The examples name this seedling, which the demo garden has on some days only.
    if try !template.run("seedling", "list").output.contains("bird table") {
      _ = try template.json("seed", "Build a bird table", "--twig", "hands/fabrication")
    }
  }

  @Test func everyLineOfTheDocumentsWorks() throws {
    let lines = try DocumentedCommands.inDocuments()
    for source in ["README.md", "docs/moving-to-supabase.md", "docs/restoring.md", "data/man/trunkctl.1"] {
      #expect(lines.contains { $0.source == source }, "no line of \(source) was found")
    }
    #expect(lines.contains { $0.line.hasPrefix("trunkctl water cello -m \"Twenty minutes") })
    for line in lines { try check(line) }
  }

  @Test(arguments: HelpTests.commands + ["", "seedling", "pages", "node", "leaf", "settings"])
  func everyExampleOfTheHelpWorks(command: String) throws {
    let words = command.split(separator: " ").map(String.init)
    let lines = DocumentedCommands.inHelp(try template.start(words + ["--help"]).outcome().output, of: command)
    #expect(!lines.isEmpty)
    for line in lines { try check(line) }
  }

  private func check(_ line: DocumentedCommand) throws {
    if line.line.hasPrefix("trunk ") { return try checkWindow(line) }
    let program = try BuiltProgram()
    try FileManager.default.copyItem(atPath: template.home + "/data", toPath: program.home + "/data")
    let shell = try Shell(program)
    try shell.prepare(line.line)
    let outcome = try shell.run(line.line)
    // Without an account or a server these lines can only be parsed, and yesterday's water is offered until noon. Any
    // number of the demo's entries can have the words of a line.
    let needsServer = line.line.contains(/trunkctl (?:sync|outbox|login|logout|restore)\b/)
    let codes: [Int32] =
      needsServer
      ? [0, 3, 6]
      : line.line.contains(/trunkctl hide .*"/) ? [0, 3] : line.line.contains("--yesterday") ? [0, 1] : [0]
    #expect(codes.contains(outcome.code), "\(line): \(outcome.code) \(outcome.output) \(outcome.errorOutput)")
  }

  /// The window needs a display; its manual page lists its options.
  private func checkWindow(_ line: DocumentedCommand) throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../data/man/trunk.1")
    let manual = try String(contentsOf: page, encoding: .utf8)
    for option in line.line.matches(of: #/ --([a-z-]+)/#) {
      #expect(manual.contains("Fl -" + option.output.1), "\(line)")
    }
  }
}

/// A shell in which `trunkctl` is the built program, in the folder of a garden.
private struct Shell {
  let program: BuiltProgram

  private var binaries: String { program.home + "/bin" }

  init(_ program: BuiltProgram) throws {
    self.program = program
    let files = FileManager.default
    try files.createDirectory(atPath: program.home + "/bin", withIntermediateDirectories: false)
    try files.createSymbolicLink(
      atPath: program.home + "/bin/trunkctl", withDestinationPath: BuiltProgram.binary.path)
    // Other programs in the examples, which may not be installed.
    for (name, script) in [("jq", "cat >/dev/null"), ("xz", "cat"), ("fortune", "echo A line.")] {
      let path = program.home + "/bin/" + name
      try "#!/bin/sh\n\(script)\n".write(toFile: path, atomically: false, encoding: .utf8)
      try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }
  }

  /// Makes what a line presupposes: the files that it names, and the state that it ends.
  func prepare(_ line: String) throws {
    for file in line.matches(of: /[\w.-]+\.json\b|\bFILE\b/) where !line.contains("demo") && !line.contains("export") {
      try expect(["export", String(file.output)])
    }
    if line.contains("pages") {
      let date = line.contains("--date-order") ? "03.04.2023 10:00" : "2023-04-03 10:00"
      try "[\(date)] Along the river\nTo the weir.\n".write(
        toFile: program.home + "/journal.txt", atomically: false, encoding: .utf8)
    }
    let year = Calendar(identifier: .gregorian).component(.year, from: .now)
    for (part, arguments) in [
      ("node restore", ["node", "rename", "voice/practice", "Cello"]),
      ("rest --end", ["rest", "--to", "\(year + 1)-12-31"]),
      ("pages remove", ["pages", "import", program.home + "/journal.txt"]),
      ("trunkctl undo", ["seedling", "delete", "--offline", "bird"]),
    ] where line.contains(part) {
      try expect(arguments)
    }
    if line.contains("doctor --") {
      try expect(["backup"])
      try FileManager.default.removeItem(atPath: program.garden + "/garden.db")
    }
    if line.contains("--into-store") { try FileManager.default.removeItem(atPath: program.home + "/data") }
  }

  private func expect(_ arguments: [String]) throws {
    let outcome = try program.start(arguments).outcome()
    try #require(outcome.code == 0, "\(arguments): \(outcome.errorOutput)")
  }

  /// Runs a line. A line that asks for a text runs at a terminal.
  func run(_ line: String) throws -> BuiltProgram.Outcome {
    var line = line.replacing("/media/stick", with: program.home)
    if line.contains("3f2a91bc"), let id = try program.json("due").text("due.0.id") {
      line = line.replacing("3f2a91bc", with: id)
    }
    let asks = line.contains(/trunkctl (?:water|shine)\b/) && !line.contains("-m ") && !line.contains("|")
    let shell = URL(fileURLWithPath: asks ? "/usr/bin/script" : "/bin/sh")
    let arguments = asks ? ["-qec", line, "/dev/null"] : ["-c", line]
    return try program.start(
      arguments, of: shell, input: asks ? "A line.\n" : "", environment: ["PATH": binaries + ":/usr/bin:/bin"]
    ).outcome()
  }
}
