import GtkKit
import Localization
import TrunkAccount
import TrunkKit
import TrunkModel

/// What became of a harvested sprout: how long it took, the first and the last entry, the hope that came true, what the
/// soil gained, and one next step.
final class HarvestPage {
  let widget = column(spacing: 14)
  /// Whether the sprout was harvested in this dialog.
  var isNew = false

  private let context: WindowContext
  private let sproutID: String
  private unowned let dialog: DialogWindow
  private let sign = SproutSign(width: 132, height: 78)
  private let title = paragraph("", "moment-title").centred()
  private let facts = paragraph("", "hint").centred()
  private let written: FirstAndLast
  private let hope = paragraph("", "question").centred()
  private let hoped = paragraph("", "hint").centred()
  private let hopes: Widget
  private let reflection = paragraph("", "journal").centred()
  private let gain = paragraph("", "second").centred()
  private let next: Widget
  private var step = Step.today

  /// What to do next.
  private enum Step: Equatable {
    /// The next sprout of its leaf, which has this name.
    case leaf(String)
    case plant
    case today
  }

  /// - Parameter dialog: the dialog that shows this page.
  init(_ context: WindowContext, _ sproutID: String, _ dialog: DialogWindow) {
    (self.context, self.sproutID, self.dialog) = (context, sproutID, dialog)
    written = FirstAndLast(context, about: sproutID)
    written.dialog = dialog
    hopes = column(spacing: 2, hope, hoped)
    next = button("", "plant") {}.halign(.center)
    widget.append(
      sign.widget.margin(top: 4), column(spacing: 4, title, facts),
      hopes, reflection, written.widget, gain, next.margin(top: 4),
      line(spacing: 8, undoButton(context, .harvest, of: sproutID, dialog.toaster)).halign(.center))
    next.on("clicked") { [weak self] in self?.advance() }
    widget.keeps(self)
  }

  /// Shows the sprout, if it was harvested.
  func show(_ sprout: Sprout, in garden: Garden, now: Instant) {
    guard let harvest = sprout.harvest else { return }
    sign.show(sprout, in: garden, now: now)
    title.setText(clamped(sprout.title, to: oneLineLimit))
    facts.setText(HarvestPage.facts(of: sprout, harvest, in: garden))
    written.show(sprout, in: garden)
    showHope(of: sprout, harvest, in: garden)
    reflection.visible(harvest.reflection != nil)
    reflection.setText(harvest.reflection ?? "")
    showGain(in: garden)
    step = nextStep(after: sprout, in: garden, now: now)
    let sentence =
      switch step {
      case .leaf(let name): tr("Continue “{leaf}”", ["leaf": clamped(name, to: 40)])
      case .plant: tr("Plant a Sprout")
      case .today: tr("Back to Today")
      }
    next.setText(sentence)
  }

  /// Focuses the next step. In a small window it may be out of sight: the page is read from its top.
  func begin() {
    dialog.withoutScrolling { next.focus() }
    dialog.scrollToTop()
  }
}

extension HarvestPage {
  /// `92 days · 31 waterings · Bloomed`.
  private static func facts(of sprout: Sprout, _ harvest: Sprout.Harvest, in garden: Garden) -> String {
    let days = harvest.at.day.number - sprout.plantedAt.day.number
    return [
      trn("It took {n} day", "It took {n} days", max(1, Int(days))),
      trn("{n} watering", "{n} waterings", sprout.waterings.count),
      Formats.result(harvest.result),
    ].joined(separator: " · ")
  }

  /// Shows the bloom line that came true: the line for the result, or for the nearest one.
  private func showHope(of sprout: Sprout, _ harvest: Sprout.Harvest, in garden: Garden) {
    let line =
      switch harvest.result {
      case ...2: sprout.bloomWither
      case 3: sprout.bloomBudding
      default: sprout.bloomFlourish
      }
    hopes.visible(line?.isEmpty == false)
    hope.setText(tr("“{text}”", ["text": line ?? ""]))
    let date = ["date": Formats.date(sprout.plantedAt)]
    let note =
      switch harvest.result {
      case ...2: tr("You wrote this on {date} in case it withered.", date)
      case 3: tr("You wrote this on {date} for the day it would bud.", date)
      default: tr("You wrote this on {date} for the day it would flourish.", date)
      }
    hoped.setText(note)
  }

  private func showGain(in garden: Garden) {
    let deeper = isNew ? tr("Your soil is deeper now.") : nil
    gain.setText([deeper, garden.roomSentence].compactMap(\.self).joined(separator: " "))
  }

  private func nextStep(after sprout: Sprout, in garden: Garden, now: Instant) -> Step {
    if let leaf = garden.leaf(id: sprout.leafID), context.model.continuation(ofLeaf: sprout.leafID) != nil {
      return .leaf(leaf.name)
    }
    let cheapest = Soil.cost(.twoWeeks, .fertile)
    return garden.affordability(of: cheapest, at: now) == .now ? .plant : .today
  }

  private func advance() {
    let (context, step) = (context, step)
    let leafID = context.model.garden.sprout(id: sproutID)?.leafID
    switch step {
    case .leaf:
      let form = leafID.flatMap { context.model.continuation(ofLeaf: $0) }
      dialog.close()
      PlantDialog(context, prefill: form).present()
    case .plant:
      dialog.close()
      PlantDialog(context).present()
    case .today: dialog.leave(context, for: "win.view", target: Route.today.view)
    }
  }
}
