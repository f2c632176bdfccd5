import ArgumentParser
import EventStore
import Localization
import TrunkAccount
import TrunkKit
import TrunkModel

struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: tr("Check the garden’s file and report problems."),
    discussion: tr(
      "It checks the structure of the file and the text of every event and earlier page, and rebuilds the search index if it is wrong."
    )
      + "\n\n"
      + Examples([
        ("trunkctl doctor", tr("a thorough check, which may take a few seconds")),
        ("trunkctl doctor --restore-backup", tr("restore a garden whose file is missing")),
      ]).text)

  @OptionGroup var options: CommonOptions

  @Flag(help: ArgumentHelp(tr("If the garden’s file is missing, restore it from the newest backup.")))
  var restoreBackup = false

  @Flag(help: ArgumentHelp(tr("If the garden’s file is missing, start with an empty garden. Backups stay.")))
  var startOver = false

  func validate() throws {
    if restoreBackup, startOver { throw ValidationError(tr("Use either --restore-backup or --start-over.")) }
  }

  @MainActor
  func run() async throws {
    if restoreBackup || startOver { try await restoreMissingFile() }
    let hasGarden: Bool
    do { hasGarden = try options.hasGarden } catch {
      if options.json, case StoreError.missing = error {
        Output.write(
          .record(("sound", .bool(false)), ("missing", .bool(true)), ("folder", .string(try options.folder))))
      }
      throw error
    }
    guard hasGarden else {
      return Output.write(options.json ? Output.text(.record(("sound", .bool(true)))) : CommonOptions.noGardenYet)
    }
    let model = try await options.open(fullDisk: .opensForReading)
    let found = try await model.checkStore()
    let result = try await options.syncState(model)
    // An error of `result` is thrown at the end.
    let sync = try? result?.get()
    let clock = await clocks(model, isAccount: sync != nil)
    if options.json {
      Output.write(try DoctorCommand.json(found, model, sync, clock))
    } else {
      Output.write(DoctorCommand.lines(found, model))
      if found.superseded > 0 {
        Output.write(tr("“trunkctl log --superseded” lists the superseded versions of entries."))
      }
      Output.write(try await model.otherGardenNotices())
      if let sync { Output.write(sync.lines(now: model.now, in: model.garden.zone)) }
      if case .differs(let difference) = clock { Output.write(difference.message()) }
    }
    guard found.isSound else {
      throw Failure(
        .store,
        tr("The garden’s file is damaged. Restart Trunk: it keeps the damaged file and recovers what can be read."))
    }
    if let failure = try result?.get().failure, failure.code == .missing { throw failure }
  }
}

extension DoctorCommand {
  /// How long the server may take to tell its time, in seconds.
  private static let clockPatience: Int64 = 3

  /// Compares this computer's clock with that of the account's server.
  /// - Returns: `nil` without an account or an answer.
  @MainActor
  private func clocks(_ model: GardenModel, isAccount: Bool) async -> AccountSignIn.ClockComparison? {
    // An unreadable account file is reported by the commands that need it.
    guard isAccount, let current = try? AccountFile().load() else { return nil }
    return await AccountModel(model, current: current, settings: Settings())
      .signIn.compareClocks(within: DoctorCommand.clockPatience)
  }

  /// Restores the missing file or starts an empty garden.
  private func restoreMissingFile() async throws {
    do {
      _ = try options.hasGarden
    } catch StoreError.missing(_, let copies) {
      if restoreBackup, try copies == nil || !GardenModel.hasBackups(in: options.folder) {
        throw Failure(.notFound, tr("There is no backup in the folder of this garden."))
      }
      // Notices about the garden come when the command opens it again to examine it.
      let model = try await GardenModel.open(
        folder: options.folder, missingFile: restoreBackup ? .restoresBackup : .startsOver)
      let count = try await model.countEvents()
      try await model.close()
      if options.json { return }
      return Output.write(
        startOver
          ? tr("Started an empty garden. Backups and damaged files are still there.")
          : trn("{n} entry was restored.", "{n} entries were restored.", count))
    }
    throw Failure(.notAllowed, tr("The garden’s file is not missing. Nothing was changed."))
  }

  private static func json(
    _ found: Verification, _ model: GardenModel, _ sync: SyncState?,
    _ clock: AccountSignIn.ClockComparison?
  ) throws -> JSON {
    let ahead: JSON? = clock.map { .number(Int($0.secondsAhead)) }
    // Scripts know rejected events as `quarantined`.
    return try .record(
      ("sound", .bool(found.isSound)), ("folder", .string(model.folder)),
      ("writable", .bool(model.isWritable)), ("events", .number(found.events)),
      ("ignored", .number(found.ignored)), ("unsent", .number(found.pending)),
      ("quarantined", .number(found.rejected)), ("drafts", .number(found.drafts)),
      ("superseded", .number(found.superseded)), ("pages", .number(found.pages)),
      ("structure", .array(found.structure.map { .string($0) })),
      ("damagedPages", .array(found.damagedPages.map { .number(Int($0)) })),
      ("damagedEvents", .array(found.damagedEvents.map { .number(Int($0)) })),
      ("searchDifferences", .array(found.searchDifferences.map { .number(Int($0)) })),
      ("otherGardens", .array(model.otherGardens().map { .string($0.path) })), ("clockAhead", ahead),
      ("sync", sync.map { JSON.object($0.members) }))
  }

  private static func lines(_ found: Verification, _ model: GardenModel) -> [String] {
    let sound = tr("sound")
    let damaged = found.damagedEvents.count + found.damagedPages.count
    let differences = found.searchDifferences.count
    return Table(
      rows: [
        [tr("Folder"), model.folder],
        [tr("Access"), model.isWritable ? tr("read and write") : tr("read only")],
        [tr("Events"), "\(found.events)"],
        [tr("Not understood"), "\(found.ignored)"],
        [tr("Drafts"), "\(found.drafts)"],
        [tr("Superseded"), "\(found.superseded)"],
        [tr("Earlier pages"), "\(found.pages)"],
        [tr("File"), found.structure.isEmpty ? sound : found.structure.joined(separator: "; ")],
        [tr("Texts"), damaged == 0 ? sound : trn("{n} is damaged", "{n} are damaged", damaged)],
        [
          tr("Search"),
          differences == 0
            ? sound : trn("{n} entry was wrong; rebuilt", "{n} entries were wrong; rebuilt", differences),
        ],
      ]
    ).lines(indent: 0)
  }
}
