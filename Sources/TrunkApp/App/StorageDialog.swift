import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// Shows where the garden is kept and how many entries it has. Opened from the header bar, the greeting and the menu.
final class StorageDialog {
  private let context: WindowContext
  private let window: DialogWindow
  private let rows = column().css("facts")
  private let backups = button(tr("Backups and Import…"), command: "win.backups")

  init(_ context: WindowContext) {
    self.context = context
    let hint = paragraph(
      tr(
        "Every entry is saved on this computer as soon as you write it, and nowhere else. Trunk makes a verified backup every day."
      ), "second")
    window = DialogWindow(
      over: context.window, title: tr("This Computer Only"),
      content: column(
        spacing: 14, hint, rows,
        wrapping(
          spacing: 8, backups, button(tr("Sync With Other Devices…"), command: "win.account"))))
    window.widget.insertActions(of: context.window)
    window.widget.keeps(self)
    context.follow(window.widget) { [weak self] in self?.render() }
  }

  func present() {
    window.present()
    // GTK would put the caret into the first value.
    backups.focus()
  }

  private func render() {
    let garden = context.model.garden
    rows.removeAll()
    add(tr("Entries"), localized(garden.entryCount))
    add(
      tr("Last entry"),
      garden.lastKey.map { Formats.dateAndTime($0.instant, in: garden.zone) } ?? tr("none yet"))
    if garden.ignoredCount > 0 {
      add(tr("Not understood by this version"), localized(garden.ignoredCount))
    }
    add(tr("Folder"), Folders.displayed(context.model.folder))
  }

  private func add(_ title: String, _ value: String) {
    let value = paragraph(value, "numeric", selectable: true).xalign(1).justify(.right).withoutHyphens()
    rows.append(line(spacing: 14, paragraph(title, "second").wrapMode(.word), value.hexpand()))
  }
}
