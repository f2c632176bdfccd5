import Garden
import Gardening
import GtkKit
import Localization

/// Asks before a sprout is given up, says what comes back, and can keep the idea.
final class UprootDialog {
  private let session: Session
  private let sproutID: String

  /// - Parameter sproutID: what is given up.
  init(_ session: Session, _ sproutID: String) {
    (self.session, self.sproutID) = (session, sproutID)
  }

  func present() {
    guard let sprout = session.gardener.garden.sprout(id: sproutID) else {
      return session.tell(GardeningError.unknownSprout)
    }
    let keeping = AlsoSwitch(
      tr("Keep the idea as a seedling"), tr("It costs nothing and can be planted again."))
    let body = tr(
      "{returned} of its {cost} soil comes back. What you wrote about it stays in the journal.",
      [
        "returned": Formats.soil(Soil.returned(uprooting: sprout.soilCost)), "cost": Formats.shortSoil(sprout.soilCost),
      ])
    session.attempt { [session, sproutID] in
      let answer = await ask(
        over: session.window, tr("Uproot “{title}”?", ["title": sprout.title]), body, extra: keeping.widget,
        [.init("keep", tr("Let It Grow")), .init("uproot", tr("Uproot"), .destructive)])
      guard answer == "uproot" else { return }
      try await session.gardener.uproot(sproutID, keepingIdea: keeping.isOn)
    }
  }
}
