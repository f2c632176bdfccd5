import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The page of a sprout: its state, actions, planting details and journal.
final class SproutPage {
  var widget: Widget { frame.widget }

  private let context: WindowContext
  private let sproutID: String
  private let onBack: (@MainActor () -> Void)?
  private let frame: PageFrame

  private let shoot = ShootSlider()
  private let pointed: PointedEntry
  /// The entries, oldest first.
  private var waterings: [TimelineItem] = []
  private let title = paragraph("", "title-2", selectable: true)
  private let twig = TextLink("win.twig")
  private let leaf = TextLink("win.leaf")
  private let status = paragraph("", "semibold")

  private let water = button(tr("Water"), "water", command: "win.water")
  private let harvest = button(tr("Harvest"), "harvest", command: "win.harvest")
  private let continueLeaf = button(tr("Continue the Leaf"), "plant", command: "win.continue-leaf")
  private let edit = button(tr("Edit"), command: "win.edit")
  private let export = button(tr("Export or Print…"), command: "win.export-sprout")
  private let uproot = button(tr("Uproot"), "destructive-action", command: "win.uproot")

  private let actions: Widget

  private let season = FactRow(tr("Season"))
  private let ground = FactRow(tr("Ground"))
  private let cost = FactRow(tr("Soil"))
  private let planted = FactRow(tr("Planted"))
  private let end = FactRow(tr("Harvest from"))

  private let outcome = column(spacing: 8)
  private let result = paragraph("", "semibold")
  private let reflection = paragraph("", "journal", selectable: true)

  private let blooms = column(spacing: 8)
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
    actions = wrapping(harvest, water, continueLeaf, edit, export, uproot)
    let content = column(
      spacing: 22,
      column(spacing: 3, title, wrapping(spacing: 10, lineSpacing: 0, twig.widget, leaf.widget), status),
      actions, DraftCards(context) { $0.sproutID?.hasSameBytes(as: sproutID) == true }.widget,
      column(
        season.widget, ground.widget, cost.widget, planted.widget, end.widget
      ).css("facts"), outcome, blooms, journal.widget)
    frame = PageFrame(content, below: shoot.widget, siblings: siblings, onBack: onBack)
    outcome.append(sectionHeader(trc("noun", "Harvest")), column(spacing: 6, result, reflection).css("card"))
    blooms.append(
      sectionHeader(tr("How you will know")),
      column(withering.widget, budding.widget, flourishing.widget).css("facts"))
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
    showFacts(sprout, garden)
    showOutcome(sprout)
    blooms.visible(![sprout.bloomWither, sprout.bloomBudding, sprout.bloomFlourish].allSatisfy { $0?.isEmpty ?? true })
    for (fact, text) in [
      (withering, sprout.bloomWither), (budding, sprout.bloomBudding), (flourishing, sprout.bloomFlourish),
    ] { fact.show(text.flatMap { $0.isEmpty ? nil : $0 }) }
    waterings = garden.items(garden.waterings(of: sprout))
    shoot.show(sprout, waterings, in: garden, now: now)
    journal.show(
      waterings,
      placeholder: sprout.isActive
        ? tr("Nothing is written here yet. Water the sprout to write its first entry.")
        : tr("You wrote nothing about this sprout."))
  }

  private func showHead(_ sprout: Sprout, _ garden: Garden, _ now: Instant) {
    title.setText(clamped(sprout.title, to: 400))
    showLinks(sprout, garden)
    status.css("green", when: sprout.isReady(at: now))
    widget.accessibleName(sprout.title)
    switch sprout.state {
    case .active where sprout.isReady(at: now):
      status.setText(tr("Ready to harvest"))
    case .active:
      status.setText(tr("{time} to go", ["time": Formats.left(until: sprout.harvestDue, now: now)]))
    case .completed(let harvest):
      status.setText(tr("Cultivated: {result}", ["result": Formats.result(harvest.result)]))
    case .uprooted:
      status.setText(tr("Uprooted"))
    }
  }

  private func showLinks(_ sprout: Sprout, _ garden: Garden) {
    twig.show(garden.path(ofTwig: sprout.twigID), target: sprout.node?.isTwig == true ? sprout.twigID : nil)
    let name = garden.leaf(id: sprout.leafID)?.name
    leaf.widget.visible(name != nil)
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

  private func showFacts(_ sprout: Sprout, _ garden: Garden) {
    season.show(Formats.season(sprout.season))
    ground.show(Formats.ground(sprout.ground))
    // Afterwards it has given it back.
    cost.show(sprout.isActive ? garden.soilShare(of: sprout.soilCost).words : nil)
    planted.show(Formats.date(sprout.plantedAt))
    switch sprout.state {
    case .active: end.show(Formats.date(sprout.harvestDue, in: garden.zone), caption: tr("Harvest from"))
    case .completed(let harvest): end.show(Formats.date(harvest.at), caption: tr("Harvested"))
    case .uprooted(let at, _): end.show(Formats.date(at), caption: tr("Uprooted"))
    }
  }

  private func showOutcome(_ sprout: Sprout) {
    outcome.visible(sprout.harvest != nil)
    guard let harvest = sprout.harvest else { return }
    result.setText(Formats.result(harvest.result))
    reflection.visible(harvest.reflection?.isEmpty == false)
    reflection.setText(harvest.reflection ?? "")
  }
}
