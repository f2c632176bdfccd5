import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// Creates a seedling on a twig.
final class SeedlingDialog {
  private let context: WindowContext
  private let dialog: DialogWindow
  private let actionButton: Widget
  private let title = LimitedRow(tr("What could grow?"), limit: .title)
  private let notes = TextArea(
    name: tr("Notes"), placeholder: tr("What comes to mind"), limit: .seedlingNotes, height: 70)
  private let twig: TwigChooser
  private let drafts: SeedlingFormKeeper
  private lazy var titledAction = TitledAction(context, dialog, title: title)

  /// - Parameter twig: the initial twig; without it, the twig that was used last.
  init(_ context: WindowContext, twig: Node? = nil) {
    self.context = context
    let garden = context.model.garden
    let latest = garden.sprouts.last?.node ?? .twig(branch: 0, twig: 0)
    self.twig = TwigChooser(garden, twig: twig?.isTwig == true ? twig ?? latest : latest)
    let content = column(
      spacing: 18, boxedList(title.widget).accessibleName(tr("The seedling")), captioned(tr("Notes"), notes.widget),
      captioned(tr("Where"), self.twig.widget),
      paragraph(tr("A seedling costs no soil and waits under Seedlings until you plant it."), "hint").margin(start: 2))
    context.spelling.check(notes)
    dialog = DialogWindow(
      over: context.window, title: tr("Note an Idea"), closeTitle: tr("Close"),
      content: content)
    drafts = SeedlingFormKeeper(context, foot: dialog.foot)
    actionButton = dialog.addActionButton(tr("Save"), "plant", keys: tr("Ctrl+Enter")) {}
    actionButton.on("clicked") { [weak self] in self?.create() }
    title.onChange = { [weak self] in self?.changed() }
    notes.onChange = { [weak self] in self?.changed() }
    self.twig.onPick = { [weak self] in self?.changed() }
    drafts.onRestore = { [weak self] in self?.show($0) }
    dialog.widget.on("destroy") { [weak self] in self?.drafts.close() }
    dialog.onSubmit { [weak self] in self?.create() }
    dialog.widget.keeps(self)
  }

  func present() {
    dialog.present()
    drafts.restore()
  }
}

extension SeedlingDialog {
  private var form: GardenModel.SeedlingForm { .init(twig: twig.twig, title: title.text, notes: notes.text) }

  private func changed() { drafts.changed(to: form) }

  private func show(_ form: GardenModel.SeedlingForm) {
    twig.show(form.twig)
    // The title last, because its change is saved with what is in the notes.
    notes.text = form.notes
    title.text = form.title
    title.focus()
  }

  private func create() {
    titledAction.run { [self] in
      let form = form
      try await drafts.finish {
        try await context.createSeedling(form.title, notes: form.notes, on: form.twig, clearing: $0)
      }
    }
  }
}

extension WindowContext {
  /// Notes an idea as a seedling, and offers to show it among the others.
  /// - Parameter draft: the draft of its form, which is removed.
  func createSeedling(
    _ title: String, notes: String = "", on twig: Node, clearing draft: DraftContent? = nil
  ) async throws {
    try await model.createSeedling(on: twig, title: title, notes: notes, clearing: draft)
    let window = window
    foot.show(tr("Seedling saved"), button: (tr("Show"), { window.activate("win.seedlings") }))
  }
}
