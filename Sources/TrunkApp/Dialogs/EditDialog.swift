import Garden
import Gardening
import GtkKit
import Localization

/// Changes what can be changed of a sprout: title, signs and leaf. What was agreed with the soil stays.
final class EditDialog {
  private let session: Session
  private let sproutID: String
  private let dialog: DialogWindow
  private let deed: Widget
  private let title: LimitedRow
  private let wither: LimitedRow
  private let budding: LimitedRow
  private let flourish: LimitedRow
  private let leaves: [Leaf]
  private let leaf: PickRow
  private let oldLeaf: Int
  private lazy var titledDeed = TitledDeed(session, dialog, title: title)

  /// - Parameter sproutID: what is changed, in any state.
  init(_ session: Session, _ sproutID: String) {
    (self.session, self.sproutID) = (session, sproutID)
    let garden = session.gardener.garden
    let sprout = garden.sprout(id: sproutID)
    title = LimitedRow(tr("Title"), text: sprout?.title ?? "", limit: Limits.title)
    wither = LimitedRow(tr("Withering"), text: sprout?.bloomWither ?? "", limit: Limits.bloom)
    budding = LimitedRow(tr("Budding"), text: sprout?.bloomBudding ?? "", limit: Limits.bloom)
    flourish = LimitedRow(tr("Flourishing"), text: sprout?.bloomFlourish ?? "", limit: Limits.bloom)
    leaves = sprout.map { garden.leaves(onTwig: $0.twigID) } ?? []
    // A sprout may name a leaf that was never made; then nothing on the list is its own.
    let position = leaves.firstIndex { $0.id == sprout?.leafID }
    leaf = PickRow(
      tr("Leaf"), (position == nil ? [tr("None of these")] : []) + leaves.map(\.name), selected: position ?? 0)
    oldLeaf = leaf.selected
    let facts = Facts(
      name: tr("What stays"), tr("Grows on"), tr("Season"), tr("Ground"), tr("Soil"), tr("Planted"))
    let content = column(
      spacing: 18, boxedList(title.widget, leaf.widget).named(tr("The sprout")),
      captioned(
        tr("How will you know?"),
        boxedList(wither.widget, budding.widget, flourish.widget).named(tr("How will you know?"))),
      captioned(tr("Fixed when it was planted"), facts.widget))
    dialog = DialogWindow(
      over: session.window, title: tr("Edit the Sprout"), closeTitle: tr("Cancel"),
      content: content)
    deed = dialog.addDeed(tr("Save"), "suggested-action") {}
    deed.sensitive(sprout != nil)
    if let sprout {
      facts.show(garden.path(ofTwig: sprout.twigID), at: 0)
      facts.show(Formats.season(sprout.season), at: 1)
      facts.show(Formats.environment(sprout.environment), at: 2)
      facts.show(Formats.shortSoil(sprout.soilCost), at: 3)
      facts.show(Formats.date(sprout.plantedAt, in: garden.zone), at: 4)
    }
    deed.on("clicked") { [weak self] in self?.save() }
    // A complaint about it is answered.
    title.onChange = { [weak self] in self?.dialog.toaster.dismiss() }
    dialog.widget.keeps(self)
  }

  func present() {
    guard session.gardener.garden.sprout(id: sproutID) != nil else {
      gtk_window_destroy(dialog.widget.cast())
      return session.tell(GardeningError.unknownSprout)
    }
    dialog.present()
    title.focus()
  }
}

extension EditDialog {
  private func save() {
    func changed(_ row: LimitedRow) -> String? { row.isChanged ? row.text : nil }
    let leafID = leaf.selected == oldLeaf ? nil : leaves[leaf.selected - (leaf.count - leaves.count)].id
    titledDeed.run { [self] in
      try await session.gardener.edit(
        sproutID, title: changed(title), bloomWither: changed(wither), bloomBudding: changed(budding),
        bloomFlourish: changed(flourish), leafID: leafID)
    }
  }
}
