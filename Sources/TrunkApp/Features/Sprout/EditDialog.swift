import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// Edits a sprout's title, bloom lines and leaf. Season, ground and cost are fixed. Unsaved texts are a draft.
final class EditDialog {
  private let context: WindowContext
  private let sproutID: String
  private let dialog: DialogWindow
  private let actionButton: Widget
  private let title: LimitedRow
  private let wither: LimitedRow
  private let budding: LimitedRow
  private let flourish: LimitedRow
  private let leaves: [Leaf]
  private let leaf: PickRow
  private let oldLeaf: Int
  private let leafName = LimitedRow(tr("Name of the new leaf"), limit: .leafName)
  private let drafts: FieldDraft
  private lazy var titledAction = TitledAction(context, dialog, title: title)

  /// - Parameter sproutID: a sprout in any state.
  init(_ context: WindowContext, _ sproutID: String) {
    (self.context, self.sproutID) = (context, sproutID)
    let garden = context.model.garden
    let sprout = garden.sprout(id: sproutID)
    title = LimitedRow(tr("Title"), text: sprout?.title ?? "", limit: .title)
    wither = LimitedRow(tr("Withering"), text: sprout?.bloomWither ?? "", limit: .withering)
    budding = LimitedRow(tr("Budding"), text: sprout?.bloomBudding ?? "", limit: .budding)
    flourish = LimitedRow(tr("Flourishing"), text: sprout?.bloomFlourish ?? "", limit: .flourishing)
    leaves = sprout.map { garden.leaves(onTwig: $0.twigID) } ?? []
    // A sprout may refer to a leaf that was never created. Then none of the listed leaves is selected.
    let position = leaves.firstIndex { sprout?.leafID.hasSameBytes(as: $0.id) == true }
    leaf = PickRow(
      tr("Leaf"), (position == nil ? [tr("None of these")] : []) + leaves.map(\.name) + [tr("New leaf…")],
      selected: position ?? 0)
    oldLeaf = leaf.selected
    let content = column(
      spacing: 18, boxedList(title.widget, leaf.widget, leafName.widget).accessibleName(tr("The sprout")),
      captioned(
        tr("How will you know?"),
        boxedList(wither.widget, budding.widget, flourish.widget).accessibleName(tr("How will you know?"))),
      captioned(tr("Fixed when it was planted"), Self.facts(sprout, in: garden).widget))
    dialog = DialogWindow(
      over: context.window, title: tr("Edit the Sprout"), closeTitle: tr("Cancel"),
      content: content)
    drafts = FieldDraft(
      context, .sproutEdit, about: sproutID, foot: dialog.foot,
      ["title": title, "withering": wither, "budding": budding, "flourishing": flourish, "newLeaf": leafName])
    actionButton = dialog.addActionButton(tr("Save"), "suggested-action", keys: tr("Ctrl+Enter")) {}
    actionButton.sensitive(sprout != nil)
    leafName.widget.visible(false)
    connect()
    dialog.widget.keeps(self)
  }

  private func connect() {
    actionButton.on("clicked") { [weak self] in self?.save() }
    dialog.onSubmit { [weak self] in
      guard let self, actionButton.isSensitive else { return }
      save()
    }
    leaf.onPick = { [weak self] _ in
      self?.showLeafName()
      if self?.hasNewLeaf == true { self?.leafName.focus() }
    }
    drafts.onRestore = { [weak self] in
      guard let self, $0["newLeaf"] != nil else { return }
      leaf.selected = leaf.count - 1
      showLeafName()
    }
    dialog.widget.on("destroy") { [weak self] in self?.drafts.close() }
  }

  /// What can't be changed any more.
  private static func facts(_ sprout: Sprout?, in garden: Garden) -> FactList {
    let facts = FactList(
      name: tr("Fixed values"), tr("Grows on"), tr("Season"), tr("Ground"), tr("Planted"))
    guard let sprout else { return facts }
    let texts = [
      garden.path(ofTwig: sprout.twigID), Formats.season(sprout.season), Formats.ground(sprout.ground),
      Formats.date(sprout.plantedAt),
    ]
    for (index, text) in texts.enumerated() { facts.show(text, at: index) }
    return facts
  }

  /// - Parameter atHopes: whether to begin with how the harvest will be judged, instead of the title.
  func present(atHopes: Bool = false) {
    guard context.model.garden.sprout(id: sproutID) != nil else {
      dialog.discard()
      return context.report(IntentError.unknownSprout)
    }
    if atHopes { wither.focus() }
    dialog.present()
    drafts.restore()
  }
}

extension EditDialog {
  private func showLeafName() {
    leafName.widget.visible(hasNewLeaf)
    dialog.fit()
  }

  private func save() {
    func changed(_ row: LimitedRow) -> String? { row.isChanged ? row.text : nil }
    titledAction.run { [self] in
      try await drafts.finish {
        try await context.model.edit(
          sproutID, title: changed(title), bloomWither: changed(wither), bloomBudding: changed(budding),
          bloomFlourish: changed(flourish), leaf: leafChoice, clearing: $0)
      }
    }
  }

  private var hasNewLeaf: Bool { leaf.selected == leaf.count - 1 }

  /// The leaf to move to; `nil` if it stays the same.
  private var leafChoice: GardenModel.LeafChoice? {
    if hasNewLeaf { return .new(name: leafName.text) }
    guard leaf.selected != oldLeaf else { return nil }
    // "None of these" comes before the leaves, and the new leaf after them.
    return .existing(id: leaves[leaf.selected - (leaf.count - 1 - leaves.count)].id)
  }
}
