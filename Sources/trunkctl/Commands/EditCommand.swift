import ArgumentParser
import Localization
import TrunkKit
import TrunkModel

struct EditCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: tr("Change the title, the leaf or the harvest lines of a sprout."),
    discussion: tr(
      "Season, ground and twig can’t be changed. “trunkctl seedling edit” changes seedlings, and “trunkctl node” the names and notes of branches and twigs."
    ) + "\n\n"
      + Examples([
        ("trunkctl edit cello --title \"Play the cello prelude\"", tr("another title; the rest stays")),
        ("trunkctl edit cello --leaf Scales", tr("another leaf, which is created if it is missing")),
        ("trunkctl edit cello --flourishing \"\"", tr("remove a line about the harvest")),
      ]).text)

  @OptionGroup var options: WriteOptions

  @Argument(help: ArgumentHelp(tr("Part of the title, or the id.")), completion: .allSprouts)
  var sprout: String

  @Option(
    help: ArgumentHelp(
      tr("The new title, up to {n} characters.", ["n": "\(LimitedText.title.limit)"]), valueName: "text"))
  var title: String?

  @Option(help: ArgumentHelp(tr("The name or id of a leaf on the same twig; a new name creates a leaf.")))
  var leaf: String?

  @Option(help: ArgumentHelp(tr("What a poor harvest looks like; empty to remove it."), valueName: "text"))
  var withering: String?

  @Option(help: ArgumentHelp(tr("What a fair harvest looks like; empty to remove it."), valueName: "text"))
  var budding: String?

  @Option(help: ArgumentHelp(tr("What a rich harvest looks like; empty to remove it."), valueName: "text"))
  var flourishing: String?

  func validate() throws {
    guard [title, leaf, withering, budding, flourishing].contains(where: { $0 != nil }) else {
      throw ValidationError(tr("Say what to change: --title, --leaf, --withering, --budding or --flourishing."))
    }
    // A variable that isn't set would otherwise create a leaf.
    if leaf?.trimmed.isEmpty == true { throw ValidationError(tr("--leaf must name a leaf.")) }
  }

  @MainActor
  func run() async throws {
    let model = try await options.openExisting()
    let sprout = try model.garden.sprout(named: sprout)
    let leaf = try leaf.map { try model.garden.leafChoice($0, onTwig: sprout.twigID) }
    try await model.edit(
      sprout.id, title: title, bloomWither: withering, bloomBudding: budding, bloomFlourish: flourishing, leaf: leaf)

    let (garden, now) = (model.garden, model.now)
    guard let edited = garden.sprout(id: sprout.id) else { throw IntentError.unknownSprout }
    await options.finish(
      model, garden.answer(now: now, ("sprout", garden.record(of: edited, now: now))),
      [tr("Saved “{title}”.", ["title": Output.safe(edited.title)])])
  }
}
