import GtkKit
import Localization

/// The ways to a garden that exists already, for someone who opens the program on a new computer.
final class EarlierGarden {
  private let context: WindowContext
  private let dialog: DialogWindow

  init(_ context: WindowContext) {
    self.context = context
    let list = boxedList().accessibleName(tr("I have a garden already"))
    dialog = DialogWindow(over: context.window, title: tr("I Have a Garden Already"), content: list)
    add(
      to: list, "network-server-symbolic", tr("Sign In…"), tr("It is on a server, and on your other devices."),
      command: "win.sign-in")
    add(
      to: list, "document-open-symbolic", tr("Import a File…"),
      tr("You have exported it, from this program or from another version of Trunk."), command: "win.import")
    add(
      to: list, "document-open-recent-symbolic", tr("Restore a Backup…"),
      tr("It was on this computer. Trunk makes a backup every day."), command: "win.backups")
    dialog.widget.keeps(self)
  }

  func present() { dialog.present() }

  private func add(to list: Widget, _ symbol: String, _ title: String, _ hint: String, command: String) {
    let row = row(title, hint, start: icon(symbol).css("wood"), end: icon("go-next-symbolic")) { [weak self] in
      if let self { dialog.leave(context, for: command) }
    }
    list.append(row.subtitleLines(0))
  }
}
