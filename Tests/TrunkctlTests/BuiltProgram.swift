import Foundation
import TemporaryFolders
import Testing
import TrunkKit
import TrunkModel

/// The built `trunkctl` with separate folders, in a time zone where it is about noon, so that no test runs across the
/// reset at 06:00.
final class BuiltProgram {
  struct Outcome {
    let code: Int32
    let output: String
    let errorOutput: String

    /// The output of a command with `--json`.
    func json() throws -> JSON { try JSON(output) }

    var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).dropLast() }
  }

  private let folder: TemporaryFolder
  var home: String { folder.path }
  let zoneName: String
  let zone: Zone

  static let binary = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("trunkctl")

  /// - Parameter hour: about what time it is.
  init(hour local: Int = 12) throws {
    folder = try TemporaryFolder("trunkctl").created()
    let hour = Int(Date().timeIntervalSince1970) / 3600 % 24
    // In the names of these zones, `+` means west of Greenwich.
    let east = (local - hour + 36) % 24 - 12
    zoneName = east == 0 ? "Etc/GMT" : east > 0 ? "Etc/GMT-\(east)" : "Etc/GMT+\(-east)"
    zone = try #require(Zone.named(zoneName))
  }

  var garden: String { home + "/data/trunk/local" }

  /// Everything below the home folder.
  var files: [String] { (FileManager.default.enumerator(atPath: home)?.allObjects as? [String] ?? []).sorted() }

  /// Returns the lines that a command writes on a terminal with this many columns.
  /// - Parameters:
  ///   - settings: environment variables in the syntax of the shell.
  ///   - input: what is typed; Ctrl+D follows.
  func onTerminal(
    _ width: Int, _ command: String, settings: String = "TERM=xterm", input: String = ""
  ) throws -> [String] {
    let shell = "stty cols \(width); \(settings) '\(BuiltProgram.binary.path)' \(command)"
    let outcome = try start(["-qec", shell, "/dev/null"], of: URL(fileURLWithPath: "/usr/bin/script"), input: input)
      .outcome()
    try #require(outcome.code == 0, "\(outcome.output)")
    return outcome.output.split(whereSeparator: \.isNewline).map(String.init)
  }

  func start(
    _ arguments: [String], of binary: URL = BuiltProgram.binary, input: String = "", environment: [String: String] = [:]
  ) throws -> (Process, outcome: () throws -> Outcome) {
    let process = Process()
    process.executableURL = binary
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: home)
    process.environment = [
      "HOME": home, "XDG_DATA_HOME": home + "/data", "XDG_CONFIG_HOME": home + "/config",
      "XDG_STATE_HOME": home + "/state", "LC_ALL": "C.UTF-8", "TZ": zoneName, "PATH": "/usr/bin:/bin",
    ].merging(environment) { $1 }
    let (output, errorOutput) = (home + "/.out-" + UUID().uuidString, home + "/.err-" + UUID().uuidString)
    for path in [output, errorOutput] { try "".write(toFile: path, atomically: false, encoding: .utf8) }
    process.standardOutput = FileHandle(forWritingAtPath: output)
    process.standardError = FileHandle(forWritingAtPath: errorOutput)
    let file = home + "/.in-" + UUID().uuidString
    try input.write(toFile: file, atomically: false, encoding: .utf8)
    process.standardInput = FileHandle(forReadingAtPath: file)
    try process.run()
    return (
      process,
      {
        process.waitUntilExit()
        let outcome = Outcome(
          code: process.terminationReason == .exit ? process.terminationStatus : -1,
          output: try String(contentsOfFile: output, encoding: .utf8),
          errorOutput: try String(contentsOfFile: errorOutput, encoding: .utf8))
        for path in [output, errorOutput, file] { try FileManager.default.removeItem(atPath: path) }
        return outcome
      }
    )
  }

  /// - Parameter environment: variables that replace those of every run.
  func run(_ arguments: String..., input: String = "", environment: [String: String] = [:]) throws -> Outcome {
    try start(arguments, input: input, environment: environment).outcome()
  }

  /// Runs a command that must succeed, and reads its JSON.
  func json(_ arguments: String...) throws -> JSON {
    let outcome = try start(arguments + ["--json"]).outcome()
    try #require(outcome.code == 0, "\(arguments): \(outcome.errorOutput)")
    #expect(outcome.errorOutput == "")
    return try outcome.json()
  }

  // MARK: Gardens

  static func daysAgo(_ days: Double) -> Instant {
    Instant(milliseconds: Int64((Date().timeIntervalSince1970 - days * 86_400) * 1000))
  }

  /// Imports a sprout that was planted some days ago.
  @discardableResult
  func plant(
    _ title: String, daysAgo days: Double = 1, id: String = UUID().uuidString.lowercased(),
    twig: String = "branch-2-twig-0", season: Season = .oneMonth
  ) throws -> String {
    let instant = BuiltProgram.daysAgo(days)
    let events = [
      Event(
        .leafCreated(.init(leafID: "leaf-" + id, twigID: twig, name: title)), at: instant,
        clientID: Event.clientID(at: instant, random: .random(in: 0 ... .max))),
      Event(
        .sproutPlanted(
          .init(
            sproutID: "sprout-" + id, twigID: twig, title: title, season: season, environment: .fertile,
            soilCost: Soil.cost(season, .fertile), leafID: "leaf-" + id)), at: instant,
        clientID: Event.clientID(at: instant, random: .random(in: 0 ... .max))),
    ]
    try importEvents(events)
    return "sprout-" + id
  }

  func importEvents(_ events: [Event]) throws {
    let outcome = try run("import", "-", input: ExportFile.encode(events, exportedAt: BuiltProgram.daysAgo(0)))
    try #require(outcome.code == 0, "\(outcome.errorOutput)")
  }
}

extension JSON {
  /// The value at a path of names and positions: `soil.available`, `due.0.title`.
  func at(_ path: String) -> JSON? {
    path.split(separator: ".").reduce(Optional(self)) { value, part in
      Int(part).map { index in value?.elements.flatMap { index < $0.count ? $0[index] : nil } } ?? value?[String(part)]
    }
  }

  func text(_ path: String) -> String? { at(path)?.text }

  func number(_ path: String) -> Double? { at(path)?.double }
}
