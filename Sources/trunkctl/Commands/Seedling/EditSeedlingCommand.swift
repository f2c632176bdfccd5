import ArgumentParser
import Localization
import TrunkKit
import TrunkModel

struct EditSeedlingCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: tr("Change the title or the notes of a seedling."),
    discussion: Examples([
      ("trunkctl seedling edit bird --title \"Build a nest box\"", tr("another title; the notes stay")),
      ("trunkctl seedling edit bird --notes \"\"", tr("remove the notes")),
    ]).text)

  @OptionGroup var options: WriteOptions

  @Argument(help: ArgumentHelp(tr("Part of the title, or the id.")), completion: .seedlings)
  var seedling: String

  @Option(
    help: ArgumentHelp(
      tr("The new title, up to {n} characters.", ["n": "\(LimitedText.title.limit)"]), valueName: "text"))
  var title: String?

  @Option(
    help: ArgumentHelp(
      tr("The new notes, up to {n} characters.", ["n": "\(LimitedText.seedlingNotes.limit)"]), valueName: "text"))
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
    await options.finish(
      model, .record(("seedling", model.garden.record(of: seedling))),
      [tr("Saved “{title}”.", ["title": Output.safe(seedling.title)])])
  }
}
