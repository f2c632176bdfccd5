import ArgumentParser
import Glibc
import SQLiteKit
import TrunkModel
import TrunkServer

@main
struct ServerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trunk-server",
    abstract: "A self-hosted sync server for Trunk.",
    discussion: """
      It stores the events of its users in one SQLite file. It implements the part of Supabase's interface that Trunk \
      uses, and a plain interface for new clients. It does not support TLS: run it behind a proxy that does.
      """,
    version: Release.version,
    subcommands: [Serve.self, Backup.self, Accounts.self, Doctor.self], defaultSubcommand: Serve.self)

  static func main() {
    CoreDumps.prevent()
    main(nil)
  }
}

/// The folder that all commands use.
struct DataOptions: ParsableArguments {
  @Option(
    name: .customLong("data"),
    help: ArgumentHelp("The folder with the database, the secret and the backups.", valueName: "dir"))
  var folder: String
}

struct BackupOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Hours between two backups; 0 for none.", valueName: "hours"))
  var backupEvery = 24

  func validate() throws {
    guard (0...100_000).contains(backupEvery) else { throw ValidationError("--backup-every is out of range.") }
  }
}

/// The limits of one account.
struct QuotaOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The maximum number of rows per account.", valueName: "number"))
  var accountRows = 2_000_000

  @Option(help: ArgumentHelp("The maximum size of an account's rows, in MiB.", valueName: "number"))
  var accountSize = 1024

  var accountBytes: Int { accountSize << 20 }

  func validate() throws {
    guard accountRows > 0, (1...1_000_000).contains(accountSize) else {
      throw ValidationError("--account-rows or --account-size is out of range.")
    }
  }
}

struct Backup: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Copy the database while it is in use.",
    discussion: "Without a file, the copy goes to the folder backups, which keeps the last 14.")

  @OptionGroup var data: DataOptions

  @Argument(help: "A file that does not exist yet.")
  var file: String?

  func run() throws {
    umask(0o077)
    try reportingErrors {
      if let file { try ServerBackup.write(folder: data.folder, to: file) }
      ServerLog.printLine(try file ?? ServerBackup.write(folder: data.folder))
    }
  }
}

/// Prints an error as one line and ends the program with status 1.
func reportingErrors(_ body: () throws -> Void) throws {
  ServerLog.start(level: .notice, format: .text)
  do {
    try body()
  } catch {
    ServerLog.complain("trunk-server: \(error)")
    throw ExitCode.failure
  }
}
