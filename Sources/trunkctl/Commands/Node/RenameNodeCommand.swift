import ArgumentParser
import Localization
import TrunkKit
import TrunkModel

struct RenameNodeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename",
    abstract: tr("Rename a branch or twig."),
    discussion: Examples([
      ("trunkctl node rename voice/practice Cello", tr("give a twig your own name")),
      ("trunkctl node rename voice/practice \"\"", tr("go back to the original name")),
    ]).text)

  @OptionGroup var options: WriteOptions
  @OptionGroup var place: PlaceArgument

  @Argument(
    help: ArgumentHelp(
      tr("The name, up to {n} characters; an empty one restores the original.", ["n": "\(LimitedText.nodeLabel.limit)"])
    ))
  var name: String

  func run() async throws {
    try await place.change(options) { try await $0.update($1, label: name) }
  }
}
