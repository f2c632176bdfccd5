import GtkKit
import Localization
import TrunkAccount
import TrunkKit
import TrunkModel

/// Asks before a sprout is uprooted, shows how much soil comes back, and offers to keep the idea.
final class UprootDialog {
  private let context: WindowContext
  private let sproutID: String

  /// - Parameter sproutID: the sprout to uproot.
  init(_ context: WindowContext, _ sproutID: String) {
    (self.context, self.sproutID) = (context, sproutID)
  }

  func present() {
    guard let sprout = context.model.garden.sprout(id: sproutID) else {
      return context.tell(IntentError.unknownSprout)
    }
    let keeping = AlsoSwitch(
      tr("Keep the idea as a seedling"), tr("It costs nothing and can be planted again."))
    let body = tr(
      "You get back {returned} of its {cost} soil. What you wrote about it stays in the journal.",
      [
        "returned": Formats.shortSoil(Soil.returned(uprooting: sprout.soilCost)),
        "cost": Formats.shortSoil(sprout.soilCost),
      ])
    context.attempt { [context, sproutID] in
      let answer = await ask(
        over: context.window, tr("Uproot “{title}”?", ["title": sprout.title]), body, extra: keeping.widget,
        [.init("keep", tr("Cancel")), .init("uproot", tr("Uproot"), .destructive)])
      guard answer == "uproot" else { return }
      try await context.model.uproot(sproutID, keepingIdea: keeping.isOn)
    }
  }
}
