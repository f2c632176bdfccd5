import ArgumentParser
import Localization
import TrunkAccount
import TrunkKit
import TrunkModel

/// The ideas that were noted for later; `seed` notes one.
struct SeedlingCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "seedling",
    abstract: tr("List, edit and delete seedlings."),
    discussion: Examples([
      ("trunkctl seedling list", tr("ideas for later")),
      ("trunkctl seedling edit bird --notes \"for tits\"", tr("other notes; the title stays")),
      ("trunkctl seedling delete bird", tr("an idea that is no longer wanted")),
    ]).text,
    subcommands: [ListSeedlingsCommand.self, EditSeedlingCommand.self, DeleteSeedlingCommand.self],
    defaultSubcommand: ListSeedlingsCommand.self)
}

struct ListSeedlingsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: tr("List the seedlings, newest first."),
    discussion: Examples([
      ("trunkctl seedling list", tr("ideas for later")),
      ("trunkctl seedling list --json", tr("the same for another program")),
    ]).text)

  @OptionGroup var options: CommonOptions

  func run() async throws {
    let snapshot = try await options.snapshot()
    let garden = snapshot.garden
    let seedlings = Array(garden.seedlings.reversed())
    if options.json { return Output.write(.record(("seedlings", garden.record(of: seedlings)))) }
    guard snapshot.model != nil else { return Output.write(CommonOptions.noGardenYet) }
    guard !seedlings.isEmpty else { return Output.write(tr("There are no seedlings.")) }
    let rows = seedlings.map { [$0.shortID, $0.title, garden.path(ofTwig: $0.twigID), $0.notes ?? ""] }
    Output.write(Table(rows: rows).lines(indent: 0))
  }
}

struct EditSeedlingCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: tr("Change the title or the notes of a seedling."),
    discussion: Examples([
      ("trunkctl seedling edit bird --title \"Build a nest box\"", tr("another title; the notes stay")),
      ("trunkctl seedling edit bird --notes \"\"", tr("remove the notes")),
    ]).text)

  @OptionGroup var options: CommonOptions

  @Argument(help: ArgumentHelp(tr("Part of the title, or the id.")), completion: .seedlings)
  var seedling: String

  @Option(help: ArgumentHelp(tr("The new title, up to 60 characters."), valueName: "text"))
  var title: String?

  @Option(help: ArgumentHelp(tr("The new notes, up to 200 characters."), valueName: "text"))
  var notes: String?

  func validate() throws {
    if title == nil, notes == nil { throw ValidationError(tr("Give --title, --notes or both.")) }
  }

  @MainActor
  func run() async throws {
    let model = try await options.openExisting()
    let id = try model.garden.seedling(named: seedling).id
    try await model.editSeedling(id, title: title, notes: notes)

    guard let seedling = model.garden.seedling(id: id) else { throw IntentError.unknownSeedling }
    if options.json { return Output.write(.record(("seedling", model.garden.record(of: seedling)))) }
    Output.write(tr("Saved “{title}”.", ["title": Output.safe(seedling.title)]))
  }
}

struct DeleteSeedlingCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: tr("Delete a seedling."),
    discussion: Examples([("trunkctl seedling delete bird", tr("an idea that is no longer wanted"))]).text)

  @OptionGroup var options: CommonOptions

  @Argument(help: ArgumentHelp(tr("Part of the title, or the id.")), completion: .seedlings)
  var seedling: String

  @MainActor
  func run() async throws {
    let model = try await options.openExisting()
    let seedling = try model.garden.seedling(named: seedling)
    try await model.deleteSeedling(seedling.id)

    if options.json { return Output.write(.record(("seedling", model.garden.record(of: seedling)))) }
    Output.write(tr("Deleted the seedling “{title}”.", ["title": Output.safe(seedling.title)]))
  }
}
