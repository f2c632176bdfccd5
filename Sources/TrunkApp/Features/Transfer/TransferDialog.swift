import GtkKit
import Localization
import TrunkKit

/// Everything that takes texts out of the garden or brings them in, one row each.
final class TransferDialog {
  private let window: DialogWindow

  init(_ context: WindowContext) {
    let list = boxedList()
    window = DialogWindow(over: context.window, title: tr("Export, Print and Import"), width: 520, content: list)
    for (title, subtitle, command) in TransferDialog.rows {
      let row = row(title, subtitle, end: icon("go-next-symbolic")) { [window] in
        window.leave(context, for: command)
      }
      list.append(row.titleLines(0).subtitleLines(0))
    }
    window.widget.keeps(self)
  }

  func present() { window.present() }

  private static var rows: [(title: String, subtitle: String, command: String)] {
    [
      (
        tr("Export or Print the Journal…"), tr("What you wrote, to read or to print: as pages, PDF, Markdown or text."),
        "win.export-journal"
      ),
      (
        tr("The Book of a Year…"), tr("Twelve months with their trees, to print, to keep or to give away."),
        "win.book::"
      ),
      (tr("Save the Tree as a Poster…"), tr("Your tree as a picture, as large as you like."), "win.save-poster"),
      (tr("Export the Garden…"), tr("Everything in one file, to keep or to take to another computer."), "win.export"),
      (
        tr("Import…"), tr("A garden, or the journal that you kept with another program."), "win.import"
      ),
      (tr("Backups…"), tr("The copies that Trunk makes every day, and how to go back to one."), "win.backups"),
    ]
  }
}
