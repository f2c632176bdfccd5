import ArgumentParser
import Glibc
import TrunkServer

@main
struct ServerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trunk-server",
    abstract: "A sync service of your own for Trunk.",
    discussion: """
      Keeps the events of its users in one SQLite file and speaks the part of Supabase's interface that Trunk uses, \
      and a plainer one of its own. It does not encrypt: put it behind a proxy that does.
      """,
    version: SyncServer.version,
    subcommands: [Serve.self, Backup.self, Accounts.self], defaultSubcommand: Serve.self)
}

/// The folder that all commands are about.
struct DataOptions: ParsableArguments {
  @Option(
    name: .customLong("data"), help: ArgumentHelp("The folder of database, secret and backups.", valueName: "dir"))
  var folder: String
}

struct Backup: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Copy the database while it is in use.",
    discussion: "Without a file the copy goes into the folder backups, where the last 14 are kept.")

  @OptionGroup var data: DataOptions

  @Argument(help: "A file that does not exist yet.")
  var file: String?

  func run() throws {
    umask(0o077)
    try complain {
      if let file { try ServerBackup.write(folder: data.folder, to: file) }
      Log.printLine(try file ?? ServerBackup.write(folder: data.folder))
    }
  }
}

/// Says what went wrong, in one line, and ends the program with 1.
func complain(_ body: () throws -> Void) throws {
  do {
    try body()
  } catch {
    Log.note("trunk-server: \(error)")
    throw ExitCode.failure
  }
}
