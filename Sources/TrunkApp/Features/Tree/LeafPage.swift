import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The page of a leaf: its sprouts as one story, from the first planting to the last harvest.
final class LeafPage {
  var widget: Widget { frame.widget }

  private let context: WindowContext
  private let leafID: String
  private let onBack: @MainActor () -> Void
  private let frame: PageFrame
  private let twig = TextLink("win.twig")
  private let name = paragraph("", "title-2", selectable: true)
  private let span = paragraph("", "hint")
  private let proceed = button(tr("Continue the Leaf"), "plant", command: "win.continue-leaf::")
  private let story: LeafStory
  private let export = button(tr("Export or Print…")) {}

  /// - Parameter onBack: called when the user wants to leave the page, and when the leaf is gone.
  init(_ context: WindowContext, leafID: String, onBack: @escaping @MainActor () -> Void) {
    (self.context, self.leafID, self.onBack) = (context, leafID, onBack)
    story = LeafStory(context)
    proceed.action("win.continue-leaf", target: leafID)
    let content = column(
      spacing: 18, column(spacing: 4, twig.widget, name, span), wrapping(proceed, export), story.widget)
    frame = PageFrame(content, heading: name, width: 640, onBack: onBack)
    frame.onEnd { [weak story] in story?.showMore() }
    export.on("clicked") { [weak self] in self?.openExport() }
    widget.keeps(self)
    context.follow(widget) { [weak self] in self?.render() }
  }

  func focus() { frame.focus() }

  private func openExport() {
    guard let leaf = context.model.garden.leaf(id: leafID) else { return }
    BookDialog(context, aboutLeaf: leaf).present()
  }

  private func render() {
    let garden = context.model.garden
    // A leaf disappears only if its planting was undone.
    guard let leaf = garden.leaf(id: leafID) else { return onBack() }
    let sprouts = garden.sprouts(onLeaf: leafID)
    widget.accessibleName(leaf.name)
    name.setText(clamped(leaf.name, to: 400))
    let isKnown = Node(id: leaf.twigID)?.isTwig == true
    twig.show(garden.path(ofTwig: leaf.twigID), target: isKnown ? leaf.twigID : nil)
    span.setText(LeafPage.summary(of: sprouts))
    // A leaf without a sprout on a known twig can't be continued.
    proceed.visible(context.model.continuation(ofLeaf: leafID) != nil)
    story.show(garden.story(ofLeaf: leafID), subjects: sprouts.map(\.title))
  }

  /// `3 sprouts, from 3 May 2024 until today`.
  private static func summary(of sprouts: [Sprout]) -> String {
    guard let first = sprouts.first else { return tr("Nothing was planted on this leaf yet.") }
    let count = trn("{n} sprout", "{n} sprouts", sprouts.count)
    let start = Formats.date(first.plantedAt)
    guard !sprouts.contains(where: \.isActive), let end = sprouts.compactMap(\.endedAt).max() else {
      return tr("{sprouts} since {date}", ["sprouts": count, "date": start])
    }
    let last = Formats.date(end)
    return tr("{sprouts} from {start} to {end}", ["sprouts": count, "start": start, "end": last])
  }
}
