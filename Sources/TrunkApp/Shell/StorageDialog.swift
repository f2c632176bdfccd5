import Garden
import Gardening
import GtkKit
import Localization

/// Where the garden is kept, and how much of it there is: what the indicator in the greeting leads to.
final class StorageDialog {
  private let session: Session
  private let window: DialogWindow
  private let rows = column().css("facts")
  private var count = "…"

  init(_ session: Session) {
    self.session = session
    let hint = paragraph(
      tr(
        "Every entry is on this computer’s disk the moment you write it, and nowhere else. A verified backup file is made each day."
      ), "second")
    window = DialogWindow(
      over: session.window, title: tr("This Computer Only"), closeTitle: tr("Close"),
      content: column(
        spacing: 14, hint, rows,
        wrapping(
          spacing: 8, button(tr("Backups and Import…"), command: "win.preferences"),
          button(tr("Sync With Other Devices…"), command: "win.account"))))
    window.widget.insertActions(of: session.window)
    window.widget.keeps(self)
    session.follow(window.widget) { [weak self] in self?.render() }
  }

  func present() { window.present() }

  private func render() {
    let garden = session.gardener.garden
    rows.removeAll()
    // All rows at once, so that the window is made as high as they are.
    add(tr("Entries"), count)
    add(
      tr("Last entry"),
      garden.lastKey.map { Formats.dateAndTime($0.instant, in: garden.zone) } ?? tr("none yet"))
    if garden.ignoredCount > 0 {
      add(tr("Not understood by this version"), "\(garden.ignoredCount)")
    }
    add(tr("Folder"), session.gardener.store.folder)
    session.attempt(in: window.toaster, keeping: rows) { [weak self] in
      guard let self else { return }
      let count = "\(try await session.gardener.store.count())"
      guard window.isOpen, count != self.count else { return }
      self.count = count
      render()
    }
  }

  private func add(_ title: String, _ value: String) {
    let value = paragraph(value, "numeric", selectable: true)
    gtk_label_set_xalign(value.cast(), 1)
    rows.append(line(spacing: 14, label(title, "second"), value.expand()))
  }
}
