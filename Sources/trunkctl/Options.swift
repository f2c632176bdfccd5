import ArgumentParser
import Garden
import GardenStore
import Gardening
import Glibc
import Localization

/// What every command understands.
struct CommonOptions: ParsableArguments {
  @Flag(help: ArgumentHelp(tr("Answer with one JSON object.")))
  var json = false

  @Option(help: ArgumentHelp(tr("Another folder with a garden."), valueName: "dir", visibility: .hidden))
  var dataDir: String?

  /// The garden of the account that is signed in, else the one of this computer.
  var folder: String {
    get throws { try dataDir ?? CurrentAccount().load()?.folder ?? Folders.garden() }
  }

  /// Whether a garden was ever begun here. Reading commands ask first: opening one makes its files.
  /// - Throws: `StoreError.missing` if its file is gone.
  var hasGarden: Bool {
    get throws { try GardenStore.holdsGarden(in: folder) }
  }

  /// Opens the garden, which is made if there never was one.
  func open(missingFile: GardenStore.MissingFile = .fails) async throws -> Gardener {
    let gardener = try await Gardener.open(folder: folder, missingFile: missingFile)
    await MainActor.run { gardener.offersUndo = false }
    for notice in await gardener.openingNotices() { Output.complain(notice) }
    return gardener
  }

  /// Opens the garden; where there is none, nothing is made.
  func openExisting() async throws -> Gardener {
    guard try hasGarden else { throw Failure(.notFound, CommonOptions.noGardenYet) }
    return try await open()
  }

  /// Opens the garden for a command that only reads; an empty one stands in where there is none.
  func look() async throws -> Look {
    guard try hasGarden else {
      return Look(gardener: nil, garden: Garden(zone: Clock.system.zone()), now: Clock.system.now())
    }
    let gardener = try await open()
    await gardener.keepCheckpointIfDue()
    return await Look(gardener: gardener, garden: gardener.garden, now: gardener.now)
  }

  static var noGardenYet: String {
    tr("There is no garden yet. Plant the first sprout:") + "\n"
      + "  trunkctl plant \"Learn the cello prelude\" --twig voice/practice"
  }
}

/// What a reading command sees.
struct Look {
  /// `nil` where no garden was begun yet.
  let gardener: Gardener?
  let garden: Garden
  let now: Instant

  var zone: Zone { garden.zone }

  /// The words of journal entries, in the same order.
  func pages(_ entries: [JournalEntry]) async throws -> [Gardener.Page] {
    try await gardener?.pages(entries) ?? []
  }
}

/// Where the text of an entry comes from.
struct TextOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      tr("The text; - reads it from standard input, which is also where it comes from without this option."),
      valueName: "text"))
  var message: String?

  /// Whether somebody sits there to be asked.
  var isInteractive: Bool { (message == nil || message == "-") && isatty(STDIN_FILENO) == 1 }

  /// The text that was given or is now read.
  /// - Parameter question: shown to somebody who writes at a terminal.
  func read(asking question: String?) throws -> String {
    if let message, message != "-" { return message }
    if isInteractive {
      if let question { Output.complain(Output.safe(question)) }
      Output.complain(tr("Write, and end with Ctrl+D on a line of its own:"))
    }
    let text = String(try Files.readText("-").trimmed)
    guard !text.isEmpty else {
      throw Failure(
        .refused, tr("There is nothing written yet.") + " " + tr("Give the text with -m or on standard input."))
    }
    return text
  }
}

extension Season: ExpressibleByArgument {}

extension Environment: ExpressibleByArgument {}

extension Instant: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}
