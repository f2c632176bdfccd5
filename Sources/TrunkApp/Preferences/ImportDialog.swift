import Garden
import GardenStore
import Gardening
import GtkKit
import Localization

/// What a file would bring, told before anything changes; then takes it in. Restoring a backup is the same.
final class ImportDialog {
  private let session: Session
  private let contents: ExportFile.Contents
  private let preview: ImportPreview
  private let window: DialogWindow
  private weak var parent: DialogWindow?

  /// Asks for a file, looks at it, and shows the dialog.
  /// - Parameter parent: the dialog that asks; without one, the window does.
  static func choose(_ session: Session, over parent: DialogWindow? = nil) {
    session.attempt(in: parent?.toaster) {
      let path = await chooseFile(
        .open(kind: tr("Gardens of Trunk"), pattern: "*.json"), over: parent?.widget ?? session.window,
        title: tr("Import"), accept: tr("Look at It"))
      if let path { try await read(session, path, over: parent).present() }
    }
  }

  /// Looks at a file.
  /// - Throws: `TransferError` if it is none that can be imported.
  static func read(_ session: Session, _ path: String, over parent: DialogWindow? = nil) async throws -> ImportDialog {
    let contents = try await Gardener.contents(ofExport: path)
    let preview = try await session.gardener.store.importPreview(contents.events)
    return ImportDialog(session, path, contents, preview, over: parent)
  }

  private init(
    _ session: Session, _ path: String, _ contents: ExportFile.Contents, _ preview: ImportPreview,
    over parent: DialogWindow?
  ) {
    // Looking at a large file takes a while, in which windows may be closed.
    let parent = parent?.isOpen == true ? parent : nil
    let below = parent?.widget ?? (session.toaster.isOnScreen ? session.window : nil)
    self.session = session
    self.parent = parent
    self.contents = contents
    self.preview = preview
    let facts = column().css("facts")
    for (caption, count) in [
      (tr("New"), preview.new), (tr("Here already"), preview.duplicates),
      (tr("Here with a different text"), preview.conflicts.count),
      (tr("Of a kind this version does not know"), preview.unknown), (tr("Not as they should be"), preview.malformed),
    ] where count > 0 || caption == tr("New") {
      let fact = Fact(caption)
      fact.show("\(count)")
      facts.append(fact.widget)
    }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    window = DialogWindow(
      over: below, title: tr("Import"), closeTitle: tr("Cancel"), width: 480,
      content: column(
        spacing: 16, paragraph(name, "semibold").tooltip(path), facts,
        paragraph(ImportDialog.explanation(preview), "hint"), ImportDialog.list(preview.conflicts)))
    if preview.new > 0 {
      window.addDeed(trn("Import {n}", "Import {n}", preview.new), "suggested-action") { [weak self] in
        self?.takeIn()
      }
    }
    window.widget.keeps(self)
  }

  func present() { window.present() }

  private func takeIn() {
    guard window.isOpen else { return }
    let (session, toaster) = (session, parent?.isOpen == true ? parent?.toaster : nil)
    window.close()
    session.attempt(in: toaster) { [contents] in
      let result = try await session.gardener.importEvents(contents.events, superseded: contents.superseded)
      (toaster ?? session.toaster).show(
        trn("{n} entry was imported.", "{n} entries were imported.", result.inserted.count))
    }
  }

  private static func explanation(_ preview: ImportPreview) -> String {
    if preview.new == 0, preview.conflicts.isEmpty {
      return tr("Your garden has all of this already: there is nothing to import.")
    }
    var sentences = [tr("Nothing of what you have is replaced or lost.")]
    if !preview.conflicts.isEmpty {
      sentences.append(tr("Where the file has a different text for an entry, yours stays."))
    }
    if preview.unknown + preview.malformed > 0 {
      sentences.append(tr("What this version does not understand is kept as it is, and has no effect."))
    }
    return sentences.joined(separator: " ")
  }
}

extension ImportDialog {
  /// How many conflicts are shown with their texts: more than these belong into `trunkctl import --dry-run`.
  private static let shownConflicts = 50

  /// Both texts of each conflict.
  private static func list(_ conflicts: [EventConflict]) -> Widget {
    let list = column(spacing: 10)
    for conflict in conflicts.prefix(shownConflicts) {
      list.append(
        column(
          spacing: 2, paragraph(tr("Here: {text}", ["text": words(conflict.here)]), selectable: true),
          paragraph(tr("In the file: {text}", ["text": words(conflict.other)]), "second", selectable: true)))
    }
    let others = conflicts.count - shownConflicts
    if others > 0 { list.append(paragraph(trn("{n} more", "{n} more", others), "hint")) }
    list.visible(!conflicts.isEmpty)
    return list
  }

  private static func words(_ event: Event) -> String {
    event.journalText.isEmpty ? event.raw : event.journalText.joined(separator: " · ")
  }
}

/// Writes the whole garden where the user wants it.
enum ExportDialog {
  /// - Parameter parent: the dialog that asks; without one, the window does.
  static func choose(_ session: Session, over parent: DialogWindow? = nil) {
    let toaster = parent?.toaster ?? session.toaster
    session.attempt(in: toaster) {
      let path = await chooseFile(
        .save(name: session.gardener.exportName), over: parent?.widget ?? session.window, title: tr("Export"),
        accept: tr("Export"))
      guard let path else { return }
      let count = try await session.gardener.export(to: path)
      toaster.show(trn("{n} entry was exported.", "{n} entries were exported.", count))
    }
  }

  /// The versions of entries that another version replaced, as a file of their own.
  static func chooseSuperseded(_ session: Session, over parent: DialogWindow?) {
    let toaster = parent?.toaster ?? session.toaster
    session.attempt(in: toaster) {
      let path = await chooseFile(
        .save(name: "superseded-" + session.gardener.exportName), over: parent?.widget ?? session.window,
        title: tr("Save Superseded Versions"), accept: tr("Save"))
      guard let path else { return }
      let count = try await session.gardener.exportSuperseded(to: path)
      toaster.show(trn("{n} version was saved.", "{n} versions were saved.", count))
    }
  }
}
