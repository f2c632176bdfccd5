import ArgumentParser
import GardenStore
import Gardening
import Glibc
import Localization
import Sync

/// The garden in a terminal.
@main
struct Trunkctl: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trunkctl",
    abstract: tr("Tend the garden of Trunk from a terminal."),
    discussion: Examples([
      ("trunkctl", tr("how the garden stands")),
      ("trunkctl water cello -m \"The shift at bar nine held.\"", tr("a journal entry for a sprout")),
      ("trunkctl due --json", tr("what is due, for another program")),
    ]).text,
    version: Program.version,
    groupedSubcommands: [
      CommandGroup(name: tr("Every day"), subcommands: [Status.self, Due.self, Water.self, Shine.self]),
      CommandGroup(name: tr("In season"), subcommands: [Plant.self, Harvest.self, Uproot.self, Seed.self]),
      CommandGroup(name: tr("Looking back"), subcommands: [List.self, Show.self, Search.self, Log.self]),
      CommandGroup(
        name: tr("Other devices"),
        subcommands: [SyncCommand.self, OutboxCommand.self, Login.self, Logout.self, Restore.self]),
      CommandGroup(
        name: tr("The data"),
        subcommands: [Export.self, Import.self, Backup.self, Doctor.self, Derive.self, Demo.self]),
    ],
    defaultSubcommand: Status.self)

  static func main() async {
    Gardening.Program.leaveNoCoreDumps()
    setUpLocalization()
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

  /// Every command by name. The parser would take an unknown one for an argument of the default command.
  private static var commandNames: [String] {
    configuration.groupedSubcommands.flatMap(\.subcommands).map { name(of: $0) } + ["help"]
  }

  private static func name(of command: any ParsableCommand.Type) -> String {
    command.configuration.commandName ?? String(describing: command).lowercased()
  }

  /// - Throws: `Failure` that suggests the nearest command and lists all of them.
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

  /// Tells what went wrong, or prints the help that was asked for, and ends the program.
  private static func end(with error: any Error) -> Never {
    let outcome = Outcome(error)
    if outcome.code == .done {
      Output.write(outcome.message)
    } else if !outcome.message.isEmpty {
      Output.complain(outcome.message)
    }
    Glibc.exit(outcome.code.rawValue)
  }
}

/// How the program ends. The numbers are documented in the manual page and never change their meaning.
enum Exit: Int32 {
  case done = 0
  /// A rule of the garden stands against it.
  case refused = 1
  /// The command line can't be understood.
  case usage = 2
  /// What was named is not there, or more than one thing fits.
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

/// Why a command stops: its exit code, and what to tell the user.
struct Failure: Error {
  let code: Exit
  let message: String

  init(_ code: Exit, _ message: String) {
    self.code = code
    self.message = message
  }
}

/// What an error means for the one who called the program.
private struct Outcome {
  let code: Exit
  let message: String

  init(_ error: any Error) {
    switch error {
    case let failure as Failure: (code, message) = (failure.code, failure.message)
    case GardeningError.unknownSprout, GardeningError.unknownSeedling: (code, message) = (.notFound, plainWords(error))
    case is GardeningError: (code, message) = (.refused, plainWords(error))
    case StoreError.missing(_, let copies):
      let restore = copies == nil ? "" : "\n  trunkctl doctor --restore-backup"
      (code, message) = (
        .store,
        plainWords(error) + " " + tr("Restore the newest backup, or start with an empty garden:") + restore
          + "\n  trunkctl doctor --start-over"
      )
    case is StoreError, is Settings.Unreadable: (code, message) = (.store, plainWords(error))
    case is SyncProblem, is ServiceFailure, is VaultFailure, is SignInFailure:
      (code, message) = (.network, plainWords(error))
    case is SyncingError, is ServerConfiguration.Invalid: (code, message) = (.refused, plainWords(error))
    default:
      // Help and version are errors to the parser, with a code of success; all others are about the command line.
      code = Trunkctl.exitCode(for: error) == .success ? .done : .usage
      message = Trunkctl.fullMessage(for: error)
    }
  }
}

/// The examples at the end of a command's help.
struct Examples {
  let text: String

  /// - Parameter examples: a line to type and what it is for.
  init(_ examples: [(line: String, purpose: String)]) {
    let lines = examples.map { "  $ \($0.line)\n    \($0.purpose)" }
    text = tr("Examples:") + "\n" + lines.joined(separator: "\n")
  }
}
