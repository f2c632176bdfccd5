import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The page of a twig: its name and note, its sprouts and seedlings, and the reflections on it.
final class TwigPage {
  var widget: Widget { frame.widget }

  private let context: WindowContext
  private let twig: Node
  private let frame: PageFrame
  private let branch = TextLink("win.branch")
  private let header: NodeHeader
  private let growing = LeafGroupList()
  private let growingSection: Widget
  private let seedlings: TwigSeedlings
  private let cultivated = LeafGroupList()
  private let cultivatedSection: Widget
  private let reflections: EntryCards

  /// - Parameters:
  ///   - twig: one of the 64.
  ///   - onBack: called when the user wants to leave the page.
  init(
    _ context: WindowContext, _ twig: Node, siblings: PageFrame.Siblings,
    onBack: @escaping @MainActor () -> Void
  ) {
    (self.context, self.twig) = (context, twig)
    header = NodeHeader(context, twig)
    growingSection = column(spacing: 8, sectionHeader(tr("Growing")), growing.widget)
    seedlings = TwigSeedlings(context, on: twig)
    cultivatedSection = column(spacing: 8, sectionHeader(trc("sprouts", "Harvested")), cultivated.widget)
    reflections = EntryCards(context, title: tr("Reflections"))
    let plant = button(tr("Plant Here"), "plant") { PlantDialog(context, twig: twig).present() }
    let content = column(
      spacing: 22, column(spacing: 2, branch.widget, header.widget), plant.halign(.start), growingSection,
      seedlings.widget, cultivatedSection, reflections.widget)
    frame = PageFrame(content, heading: header.title, siblings: siblings, onBack: onBack)
    frame.onEnd { [weak reflections] in reflections?.showMore() }
    widget.keeps(self)
    context.follow(widget) { [weak self] in self?.render() }
  }

  func focus() { frame.focus() }

  private func render() {
    let (garden, now) = (context.model.garden, context.model.now)
    widget.accessibleName(garden.path(ofTwig: twig.id))
    let branch = twig.branch ?? 0
    self.branch.show(garden.label(of: .branch(branch)), target: "\(branch)")
    header.show(garden)
    let groups = garden.leafGroups(onTwig: twig.id)
    let (growing, past) = (groups.filter { !$0.growing.isEmpty }, groups.filter(\.growing.isEmpty))
    growingSection.visible(!growing.isEmpty)
    self.growing.show(growing, in: garden, now: now)
    seedlings.show(garden)
    cultivatedSection.visible(!past.isEmpty)
    cultivated.show(past, in: garden, now: now)
    let entries = garden.reflections(onTwig: twig)
    reflections.widget.visible(!entries.isEmpty)
    reflections.show(entries, placeholder: "")
  }
}
