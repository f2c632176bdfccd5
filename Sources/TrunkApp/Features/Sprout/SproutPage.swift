import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The page of a sprout as a story: its shoot, a sentence about it and what was written. The rest is behind *Details*.
final class SproutPage {
  var widget: Widget { frame.widget }

  private let context: WindowContext
  private let sproutID: String
  private let onBack: (@MainActor () -> Void)?
  private let frame: PageFrame

  private let shoot = ShootSlider(height: 100)
  private let pointed: PointedEntry
  /// The entries, oldest first.
  private var waterings: [TimelineItem] = []
  private let title = paragraph("", "title-2", selectable: true)
  private let twig = TextLink("win.twig")
  private let leaf = TextLink("win.leaf")
  private let ready = paragraph(tr("Ready to harvest"), "semibold", "green")
  private let story = paragraph("", "second")

  private let water = button(tr("Water"), "water", command: "win.water")
  private let harvest = button(tr("Harvest"), "harvest", command: "win.harvest")
  private let continueLeaf = button(tr("Continue the Leaf"), "plant", command: "win.continue-leaf")
  private let edit = button(tr("Edit"), command: "win.edit")
  private let export = button(tr("Export or Print…"), "link", "flush", command: "win.export-sprout")
  private let uproot = button(tr("Uproot"), "link", "flush", command: "win.uproot")

  private let outcome = column(spacing: 8)
  private let result = paragraph("", "semibold")
  private let reflection = paragraph("", "journal", selectable: true)
  private let reveal = button(tr("Show"), "link", "flush") {}.halign(.start)

  private let details: Disclosure
  private let timeLeft = FactRow(tr("Time left"))
  private let cost = FactRow(tr("Soil"))
  private let hopes = paragraph(tr("How you will know"), "caption-title").margin(top: 10)
  private let withering = FactRow(tr("Withering"))
  private let budding = FactRow(tr("Budding"))
  private let flourishing = FactRow(tr("Flourishing"))

  private let journal: EntryCards

  /// - Parameter onBack: called when the user wants to leave the page; `nil` if it was not opened.
  init(
    _ context: WindowContext, sproutID: String, siblings: PageFrame.Siblings? = nil,
    onBack: (@MainActor () -> Void)?
  ) {
    self.context = context
    self.sproutID = sproutID
    self.onBack = onBack
    journal = EntryCards(context, title: tr("Journal"))
    pointed = PointedEntry(context, for: shoot.widget) { context.foot.pointed = $0 }
    let facts = column(
      timeLeft.widget, cost.widget, hopes, withering.widget, budding.widget, flourishing.widget
    ).css("facts")
    details = Disclosure(tr("Details"), facts)
    let content = column(
      spacing: 22,
      column(
        spacing: 3, title, wrapping(spacing: 10, lineSpacing: 0, twig.widget, leaf.widget), story.margin(top: 4), ready),
      column(
        spacing: 8, wrapping(harvest, water, continueLeaf, edit),
        wrapping(spacing: 18, lineSpacing: 0, details.link, export, uproot), facts),
      DraftCards(context) { $0.sproutID?.hasSameBytes(as: sproutID) == true }.widget, outcome, journal.widget)
    frame = PageFrame(content, heading: title, below: shoot.widget, siblings: siblings, onBack: onBack)
    outcome.append(sectionHeader(trc("noun", "Harvest")), column(spacing: 6, result, reflection, reveal).css("card"))
    reveal.on("clicked") { [weak self] in self?.showHarvest() }
    harvest.action("win.harvest", target: sproutID)
    edit.action("win.edit", target: sproutID)
    export.action("win.export-sprout", target: sproutID)
    uproot.action("win.uproot", target: sproutID)
    frame.onEnd { [weak journal] in journal?.showMore() }
    shoot.onPoint = { [weak self] position in
      if let self { pointed.point(at: position.map { self.waterings[$0] }) }
    }
    shoot.onChoose = { [weak journal] in journal?.mark($0) }
    journal.onMark = { [weak frame] in frame?.scroll(to: $0) }
    widget.tendsSprout(in: context.model) { sproutID }
    widget.keeps(self)
    context.follow(widget) { [weak self] in self?.render() }
  }

  func focus() { frame.focus() }
}

extension SproutPage {
  private func render() {
    let (garden, now) = (context.model.garden, context.model.now)
    // A sprout disappears only if its planting was undone elsewhere.
    guard let sprout = garden.sprout(id: sproutID) else {
      onBack?()
      return
    }
    showHead(sprout, garden, now)
    showActions(sprout, garden, now)
    showDetails(sprout, garden, now)
    showOutcome(sprout)
    waterings = garden.items(garden.waterings(of: sprout))
    shoot.show(sprout, waterings, in: garden, now: now)
    journal.show(
      waterings,
      placeholder: sprout.isActive
        ? tr("Nothing is written here yet. Water the sprout to write its first entry.")
        : tr("You wrote nothing about this sprout."))
  }

  /// Shows the hidden harvest again.
  private func showHarvest() {
    guard let seq = context.model.garden.sprout(id: sproutID)?.harvest?.seq else { return }
    context.setHidden(false, entry: seq, keeping: widget)
  }

  private func showHead(_ sprout: Sprout, _ garden: Garden, _ now: Instant) {
    title.setText(clamped(sprout.title, to: 400))
    showLinks(sprout, garden)
    story.setText(SproutTexts.story(of: sprout, in: garden, now: now))
    ready.visible(sprout.isReady(at: now))
    widget.accessibleName(sprout.title)
  }

  private func showLinks(_ sprout: Sprout, _ garden: Garden) {
    twig.show(garden.path(ofTwig: sprout.twigID), target: sprout.node?.isTwig == true ? sprout.twigID : nil)
    let name = garden.leaf(id: sprout.leafID)?.name
    // A leaf that its first sprout has named says nothing new.
    leaf.widget.visible(name.map { !$0.isEmpty && $0 != sprout.title } ?? false)
    leaf.show(tr("Leaf “{name}”", ["name": clamped(name ?? "", to: 200)]), target: sprout.leafID)
  }

  private func showActions(_ sprout: Sprout, _ garden: Garden, _ now: Instant) {
    water.visible(sprout.isActive)
    let isWatered = garden.wasWatered(sprout, onDayOf: now)
    water.setText(isWatered ? tr("Watered today") : tr("Water"))
    if isWatered {
      water.removeAction()
      water.sensitive(false)
    } else {
      // Enabled even without water: the dialog says when it returns.
      water.action("win.water", target: sproutID)
    }
    harvest.visible(sprout.isReady(at: now))
    uproot.visible(sprout.isActive)
    continueLeaf.visible(!sprout.isActive && garden.leaf(id: sprout.leafID) != nil)
    continueLeaf.action("win.continue-leaf", target: sprout.leafID)
  }

  private func showDetails(_ sprout: Sprout, _ garden: Garden, _ now: Instant) {
    let isGrowing = sprout.isActive && !sprout.isReady(at: now)
    timeLeft.show(isGrowing ? garden.timeLeft(of: sprout, at: now) : nil)
    // Afterwards it has given it back.
    cost.show(sprout.isActive ? garden.soilShare(of: sprout.soilCost).words : nil)
    let blooms = [sprout.bloomWither, sprout.bloomBudding, sprout.bloomFlourish].map { $0?.isEmpty == false ? $0 : nil }
    for (row, text) in zip([withering, budding, flourishing], blooms) { row.show(text) }
    hopes.visible(blooms.contains { $0 != nil })
    details.isShown = sprout.isActive || blooms.contains { $0 != nil }
  }

  private func showOutcome(_ sprout: Sprout) {
    outcome.visible(sprout.harvest != nil)
    guard let harvest = sprout.harvest else { return }
    result.setText(Formats.result(harvest.result))
    let isHidden = context.model.hidden.contains(harvest.seq)
    reflection.visible(isHidden || harvest.reflection?.isEmpty == false).css("placeholder", when: isHidden)
    reflection.showReading(isHidden ? EntryTexts.hidden : harvest.reflection ?? "")
    reveal.visible(isHidden)
  }
}
