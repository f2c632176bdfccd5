import Garden
import Gardening
import GtkKit
import Localization

/// Notes an idea on a twig.
final class SeedlingDialog {
  private let session: Session
  private let dialog: DialogWindow
  private let deed: Widget
  private let title = LimitedRow(tr("What could grow?"), limit: Limits.seedlingTitle)
  private let notes = TextArea(
    name: tr("Notes"), placeholder: tr("What comes to mind"), limit: Limits.seedlingNotes, height: 70)
  private let twig: TwigChooser
  private lazy var titledDeed = TitledDeed(session, dialog, title: title)

  /// - Parameter twig: where it is noted; without it, the twig that was used last.
  init(_ session: Session, twig: Node? = nil) {
    self.session = session
    let garden = session.gardener.garden
    let latest = garden.sprouts.last?.node ?? .twig(branch: 0, twig: 0)
    self.twig = TwigChooser(garden, twig: twig?.isTwig == true ? twig ?? latest : latest)
    let content = column(
      spacing: 18, boxedList(title.widget).named(tr("The idea")), captioned(tr("Notes"), notes.widget),
      captioned(tr("Where"), self.twig.widget),
      paragraph(tr("A seedling costs no soil. It waits until you plant it: look for “From an idea” there."), "hint"))
    dialog = DialogWindow(
      over: session.window, title: tr("Note an Idea"), closeTitle: tr("Cancel"),
      content: content)
    deed = dialog.addDeed(tr("Keep"), "plant") {}
    deed.on("clicked") { [weak self] in self?.keep() }
    // A complaint about it is answered.
    title.onChange = { [weak self] in self?.dialog.toaster.dismiss() }
    notes.onSubmit = { [weak self] in self?.keep() }
    dialog.widget.keeps(self)
  }

  func present() {
    dialog.present()
    title.focus()
  }
}

extension SeedlingDialog {
  private func keep() {
    titledDeed.run { [self] in
      try await session.gardener.seed(twig.twig, title: title.text, notes: notes.text)
    }
  }
}
