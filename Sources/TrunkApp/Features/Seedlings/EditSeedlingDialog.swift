import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// Edits the title and the notes of a seedling. Its twig is fixed. Both are a draft until they are saved.
final class EditSeedlingDialog {
  private let context: WindowContext
  private let seedling: Seedling
  private let dialog: DialogWindow
  private let title: LimitedRow
  private let notes = TextArea(
    name: tr("Notes"), placeholder: tr("What comes to mind"), limit: .seedlingNotes, height: 70)
  private let drafts: FieldDraft
  private lazy var titledAction = TitledAction(context, dialog, title: title)

  init(_ context: WindowContext, _ seedling: Seedling) {
    (self.context, self.seedling) = (context, seedling)
    title = LimitedRow(tr("What could grow?"), text: seedling.title, limit: .title)
    context.spelling.check(notes)
    notes.begin(with: seedling.notes ?? "")
    let twig = FactList(name: tr("Fixed values"), tr("Grows on"), tr("Noted"))
    twig.show(context.model.garden.path(ofTwig: seedling.twigID), at: 0)
    twig.show(Formats.date(seedling.createdAt), at: 1)
    dialog = DialogWindow(
      over: context.window, title: tr("Edit the Seedling"), closeTitle: tr("Cancel"),
      content: column(
        spacing: 18, boxedList(title.widget).accessibleName(tr("The seedling")), captioned(tr("Notes"), notes.widget),
        captioned(tr("Fixed when it was noted"), twig.widget)))
    drafts = FieldDraft(
      context, .seedlingEdit, about: seedling.id, foot: dialog.foot, ["title": title, "notes": notes])
    let actionButton = dialog.addActionButton(tr("Save"), "suggested-action", keys: tr("Ctrl+Enter")) {}
    actionButton.on("clicked") { [weak self] in self?.save() }
    dialog.onSubmit { [weak self] in self?.save() }
    dialog.widget.on("destroy") { [weak self] in self?.drafts.close() }
    dialog.widget.keeps(self)
  }

  func present() {
    dialog.present()
    drafts.restore()
  }

  private func save() {
    titledAction.run { [self] in
      try await drafts.finish {
        try await context.model.editSeedling(
          seedling.id, title: title.isChanged ? title.text : nil, notes: notes.isChanged ? notes.text : nil,
          clearing: $0)
      }
    }
  }
}
