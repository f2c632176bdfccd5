import GtkKit
import Localization
import TreePicture
import TrunkKit
import TrunkModel

/// What became of a harvested sprout: its shoot folds into a leaflet on the limb. Then there are the user's own first
/// sentence and one next step.
final class HarvestPage {
  let widget = column(spacing: 16)
  /// Whether the sprout was harvested in this dialog.
  private var isNew = false

  private let context: WindowContext
  private let sproutID: String
  private unowned let dialog: DialogWindow
  private let act: ActPage
  private let clock: ActClock
  /// The tree that is shown.
  private var tree: TreeState?
  private let outcome = paragraph("", "second").centred()
  private let next: Widget
  private var step = Step.today

  /// In pixels: what to do next stays in sight below it.
  private static let pictureHeight = 216

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
    clock = ActClock(dialog.widget)
    act = ActPage(context, height: HarvestPage.pictureHeight)
    next = button("", "plant") {}.halign(.center)
    let tree = button(tr("See It on the Tree"), "link") { [weak self] in self?.showTree() }.halign(.center)
    widget.append(act.widget, outcome, column(spacing: 8, next, tree).margin(top: 6))
    next.on("clicked") { [weak self] in self?.advance() }
    widget.valign(.center).vexpand().keeps(self)
  }

  /// Shows the sprout, if it was harvested.
  func show(_ sprout: Sprout, in garden: Garden, now: Instant) {
    guard let harvest = sprout.harvest else { return }
    let tree = context.treeState
    if tree != self.tree, let twig = sprout.node {
      act.picture.show(.harvest, from: tree, to: tree, twig: twig, sproutID: sproutID)
    }
    self.tree = tree
    let words = context.model.hidden.contains(harvest.seq) ? nil : harvest.reflection
    act.show(OwnWords.quoted(words, orTitle: clamped(sprout.title, to: oneLineLimit)))
    outcome.setMarkup(sentences(about: sprout, in: garden))
    step = nextStep(after: sprout, in: garden, now: now)
    let sentence =
      switch step {
      case .leaf(let name): tr("Continue “{leaf}”…", ["leaf": clamped(name, to: 40)])
      case .plant: tr("Plant a Sprout…")
      case .today: tr("Back to Today")
      }
    next.setText(sentence)
    next.accessibleDescription(
      tr("Harvested. {title}: {result}", ["title": sprout.title, "result": Formats.result(harvest.result)]))
  }

  /// Focuses the next step, and shows the harvest. In a small window the step may be out of sight: the page is read
  /// from its top.
  /// - Parameter before: the tree before the harvest.
  func begin(from before: TreeState) {
    isNew = true
    let (garden, now) = (context.model.garden, context.model.now)
    guard let sprout = garden.sprout(id: sproutID) else { return }
    show(sprout, in: garden, now: now)
    dialog.withoutScrolling { next.focus() }
    dialog.scrollToTop()
    dialog.offerUndo(
      context, .harvest, of: sproutID, tr("Harvested “{title}”", ["title": clamped(sprout.title, to: 60)]))
    guard let twig = sprout.node else { return }
    act.picture.show(.harvest, from: before, to: context.treeState, twig: twig, sproutID: sproutID, at: 0)
    clock.run(.harvest, on: dialog.widget) { [act] in act.show(.harvest, at: $0) }
  }
}

extension HarvestPage {
  /// Which leaflet of its leaf it is, and what the soil is good for now, as markup.
  private func sentences(about sprout: Sprout, in garden: Garden) -> String {
    let leaflet = garden.leafletSentence(of: sprout) { "<i>" + escaped(oneLine($0)) + "</i>" }
    let deeper = isNew ? tr("Your soil is deeper now.") : nil
    let soil = [deeper, garden.roomSentence].compactMap(\.self).joined(separator: " ")
    return [leaflet, soil].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: "\n")
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

  /// Shows the limb on which its leaf grows.
  private func showTree() {
    let branch = context.model.garden.sprout(id: sproutID)?.node?.branch
    dialog.leave(context, for: "win.limb", target: branch.map { "\($0)" } ?? "")
  }
}
