import ArgumentParser
import Localization
import TrunkKit
import TrunkModel

struct UndoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: tr("Undo the last action, if it is not sent yet."),
    discussion: tr(
      "Everything that a command has written can be undone for a minute. What was sent can’t be undone: with an account, write with --offline, or turn sending off with “trunkctl settings set send off”."
    ) + "\n\n" + Examples([("trunkctl undo", tr("the text of an entry is kept as a draft"))]).text)

  @OptionGroup var options: CommonOptions

  @MainActor
  func run() async throws {
    let model = try await options.openExisting()
    let undone: GardenModel.Undone
    do { undone = try await model.undoLast() } catch IntentError.nothingToUndo {
      throw Failure(
        .notAllowed,
        tr("There is nothing to undo: only the last action can be undone, within a minute and before it is sent."))
    }
    let garden = model.garden
    if options.json {
      return Output.write(
        garden.answer(
          now: model.now, ("undone", .array(undone.events.map { garden.record(of: $0) })),
          ("draft", .bool(undone.hasDraft))))
    }
    let summary = undone.main.summary(in: garden)
    Output.write(tr("Undone: {action}", ["action": Output.safe(summary)]))
    if undone.hasDraft { return Output.write(tr("What you wrote is a draft, which the window offers to continue.")) }
    // A window returns to its form, but here the words would be lost.
    let words = undone.events.flatMap(\.journalText).filter { !summary.hasSuffix($0) }
    if words.isEmpty { return }
    Output.write([tr("What you wrote is not kept as a draft:")] + words.flatMap { Output.paragraphs($0) })
  }
}
