import ArgumentParser
import Glibc
import Localization
import TrunkKit
import TrunkModel

/// The command-line tool.
@main
struct Trunkctl: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trunkctl",
    abstract: tr("Tend your Trunk garden from a terminal."),
    discussion: Examples([
      ("trunkctl", tr("the state of the garden")),
      ("trunkctl water cello -m \"The shift at bar nine held.\"", tr("a journal entry for a sprout")),
      ("trunkctl due --json", tr("what is due, for another program")),
    ]).text,
    version: Release.version,
    groupedSubcommands: [
      CommandGroup(
        name: tr("Every day"),
        subcommands: [
          StatusCommand.self, TodayCommand.self, DueCommand.self, WaterCommand.self, ShineCommand.self,
          RestCommand.self, UndoCommand.self,
        ]),
      CommandGroup(
        name: tr("In season"),
        subcommands: [
          PlantCommand.self, EditCommand.self, HarvestCommand.self, UprootCommand.self, SeedCommand.self,
          SeedlingCommand.self, LeafCommand.self, NodeCommand.self,
        ]),
      CommandGroup(
        name: tr("Looking back"),
        subcommands: [
          TreeCommand.self, ListCommand.self, ShowCommand.self, SearchCommand.self, LogCommand.self, HideCommand.self,
        ]),
      CommandGroup(
        name: tr("Other devices"),
        subcommands: [SyncCommand.self, OutboxCommand.self, LoginCommand.self, LogoutCommand.self, RestoreCommand.self]),
      CommandGroup(
        name: tr("The data"),
        subcommands: [
          ExportCommand.self, ImportCommand.self, PagesCommand.self, BackupCommand.self, DoctorCommand.self,
          DeriveCommand.self,
          DemoCommand.self, SettingsCommand.self,
        ]),
    ],
    defaultSubcommand: StatusCommand.self)

  static func main() async {
    TrunkKit.Program.prepare()
    setUpLocalization(folder: "trunkctl/locale")
    do {
      try checkCommandName()
      var command = try await asyncParseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      end(with: error)
    }
  }

  /// The names of all commands. The parser would take an unknown one for an argument of the default command.
  private static var commandNames: [String] {
    configuration.groupedSubcommands.flatMap(\.subcommands).map { name(of: $0) } + ["help"]
  }

  private static func name(of command: any ParsableCommand.Type) -> String {
    command._commandName
  }

  /// - Throws: a `Failure` that suggests the nearest command and lists all of them.
  private static func checkCommandName() throws {
    let words = CommandLine.arguments.dropFirst()
    // The parser answers `help` with an unknown name like `help` alone.
    let named = words.first == "help" ? words.dropFirst().first : words.first
    guard let word = named, !word.hasPrefix("-"), !commandNames.contains(word) else { return }
    var lines = [tr("“{name}” is not a command.", ["name": Output.safe(word)])]
    if let nearest = Suggestion.nearest(to: word, among: commandNames) {
      lines[0] += " " + Suggestion.question(nearest)
    }
    lines += [tr("Usage: trunkctl <command>"), tr("Commands:")]
    for group in configuration.groupedSubcommands {
      lines.append("  " + group.subcommands.map { name(of: $0) }.joined(separator: " "))
    }
    throw Failure(.usage, lines.joined(separator: "\n"))
  }

  /// Whether the answer should be JSON, even if the rest of the command line can't be understood.
  private static var wantsJSON: Bool { CommandLine.arguments.dropFirst().prefix { $0 != "--" }.contains("--json") }

  /// Prints the error or the requested help, and ends the program.
  private static func end(with error: any Error) -> Never {
    let outcome = Outcome(error)
    if outcome.code == .success {
      Output.write(outcome.message)
    } else if wantsJSON {
      Output.writeMessage(outcome.json)
    } else if !outcome.message.isEmpty {
      Output.writeMessage(outcome.message)
    }
    Glibc.exit(outcome.code.rawValue)
  }
}
