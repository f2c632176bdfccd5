import EventStore
import GtkKit
import Localization
import TrunkAccount
import TrunkKit
import TrunkModel

/// Previews what a file would add, then imports it. Restoring a backup and merging another garden use the same dialog;
/// `PageImportDialog` is for the journals of other programs.
final class ImportDialog {
  private let context: WindowContext
  private let contents: ExportFile.Contents
  private let preview: ImportPreview
  /// The number of new earlier pages.
  private let pages: Int
  /// Another garden's file; `nil` for an export file.
  private let merge: MergePreview?
  private let window: DialogWindow
  private weak var parent: (any DialogParent)?

  /// Reads a file or folder and shows what it would bring: a garden, or the journal of another program.
  /// - Parameters:
  ///   - isBackup: whether the file is a backup of Trunk's own.
  ///   - parent: the dialog to open over; `nil` for the window.
  /// - Throws: `TransferError` if it is an export that can't be imported.
  static func present(
    _ context: WindowContext, _ path: String, isBackup: Bool = false, over parent: (any DialogParent)? = nil
  ) async throws {
    let model = context.model
    let file =
      isBackup
      ? .export(try await GardenModel.contents(ofExport: path, isBackup: true)) : try await model.importedFile(at: path)
    switch file {
    case .other: PageImportDialog(context, path, over: parent).present()
    case .garden(let garden):
      let merge = try await model.mergePreview(garden)
      let contents = ExportFile.Contents(
        events: merge.contents.events, superseded: merge.contents.superseded, journals: merge.contents.journals,
        hidden: merge.contents.hidden)
      ImportDialog(context, path, contents, merge.counts, merge.pages, merge, over: parent).window.present()
    case .export(let contents):
      let preview = try await model.importPreview(contents.events)
      let pages = try await model.missingPages(contents.journals)
      ImportDialog(context, path, contents, preview, pages, over: parent).window.present()
    }
  }

  private init(
    _ context: WindowContext, _ path: String, _ contents: ExportFile.Contents, _ preview: ImportPreview, _ pages: Int,
    _ merge: MergePreview? = nil, over parent: (any DialogParent)?
  ) {
    // Reading a large file takes time, in which windows may be closed.
    let parent = parent?.isOpen == true ? parent : nil
    let below = parent?.widget ?? (context.foot.isOnScreen ? context.window : nil)
    self.context = context
    self.parent = parent
    self.contents = contents
    self.preview = preview
    self.pages = pages
    self.merge = merge
    let facts = column().css("facts")
    for (caption, count) in [
      (tr("New"), preview.new), (tr("Already in your garden"), preview.duplicates),
      (tr("In your garden with a different text"), preview.conflicts.count),
      (tr("Not understood by this version"), preview.unknown), (tr("Invalid"), preview.malformed),
      (tr("New drafts"), merge?.drafts ?? 0), (tr("New earlier pages"), pages),
      (tr("Earlier pages that can’t be read"), contents.unreadablePages),
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
        paragraph(ImportDialog.explanation(preview, contents, pages, merge), "hint"),
        ImportDialog.explanation(merge, in: context), ImportDialog.list(preview.conflicts)))
    // The texts of conflicts and the superseded versions in the file are kept too.
    if let title = ImportDialog.action(preview, contents, pages, merge) {
      window.addActionButton(title, "suggested-action") { [weak self] in self?.importEntries() }
    }
    window.widget.keeps(self)
  }

  private func importEntries() {
    guard window.isOpen else { return }
    let (context, foot) = (context, parent?.isOpen == true ? parent?.foot : nil)
    window.close()
    context.attempt(in: foot) { [contents, pages, merge] in
      if let merge {
        let result = try await context.model.merge(merge)
        (foot ?? context.foot).show(ImportDialog.message(result, pages))
        return
      }
      let result = try await context.model.importEvents(
        contents.events, superseded: contents.superseded, journals: contents.journals, hidden: contents.hidden)
      var sentences = ImportDialog.sentences(entries: result.inserted.count, pages: pages)
      if !result.conflicts.isEmpty || !contents.superseded.isEmpty {
        sentences.append(tr("Other texts from the file are kept among the superseded versions."))
      }
      (foot ?? context.foot).show(sentences.joined(separator: " "))
    }
  }

  private static func explanation(
    _ preview: ImportPreview, _ contents: ExportFile.Contents, _ pages: Int, _ merge: MergePreview?
  ) -> String {
    if preview.new + pages == 0, preview.conflicts.isEmpty, contents.superseded.isEmpty {
      return merge?.contents.damage == nil && contents.unreadablePages == 0
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
    _ preview: ImportPreview, _ contents: ExportFile.Contents, _ pages: Int, _ merge: MergePreview?
  ) -> String? {
    if preview.new + pages > 0 { return trn("Import {n}", "Import {n}", preview.new + pages) }
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

  private static func message(_ result: MergedGarden, _ pages: Int) -> String {
    let moved = result.movedTo.map { tr("The file is now “{path}”.", ["path": Folders.displayed($0)]) }
    let imported = sentences(entries: result.counts.new, pages: pages)
    return (imported + [moved ?? tr("The file stays where it is.")]).joined(separator: " ")
  }

  private static func sentences(entries: Int, pages: Int) -> [String] {
    (entries > 0 ? [trn("{n} entry was imported.", "{n} entries were imported.", entries)] : [])
      + (pages > 0 ? [trn("{n} earlier page was imported.", "{n} earlier pages were imported.", pages)] : [])
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
