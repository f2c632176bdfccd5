import ArgumentParser
import EventStore
import Glibc
import Localization
import TrunkAccount
import TrunkKit
import TrunkModel

/// The options of every command.
struct CommonOptions: ParsableArguments {
  @Flag(help: ArgumentHelp(tr("Print one JSON object.")))
  var json = false

  @Option(help: ArgumentHelp(tr("The folder of another garden."), valueName: "dir", visibility: .hidden))
  var dataDir: String?

  /// The folder of the account that is signed in, otherwise the local one.
  var folder: String {
    get throws { try dataDir ?? AccountFile().load()?.folder ?? Folders.garden() }
  }

  /// Whether there is a garden. Reading commands check this first, because opening a garden creates its files.
  /// - Throws: `StoreError.missing` if its file is gone.
  var hasGarden: Bool {
    get throws { try GardenModel.holdsGarden(in: folder) }
  }

  /// Opens the garden, and creates it if there never was one.
  func open(
    missingFile: EventStore.MissingFile = .fails, fullDisk: EventStore.FullDisk = .fails
  ) async throws -> GardenModel {
    let model = try await GardenModel.open(folder: folder, missingFile: missingFile, fullDisk: fullDisk)
    let hasAccount = try dataDir == nil && AccountFile().load() != nil
    await MainActor.run { (model.offersUndo, model.failsWhenCleared, model.hasAccount) = (false, true, hasAccount) }
    for notice in await model.openingNotices(inTerminal: true) { Output.writeMessage(notice) }
    try await CommonOptions.reportRecoveries(of: model)
    return model
  }

  private static func reportRecoveries(of model: GardenModel) async throws {
    for notice in await model.recoveryNotices { Output.writeMessage(notice) }
    // The output of a script may never be read.
    guard isatty(STDERR_FILENO) == 1 else { return }
    // A garden that can't be written reports its recovery again.
    try? await model.markRecoveriesSeen()
  }

  /// Opens the garden without creating one.
  func openExisting(fullDisk: EventStore.FullDisk = .fails) async throws -> GardenModel {
    guard try hasGarden else { throw Failure(.notFound, CommonOptions.noGardenYet) }
    return try await open(fullDisk: fullDisk)
  }

  /// Opens the garden for a command that only reads. Without a garden, returns an empty one.
  func snapshot() async throws -> GardenSnapshot {
    guard try hasGarden else {
      return await GardenSnapshot(
        nil, Garden(zone: WallClock.system.zone()), now: WallClock.system.now(), rest: restDays)
    }
    let model = try await open(fullDisk: .opensForReading)
    await model.saveCheckpointIfDue()
    return await GardenSnapshot(model, model.garden, now: model.now, rest: restDays)
  }

  @MainActor
  private var restDays: RestDays { Settings().restDays }

  static var noGardenYet: String {
    tr("There is no garden yet. Plant the first sprout:") + "\n"
      + "  trunkctl plant \"Learn the cello prelude\" --twig voice/practice"
  }
}
