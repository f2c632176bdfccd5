import EventStore
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
  private let place: PlaceField
  private let drafts: FieldDraft
  private lazy var titledAction = TitledAction(context, dialog, title: title)

  /// - Parameters:
  ///   - twig: the chosen twig; without it, none is chosen.
  ///   - draft: the draft to continue, if it isn't the newest one.
  init(_ context: WindowContext, twig: Node? = nil, continuing draft: DraftKey? = nil) {
    self.context = context
    place = PlaceField(isBesideTree: false) { context.model.garden }
    place.show(twig?.isTwig == true ? twig : nil)
    let content = column(
      spacing: 18, boxedList(title.widget).accessibleName(tr("The seedling")), place.widget,
      captioned(tr("Notes"), notes.widget),
      paragraph(tr("A seedling costs no soil and waits under Seedlings until you plant it."), "hint").margin(start: 2))
    context.spelling.check(notes)
    dialog = DialogWindow(
      over: context.window, title: tr("Note an Idea"), closeTitle: tr("Close"),
      content: content)
    drafts = FieldDraft(
      context, .seedling, about: draft?.entity ?? "", foot: dialog.foot, ["title": title, "notes": notes])
    actionButton = dialog.addActionButton(tr("Save"), "plant", keys: tr("Ctrl+Enter")) {}
    actionButton.on("clicked") { [weak self] in self?.create() }
    drafts.choices = { [place] in place.twig.map { ["twig": $0.id] } ?? [:] }
    place.title = { [title] in title.text }
    place.onPick = { [weak self] _ in self?.drafts.changed() }
    place.onSubmit = { [weak self] in self?.create() }
    title.onChange = { [weak self] in
      self?.place.titleChanged()
      self?.drafts.changed()
    }
    drafts.onRestore = { [weak self] in
      if let twig = $0["twig"].flatMap(Node.init(id:)) { self?.place.show(twig) }
      self?.title.focus()
    }
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
  private func create() {
    guard titledAction.checkTitle() else { return }
    guard let twig = place.twig else { return place.askForPlace() }
    titledAction.run { [self] in
      try await drafts.finish {
        try await context.createSeedling(title.text, notes: notes.text, on: twig, clearing: $0)
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
