import ArgumentParser
import Localization
import TrunkKit
import TrunkModel

/// The branch or twig that a command changes.
struct PlaceArgument: ParsableArguments {
  @Argument(help: ArgumentHelp(tr("A branch or twig, like “voice” or “voice/practice”.")), completion: .places)
  var place: String

  /// Changes the place and shows it.
  @MainActor
  func change(
    _ options: WriteOptions, _ intent: @MainActor (GardenModel, Node) async throws -> Void
  ) async throws {
    // Look up the name before creating a garden.
    let node = try await options.snapshot().garden.place(named: place)
    let model = try await options.open()
    try await intent(model, node)

    let garden = model.garden
    await options.finish(
      model, .record(("node", garden.record(of: node))),
      [Output.safe(garden.path(ofTwig: node.id))] + Output.paragraphs(garden.note(of: node)))
  }
}
