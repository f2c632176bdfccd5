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
    await MainActor.run { model.offersUndo = false }
    let awaitsInitialSync = try await model.awaitsInitialSync()
    for notice in await model.openingNotices(awaitsInitialSync: awaitsInitialSync, inTerminal: true) {
      Output.writeMessage(notice)
    }
    try await CommonOptions.reportRecoveries(of: model)
    return model
  }

  private static func reportRecoveries(of model: GardenModel) async throws {
    for notice in await model.recoveryNotices { Output.writeMessage(notice) }
    // Nobody may read what a script prints.
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
      return GardenSnapshot(model: nil, garden: Garden(zone: WallClock.system.zone()), now: WallClock.system.now())
    }
    let model = try await open(fullDisk: .opensForReading)
    await model.saveCheckpointIfDue()
    return await GardenSnapshot(model: model, garden: model.garden, now: model.now)
  }

  static var noGardenYet: String {
    tr("There is no garden yet. Plant the first sprout:") + "\n"
      + "  trunkctl plant \"Learn the cello prelude\" --twig voice/practice"
  }
}

/// The garden as a reading command sees it.
struct GardenSnapshot {
  /// `nil` if there is no garden yet.
  let model: GardenModel?
  let garden: Garden
  let now: Instant

  var zone: Zone { garden.zone }

  /// The texts of journal entries, in the same order.
  func entries(of journal: [JournalEntry]) async throws -> [TimelineEntry] {
    try await model?.entries(garden.items(journal)) ?? []
  }
}

/// The options for the text of an entry.
struct TextOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      tr("The text; - reads standard input, which is also the default."),
      valueName: "text"))
  var message: String?

  /// Whether the text is typed at a terminal, so that a question can be asked first.
  var isInteractive: Bool { (message == nil || message == "-") && isatty(STDIN_FILENO) == 1 }

  /// Returns the given text, or reads it.
  /// - Parameter question: shown before the user types the text at a terminal.
  func read(asking question: String?) throws -> String {
    if let message, message != "-" { return message }
    if isInteractive {
      if let question { Output.writeMessage(Output.safe(question)) }
      Output.writeMessage(tr("Write your text, then press Ctrl+D on an empty line:"))
    }
    let text = String(try Files.readText("-").trimmed)
    guard !text.isEmpty else {
      throw Failure(
        .refused, tr("Write a few words first.") + " " + tr("Give the text with -m or on standard input."))
    }
    return text
  }
}

extension Season: ExpressibleByArgument {}

extension Ground: ExpressibleByArgument {}

extension Instant: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}
