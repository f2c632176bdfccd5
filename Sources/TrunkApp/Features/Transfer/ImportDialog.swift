import EventStore
import GtkKit
import Localization
import TrunkAccount
import TrunkKit
import TrunkModel

/// Previews what a file would add, then imports it. Restoring a backup and merging another garden use the same dialog.
final class ImportDialog {
  private let context: WindowContext
  private let contents: ExportFile.Contents
  private let preview: ImportPreview
  /// Another garden's file; `nil` for an export file.
  private let merge: MergePreview?
  private let window: DialogWindow
  private weak var parent: (any DialogParent)?

  /// Asks for a file, reads it, and shows the dialog.
  /// - Parameter parent: the dialog to open over; `nil` for the window.
  static func choose(_ context: WindowContext, over parent: (any DialogParent)? = nil) {
    context.attempt(in: parent?.foot) {
      let path = await chooseFile(
        .open(kind: tr("Trunk gardens"), pattern: "*.json"), over: parent?.widget ?? context.window,
        title: tr("Import"), accept: tr("Preview"))
      if let path { try await read(context, path, over: parent).present() }
    }
  }

  /// Reads a file and shows the dialog.
  /// - Parameter isBackup: whether the file is a backup of Trunk's own.
  /// - Throws: `TransferError` if the file can't be imported.
  static func read(
    _ context: WindowContext, _ path: String, isBackup: Bool = false, over parent: (any DialogParent)? = nil
  ) async throws -> ImportDialog {
    if let garden = try context.model.otherGarden(at: path) {
      let merge = try await context.model.mergePreview(garden)
      let contents = ExportFile.Contents(events: merge.contents.events, superseded: merge.contents.superseded)
      return ImportDialog(context, path, contents, merge.counts, merge, over: parent)
    }
    let contents = try await GardenModel.contents(ofExport: path, isBackup: isBackup)
    let preview = try await context.model.importPreview(contents.events)
    return ImportDialog(context, path, contents, preview, over: parent)
  }

  private init(
    _ context: WindowContext, _ path: String, _ contents: ExportFile.Contents, _ preview: ImportPreview,
    _ merge: MergePreview? = nil, over parent: (any DialogParent)?
  ) {
    // Reading a large file takes time, in which windows may be closed.
    let parent = parent?.isOpen == true ? parent : nil
    let below = parent?.widget ?? (context.foot.isOnScreen ? context.window : nil)
    self.context = context
    self.parent = parent
    self.contents = contents
    self.preview = preview
    self.merge = merge
    let facts = column().css("facts")
    for (caption, count) in [
      (tr("New"), preview.new), (tr("Already in your garden"), preview.duplicates),
      (tr("In your garden with a different text"), preview.conflicts.count),
      (tr("Not understood by this version"), preview.unknown), (tr("Invalid"), preview.malformed),
      (tr("New drafts"), merge?.drafts ?? 0),
    ] where count > 0 || caption == tr("New") {
      let fact = FactRow(caption)
      fact.show(localized(count))
      facts.append(fact.widget)
    }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let damage = merge?.damageMessage ?? ""
    window = DialogWindow(
      over: below, title: tr("Import"), closeTitle: tr("Cancel"), width: 480,
      content: column(
        spacing: 16, paragraph(name, "semibold").tooltip(path), paragraph(damage).visible(!damage.isEmpty), facts,
        paragraph(ImportDialog.explanation(preview, contents, merge), "hint"),
        ImportDialog.explanation(merge, in: context), ImportDialog.list(preview.conflicts)))
    // The texts of conflicts and the superseded versions in the file are kept too.
    if let title = ImportDialog.action(preview, contents, merge) {
      window.addActionButton(title, "suggested-action") { [weak self] in self?.importEntries() }
    }
    window.widget.keeps(self)
  }

  func present() { window.present() }

  private func importEntries() {
    guard window.isOpen else { return }
    let (context, foot) = (context, parent?.isOpen == true ? parent?.foot : nil)
    window.close()
    context.attempt(in: foot) { [contents, merge] in
      if let merge {
        let result = try await context.model.merge(merge)
        (foot ?? context.foot).show(ImportDialog.message(result))
        return
      }
      let result = try await context.model.importEvents(contents.events, superseded: contents.superseded)
      var sentences: [String] = []
      if !result.inserted.isEmpty {
        sentences.append(trn("{n} entry was imported.", "{n} entries were imported.", result.inserted.count))
      }
      if !result.conflicts.isEmpty || !contents.superseded.isEmpty {
        sentences.append(tr("Other texts from the file are kept among the superseded versions."))
      }
      (foot ?? context.foot).show(sentences.joined(separator: " "))
    }
  }

  private static func explanation(
    _ preview: ImportPreview, _ contents: ExportFile.Contents, _ merge: MergePreview?
  ) -> String {
    if preview.new == 0, preview.conflicts.isEmpty, contents.superseded.isEmpty {
      return merge?.contents.damage == nil
        ? tr("Your garden already has everything in this file.")
        : tr("Your garden already has everything that can be read in this file.")
    }
    var sentences = [tr("Nothing in your garden is replaced or lost.")]
    if !preview.conflicts.isEmpty {
      sentences.append(tr("If the file has a different text for an entry, your text stays."))
    }
    if preview.unknown + preview.malformed > 0 {
      sentences.append(tr("Events that this version doesn’t understand are kept unchanged and have no effect."))
    }
    return sentences.joined(separator: " ")
  }
}

extension ImportDialog {
  /// The title of the button; `nil` if there is nothing to do.
  private static func action(
    _ preview: ImportPreview, _ contents: ExportFile.Contents, _ merge: MergePreview?
  ) -> String? {
    if preview.new > 0 { return trn("Import {n}", "Import {n}", preview.new) }
    if let merge, merge.drafts > 0 { return tr("Import Drafts") }
    if !preview.conflicts.isEmpty || !contents.superseded.isEmpty { return tr("Import Other Texts") }
    return merge.flatMap { $0.contents.damage == nil ? tr("Move File Aside") : nil }
  }

  /// Says what the other garden is, and lists its new entries.
  private static func explanation(_ merge: MergePreview?, in context: WindowContext) -> Widget {
    let list = column(spacing: 10).visible(merge != nil)
    guard let merge else { return list }
    let garden = context.model.garden
    for event in merge.counts.newEvents.prefix(shownConflicts) {
      let time = garden.time(of: event).map(Formats.dateAndTime) ?? ""
      list.append(
        column(
          spacing: 2, paragraph(event.summary(in: garden), selectable: true),
          paragraph(dotted([time, event.journalText.first ?? ""]), "second")))
    }
    let others = merge.counts.newEvents.count - shownConflicts
    if others > 0 { list.append(paragraph(trn("{n} more", "{n} more", others), "hint")) }
    if merge.isBesideGarden, merge.contents.damage == nil {
      list.append(
        paragraph(
          tr(
            "This file is next to your garden’s file. It is probably the garden of another computer, kept by a service that syncs the folder. Afterwards it moves into the folder “merged”."
          ), "hint"))
    }
    return list
  }

  private static func message(_ result: MergedGarden) -> String {
    let moved = result.movedTo.map { tr("The file is now “{path}”.", ["path": Folders.displayed($0)]) }
    let count = result.counts.new
    let imported = count > 0 ? trn("{n} entry was imported.", "{n} entries were imported.", count) : nil
    return [imported, moved ?? tr("The file stays where it is.")].compactMap(\.self).joined(separator: " ")
  }

  /// The number of conflicts shown with their texts. `trunkctl import --dry-run` shows all of them.
  private static let shownConflicts = 50

  private static func list(_ conflicts: [EventConflict]) -> Widget {
    let list = column(spacing: 10)
    for conflict in conflicts.prefix(shownConflicts) {
      list.append(
        column(
          spacing: 2, paragraph(tr("In your garden: {text}", ["text": text(conflict.here)]), selectable: true),
          paragraph(tr("In the file: {text}", ["text": text(conflict.other)]), "second", selectable: true)))
    }
    let others = conflicts.count - shownConflicts
    if others > 0 { list.append(paragraph(trn("{n} more", "{n} more", others), "hint")) }
    list.visible(!conflicts.isEmpty)
    return list
  }

  private static func text(_ event: Event) -> String {
    event.journalText.isEmpty ? event.raw : dotted(event.journalText)
  }
}
