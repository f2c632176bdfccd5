import GtkKit
import Localization

/// Asks for a file or a folder to import: the desktop's dialog shows only one of both. What it is, is found by its
/// content.
final class ImportChooser {
  private let context: WindowContext
  private let dialog: DialogWindow
  private let journals: EarlierJournals
  private weak var parent: (any DialogParent)?

  /// - Parameter parent: the dialog to open over; `nil` for the window.
  init(_ context: WindowContext, over parent: (any DialogParent)? = nil) {
    (self.context, self.parent) = (context, parent)
    let list = boxedList()
    journals = EarlierJournals(context)
    dialog = DialogWindow(
      over: parent?.widget ?? context.window, title: tr("Import"), width: 480,
      content: column(
        spacing: 12, list,
        paragraph(
          tr(
            "You can also drop a file or a folder on the window. Before anything changes, Trunk shows what it would bring."
          ), "hint"), journals.widget))
    journals.window = dialog
    list.append(
      choice(
        "text-x-generic-symbolic", tr("A File…"),
        tr("A garden that Trunk has exported, or a journal of Day One, jrnl, Journey, Daylio or another program.")
      ) { [weak self] in self?.choose(.open) },
      choice(
        "folder-symbolic", tr("A Folder…"),
        tr("Notes in Markdown, such as Obsidian’s, or RedNotebook, Logseq or Joplin.")
      ) { [weak self] in self?.choose(.folder) })
    dialog.widget.keeps(self)
    context.follow(dialog.widget) { [weak self] in self?.journals.render() }
  }

  func present() { dialog.present() }

  private func choice(
    _ symbol: String, _ title: String, _ hint: String, action: @escaping @MainActor () -> Void
  ) -> Widget {
    row(title, hint, start: icon(symbol).css("wood"), end: icon("go-next-symbolic"), action: action).subtitleLines(0)
  }

  private func choose(_ choice: FileChoice) {
    context.attempt(in: dialog.foot, keeping: dialog.widget) { [context, dialog, weak parent] in
      let path = await chooseFile(choice, over: dialog.widget, title: tr("Import"), accept: tr("Preview"))
      guard let path, dialog.isOpen else { return }
      try await ImportDialog.present(context, path, over: parent)
      dialog.close()
    }
  }
}
