import ArgumentParser
import EventStore
import Glibc
import Localization
import SyncEngine
import TrunkAccount
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
        subcommands: [StatusCommand.self, TodayCommand.self, DueCommand.self, WaterCommand.self, ShineCommand.self]),
      CommandGroup(
        name: tr("In season"),
        subcommands: [
          PlantCommand.self, HarvestCommand.self, UprootCommand.self, SeedCommand.self, SeedlingCommand.self,
          NodeCommand.self,
        ]),
      CommandGroup(
        name: tr("Looking back"),
        subcommands: [TreeCommand.self, ListCommand.self, ShowCommand.self, SearchCommand.self, LogCommand.self]),
      CommandGroup(
        name: tr("Other devices"),
        subcommands: [SyncCommand.self, OutboxCommand.self, LoginCommand.self, LogoutCommand.self, RestoreCommand.self]),
      CommandGroup(
        name: tr("The data"),
        subcommands: [
          ExportCommand.self, ImportCommand.self, BackupCommand.self, DoctorCommand.self, DeriveCommand.self,
          DemoCommand.self,
        ]),
    ],
    defaultSubcommand: StatusCommand.self)

  static func main() async {
    TrunkKit.Program.preventCoreDumps()
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
    guard let word = CommandLine.arguments.dropFirst().first, !word.hasPrefix("-"), !commandNames.contains(word)
    else { return }
    var lines = [tr("“{name}” is not a command.", ["name": Output.safe(word)])]
    if let nearest = Suggestion.command(for: word, among: commandNames) {
      lines[0] += " " + tr("Did you mean “{command}”?", ["command": nearest])
    }
    lines += [tr("Usage: trunkctl <command>"), tr("Commands:")]
    for group in configuration.groupedSubcommands {
      lines.append("  " + group.subcommands.map { name(of: $0) }.joined(separator: " "))
    }
    throw Failure(.usage, lines.joined(separator: "\n"))
  }

  /// Prints the error or the requested help, and ends the program.
  private static func end(with error: any Error) -> Never {
    let outcome = Outcome(error)
    if outcome.code == .success {
      Output.write(outcome.message)
    } else if !outcome.message.isEmpty {
      Output.writeMessage(outcome.message)
    }
    Glibc.exit(outcome.code.rawValue)
  }
}

/// The exit codes. They are documented in the manual page and never change their meaning.
enum Exit: Int32 {
  case success = 0
  /// A rule of the garden forbids it.
  case refused = 1
  /// The command line can't be understood.
  case usage = 2
  /// The named object doesn't exist, or several match.
  case notFound = 3
  /// The store can't be used, or is damaged.
  case store = 4
  /// A file that was named can't be read, written or understood.
  case file = 5
  /// The server or the keyring can't be used now.
  case network = 6
  /// The server lacks entries that are on this computer, and the user hasn't decided about it.
  case missing = 7
  /// The server rejected entries, and the user hasn't decided about them.
  case rejected = 8
}

/// Why a command stops: its exit code and a message for the user.
struct Failure: Error {
  let code: Exit
  let message: String

  init(_ code: Exit, _ message: String) {
    self.code = code
    self.message = message
  }
}

/// The exit code and message after an error.
private struct Outcome {
  let code: Exit
  let message: String

  init(_ error: any Error) {
    switch error {
    case let failure as Failure: (code, message) = (failure.code, failure.message)
    case IntentError.unknownSprout, IntentError.unknownSeedling: (code, message) = (.notFound, plainWords(error))
    case is IntentError: (code, message) = (.refused, plainWords(error))
    case StoreError.missing(_, let copies):
      let restore = copies == nil ? "" : "\n  trunkctl doctor --restore-backup"
      (code, message) = (
        .store,
        plainWords(error) + " " + tr("Restore the newest backup, or start with an empty garden:") + restore
          + "\n  trunkctl doctor --start-over"
      )
    case is StoreError, is Settings.Unreadable: (code, message) = (.store, plainWords(error))
    case let problem as SyncProblem: (code, message) = (Outcome.code(of: problem), plainWords(error))
    case is ServiceFailure, is VaultFailure, is SignInFailure:
      (code, message) = (.network, plainWords(error))
    case is AccountError, is ServerSettings.Invalid: (code, message) = (.refused, plainWords(error))
    default:
      // The parser also throws help and version as errors, with the exit code for success. All others are usage errors.
      code = Trunkctl.exitCode(for: error) == .success ? .success : .usage
      message = Trunkctl.fullMessage(for: error)
    }
  }

  private static func code(of problem: SyncProblem) -> Exit {
    switch problem {
    // The garden can be used, but not with this server.
    case .store(.otherServer): .network
    case .store: .store
    default: .network
    }
  }
}

/// The examples at the end of a command's help.
struct Examples {
  let text: String

  /// - Parameter examples: command lines and their purposes.
  init(_ examples: [(line: String, purpose: String)]) {
    let lines = examples.map { "  $ \($0.line)\n    \($0.purpose)" }
    text = tr("Examples:") + "\n" + lines.joined(separator: "\n")
  }
}
