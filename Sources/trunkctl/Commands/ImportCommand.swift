import ArgumentParser
import EventStore
import Localization
import TrunkAccount
import TrunkKit
import TrunkModel

struct ImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: tr("Import the events of an export file or of another garden."),
    discussion: tr(
      "Only new events are added. If the garden has an event with a different text, that text stays and both are shown."
    )
      + "\n\n"
      + tr(
        "The file of another garden, such as the “conflicted copy” that a synced folder keeps, is merged in the same way, with its drafts. If it is in this garden’s folder, it then moves into the folder “merged”."
      )
      + "\n\n"
      + Examples([
        ("trunkctl import --dry-run trunk-20261121-080000.trunk.json", tr("show what would be imported")),
        ("trunkctl import trunk-20261121-080000.trunk.json", tr("import the file")),
      ]).text)

  @OptionGroup var options: WriteOptions

  @Argument(help: ArgumentHelp(tr("An export file, or the file of another garden; - for standard input.")))
  var file: String

  @Flag(help: ArgumentHelp(tr("Only show what would be imported; nothing changes.")))
  var dryRun = false

  @MainActor
  func run() async throws {
    if let garden = OtherGarden(named: file) { return try await merge(garden) }
    let text = try Files.readText(file)
    let contents: ExportFile.Contents
    do throws(ExportFile.Problem) {
      contents = try ExportFile.decodeImport(text)
    } catch {
      throw Failure(.file, error.message(path: file))
    }
    let events = contents.events
    if dryRun {
      let preview =
        try options.common.hasGarden
        ? try await options.open().importPreview(events) : ImportPreview(intoEmptyLog: events)
      let pages =
        try options.common.hasGarden
        ? try await options.open().missingPages(contents.journals) : contents.pageCount
      let json = ImportCommand.json(preview, dryRun: true, pages: pages, unreadablePages: contents.unreadablePages)
      let lines =
        ImportCommand.lines(preview, dryRun: true)
        + ImportCommand.lines(pages: pages, unreadable: contents.unreadablePages)
      return Output.write(options.json ? [Output.text(json)] : lines)
    }
    let model = try await options.open()
    let before = try await model.countPages()
    let preview = ImportPreview(
      events,
      try await model.importEvents(
        events, superseded: contents.superseded, journals: contents.journals, hidden: contents.hidden))
    let pages = try await model.countPages() - before
    await options.finish(
      model,
      ImportCommand.json(preview, dryRun: false, pages: pages, unreadablePages: contents.unreadablePages),
      ImportCommand.lines(preview, dryRun: false)
        + ImportCommand.lines(pages: pages, unreadable: contents.unreadablePages))
  }

  @MainActor
  private func merge(_ garden: OtherGarden) async throws {
    let model = try await options.open()
    let preview = try await model.mergePreview(garden)
    let result = dryRun ? nil : try await model.merge(preview)
    if preview.contents.isEmpty, let problem = preview.damageMessage { throw Failure(.file, problem) }
    let counts = result?.counts ?? preview.counts
    let json = ImportCommand.json(
      counts, dryRun: dryRun, pages: preview.pages, merge: preview, movedTo: result?.movedTo)
    var lines = [preview.damageMessage].compactMap(\.self) + ImportCommand.lines(counts, dryRun: dryRun)
    if dryRun { lines += ImportCommand.table(preview.counts.newEvents, in: model.garden) }
    if preview.drafts > 0 { lines.append(trn("{n} draft is new.", "{n} drafts are new.", preview.drafts)) }
    lines += ImportCommand.lines(pages: preview.pages)
    if let path = result?.movedTo { lines.append(tr("The file is now “{path}”.", ["path": path])) }
    if dryRun { return Output.write(options.json ? [Output.text(json)] : lines) }
    await options.finish(model, json, lines)
  }

  /// The number of new entries that are listed.
  private static let listed = 50

  private static func table(_ events: [Event], in garden: Garden) -> [String] {
    let rows = events.prefix(listed).map { event in
      [
        garden.time(of: event).map(Formats.dateAndTime) ?? "", event.summary(in: garden),
        event.journalText.first ?? "",
      ]
    }
    let rest = events.count - rows.count
    return Table(rows: rows, endsInExcerpt: true).lines()
      + (rest > 0 ? [trn("… and {n} more", "… and {n} more", rest)] : [])
  }

  private static func json(
    _ preview: ImportPreview, dryRun: Bool, pages: Int, unreadablePages: Int = 0, merge: MergePreview? = nil,
    movedTo: String? = nil
  ) -> JSON {
    .record(
      ("new", .number(preview.new)), ("duplicates", .number(preview.duplicates)),
      ("conflicts", .number(preview.conflicts.count)),
      (
        "conflicting",
        .array(
          preview.conflicts.map { conflict in .record(("here", conflict.here.json), ("file", conflict.other.json)) })
      ),
      ("unknown", .number(preview.unknown)), ("malformed", .number(preview.malformed)), ("dryRun", .bool(dryRun)),
      ("pages", .number(pages)), ("unreadablePages", unreadablePages > 0 ? .number(unreadablePages) : nil),
      ("drafts", (merge?.drafts).map { .number($0) }),
      (
        "damage",
        (merge?.contents.damage).map { damage in
          .record(
            ("read", (merge?.contents.events.count).map { .number($0) }), ("unreadable", .number(damage.unreadable)))
        }
      ), ("movedTo", movedTo.map { .string($0) }))
  }

  private static func lines(pages count: Int, unreadable: Int = 0) -> [String] {
    (count > 0 ? [trn("{n} earlier page is new.", "{n} earlier pages are new.", count)] : [])
      + (unreadable > 0
        ? [
          trn(
            "{n} earlier page can’t be read and is left out.", "{n} earlier pages can’t be read and are left out.",
            unreadable)
        ] : [])
  }

  private static func lines(_ preview: ImportPreview, dryRun: Bool) -> [String] {
    var lines = [
      dryRun
        ? trn("{n} event would be new.", "{n} events would be new.", preview.new)
        : trn("{n} event is new.", "{n} events are new.", preview.new)
    ]
    if preview.duplicates > 0 {
      lines.append(trn("{n} was already in the garden.", "{n} were already in the garden.", preview.duplicates))
    }
    lines += conflictLines(preview.conflicts, dryRun: dryRun)
    if preview.unknown > 0 {
      lines.append(
        trn(
          "{n} is not understood by this version. It is kept.",
          "{n} are not understood by this version. They are kept.", preview.unknown))
    }
    if preview.malformed > 0 {
      lines.append(
        trn(
          "{n} is invalid. It is kept and has no effect.",
          "{n} are invalid. They are kept and have no effect.", preview.malformed))
    }
    return lines
  }

  private static func conflictLines(_ conflicts: [EventConflict], dryRun: Bool) -> [String] {
    guard !conflicts.isEmpty else { return [] }
    var lines = [
      trn(
        "{n} is in the garden with a different text. The text in the garden stays:",
        "{n} are in the garden with different texts. The texts in the garden stay:", conflicts.count)
    ]
    for conflict in conflicts {
      lines += conflict.lines(other: tr("in the file"))
    }
    if !dryRun { lines.append(tr("“trunkctl log --superseded” lists the texts from the file again.")) }
    return lines
  }
}
