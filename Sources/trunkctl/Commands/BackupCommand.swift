import ArgumentParser
import Localization
import TrunkKit

struct BackupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: tr("Write a backup now and verify it."),
    discussion: tr(
      "Trunk keeps 7 daily, 4 weekly and 12 monthly backups. For each of the 7 days, it also keeps the backups with the most entries and the most earlier pages."
    )
      + "\n\n"
      + Examples([
        ("trunkctl backup", tr("in the folders of the daily backups")),
        ("trunkctl backup --to /media/stick", tr("in the folder “backups” of another folder")),
      ]).text)

  @OptionGroup var options: CommonOptions

  @Option(
    name: .customLong("to"), help: ArgumentHelp(tr("Write to the folder “backups” in this folder."), valueName: "dir"))
  var folder: String?

  func validate() throws {
    // A variable that isn't set would otherwise mean the topmost folder.
    if folder?.isEmpty == true { throw ValidationError(tr("--to must name a folder.")) }
  }

  @MainActor
  func run() async throws {
    let model = try await options.openExisting(fullDisk: .opensForReading)
    let result = try await model.backUp(to: folder)
    if folder == nil, let second = Settings().backupFolder { _ = try await model.backUp(to: second) }
    if options.json {
      return Output.write(.record(("events", .number(result.eventCount)), ("file", .string(result.path))))
    }
    Output.write(
      trn("Wrote {n} event to “{path}”.", "Wrote {n} events to “{path}”.", result.eventCount, ["path": result.path]))
  }
}
