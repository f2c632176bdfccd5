import ArgumentParser
import Localization
import TrunkKit

struct RestoreNodeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: tr("Restore the original name and note of a branch or twig."),
    discussion: Examples([("trunkctl node restore cello", tr("go back to the original name and note"))]).text)

  @OptionGroup var options: WriteOptions
  @OptionGroup var place: PlaceArgument

  func run() async throws {
    try await place.change(options) { try await $0.restoreOriginal($1) }
  }
}
