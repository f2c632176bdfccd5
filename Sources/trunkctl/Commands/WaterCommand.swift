import ArgumentParser
import Localization
import TrunkKit
import TrunkModel

struct WaterCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "water",
    abstract: tr("Write a journal entry for a growing sprout."),
    discussion: tr("You can water three times a day, and each sprout once a day.") + "\n\n"
      + Examples([
        ("trunkctl water cello -m \"The shift at bar nine held.\"", tr("water the sprout with “cello” in its title")),
        ("trunkctl water 3f2a91bc", tr("answer a question at the terminal")),
        ("fortune | trunkctl water cello", tr("take the text from another program")),
        ("trunkctl water cello --yesterday -m \"Ten minutes.\"", tr("use a drop that was left yesterday, until noon")),
      ]).text)

  @OptionGroup var options: WriteOptions
  @OptionGroup var text: TextOptions

  @Flag(
    name: .long, help: ArgumentHelp(tr("Write it for yesterday: until noon, if one of yesterday’s drops is left.")))
  var yesterday = false

  @Flag(name: .long, help: ArgumentHelp(tr("Write an entry without words.")))
  var withoutWords = false

  @Argument(help: ArgumentHelp(tr("Part of the title, or the id.")), completion: .growingSprouts)
  var sprout: String

  func validate() throws {
    if withoutWords, text.message != nil {
      throw ValidationError(tr("--without-words can’t be combined with --message."))
    }
  }

  @MainActor
  func run() async throws {
    let model = try await options.openExisting()
    let sprout = try model.garden.sprout(named: sprout)
    let day: GardenModel.WateringDay = yesterday ? .yesterday : .today
    try model.checkWatering(sprout.id, on: day)
    var question: String?
    if text.isInteractive, !withoutWords {
      var questions = try await model.questions()
      var random = SystemRandomNumberGenerator()
      question = questions.water(in: sprout.phase(at: model.now), using: &random)
      Output.writeMessage(Output.safe(sprout.title))
    }
    let entry = withoutWords ? "" : try text.read(asking: question)
    // A text given on the command line answers no question.
    let asked = question.map { GardenModel.AskedQuestion($0) }
    try await text.keep(DraftContent(entry, .water, about: sprout.id, asked: asked), in: model) {
      try await model.water(sprout.id, text: entry, question: question ?? "", on: day)
    }

    let (garden, now) = (model.garden, model.now)
    let watered = garden.sprout(id: sprout.id).map { garden.record(of: $0, now: now) }
    let title = ["title": Output.safe(sprout.title)]
    await options.finish(
      model, garden.answer(now: now, ("sprout", watered)),
      yesterday
        ? [tr("Watered “{title}” for yesterday.", title)]
        : [
          tr("Watered “{title}”.", title),
          trn("{n} watering left today.", "{n} waterings left today.", garden.waterLeft(at: now)),
        ])
  }
}
