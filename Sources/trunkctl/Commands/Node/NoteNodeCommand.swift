import ArgumentParser
import Localization
import TrunkKit

struct NoteNodeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "note",
    abstract: tr("Change the note of a branch or twig."),
    discussion: Examples([
      ("trunkctl node note voice \"Everything that sounds\"", tr("your own note")),
      ("trunkctl node note voice \"\"", tr("go back to the original note")),
    ]).text)

  @OptionGroup var options: WriteOptions
  @OptionGroup var place: PlaceArgument

  @Argument(help: ArgumentHelp(tr("The note; an empty one restores the original.")))
  var text: String

  func run() async throws {
    try await place.change(options) { try await $0.update($1, note: text) }
  }
}
