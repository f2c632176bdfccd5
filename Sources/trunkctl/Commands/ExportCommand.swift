import ArgumentParser
import EventStore
import Localization
import TrunkAccount
import TrunkKit
import TrunkModel
import TrunkPrint

struct ExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: tr("Write the whole garden as one file, or the journal for reading."),
    discussion: tr(
      "Other versions of Trunk can read a JSON file if it contains none of your own names for branches and twigs. The other formats contain the journal, or a part of it. An existing file is replaced only with --force."
    )
      + "\n\n"
      + Examples([
        ("trunkctl export", tr("a file in this folder, named after the time")),
        ("trunkctl export - | xz > garden.json.xz", tr("compressed by another program")),
        ("trunkctl export --for-other-versions", tr("for a version of Trunk that rejects your own names")),
        ("trunkctl export --format html --year 2025", tr("a year of the journal as a web page")),
        ("trunkctl export --format pdf --paper a4", tr("the whole journal as a book to print")),
        ("trunkctl export --format markdown --sprout cello -", tr("everything about one sprout, on the terminal")),
      ]).text)

  @OptionGroup var options: CommonOptions

  @Option(help: ArgumentHelp(tr("The format of the file.")))
  var format = ExportFormat.json

  @Option(help: ArgumentHelp(tr("The size of the pages of a PDF file; a5 by default.")))
  var paper: PaperName?

  @OptionGroup var part: BookOptions

  @Argument(help: ArgumentHelp(tr("The file to write; - for standard output.")))
  var file: String?

  @Flag(help: ArgumentHelp(tr("Leave out the names and notes of branches and twigs, which some versions reject.")))
  var forOtherVersions = false

  @Flag(help: Files.forceHelp)
  var force = false

  func validate() throws {
    if format != .json, forOtherVersions {
      throw ValidationError(tr("--for-other-versions is for JSON files only."))
    }
    if format != .pdf, paper != nil {
      throw ValidationError(tr("--paper is for PDF files only."))
    }
    if format == .json, part.isGiven {
      throw ValidationError(tr("A JSON file contains everything. To choose a part, give another --format."))
    }
  }

  @MainActor
  func run() async throws {
    let model = try await options.openExisting(fullDisk: .opensForReading)
    if let format = format.book { return try await write(format, model) }
    var (contents, leftOut) = (try await model.contents(), 0)
    if forOtherVersions { (contents, leftOut) = contents.forOtherVersions() }
    let count = contents.events.count
    let path = file ?? ExportFile.name(at: model.now, in: model.garden.zone)
    try Files.write(ExportFile.encode(contents, exportedAt: model.now), to: path, replacing: force)
    if path == "-" { return }
    if options.json {
      let leftOut = forOtherVersions ? JSON.number(leftOut) : nil
      return Output.write(.record(("events", .number(count)), ("file", .string(path)), ("leftOut", leftOut)))
    }
    Output.write(trn("Wrote {n} event to “{path}”.", "Wrote {n} events to “{path}”.", count, ["path": path]))
    if leftOut > 0 {
      Output.write(
        trn(
          "{n} change of a name or note on the tree was left out.",
          "{n} changes of names and notes on the tree were left out.", leftOut))
    }
  }

  /// Writes a part of the journal for reading.
  @MainActor
  private func write(_ format: BookFormat, _ model: GardenModel) async throws {
    let book = try await model.book(part.selection(model))
    guard !book.entries.isEmpty else {
      throw Failure(.notFound, tr("No entry matches. Nothing was written."))
    }
    let path = file ?? book.fileName(format)
    try Files.write(book.contents(format, on: (paper ?? .a5).size), to: path, replacing: force)
    if path == "-" { return }
    if options.json { return Output.write(.record(("entries", .number(book.count)), ("file", .string(path)))) }
    Output.write(trn("Wrote {n} entry to “{path}”.", "Wrote {n} entries to “{path}”.", book.count, ["path": path]))
  }
}

struct ImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: tr("Import the events of an export file."),
    discussion: tr(
      "Only new events are added. If the garden has an event with a different text, that text stays and both are shown."
    )
      + "\n\n"
      + Examples([
        ("trunkctl import --dry-run trunk-20261121-080000.json", tr("show what would be imported")),
        ("trunkctl import trunk-20261121-080000.json", tr("import the file")),
      ]).text)

  @OptionGroup var options: CommonOptions

  @Argument(help: ArgumentHelp(tr("An export file; - for standard input.")))
  var file: String

  @Flag(help: ArgumentHelp(tr("Only show what would be imported; nothing changes.")))
  var dryRun = false

  @MainActor
  func run() async throws {
    let text = try Files.readText(file)
    let contents: ExportFile.Contents
    do throws(ExportFile.Problem) {
      contents = try ExportFile.decodeContents(text)
    } catch {
      throw Failure(.file, error.message(path: file))
    }
    let events = contents.events
    let preview: ImportPreview
    if dryRun {
      preview =
        try options.hasGarden
        ? try await options.open().importPreview(events) : ImportPreview(intoEmptyLog: events)
    } else {
      let model = try await options.open()
      let result = try await model.importEvents(events, superseded: contents.superseded)
      preview = ImportPreview(events, result)
    }
    Output.write(
      options.json
        ? [Output.text(ImportCommand.json(preview, dryRun: dryRun))] : ImportCommand.lines(preview, dryRun: dryRun))
  }

  private static func json(_ preview: ImportPreview, dryRun: Bool) -> JSON {
    .record(
      ("new", .number(preview.new)), ("duplicates", .number(preview.duplicates)),
      ("conflicts", .number(preview.conflicts.count)),
      (
        "conflicting",
        .array(
          preview.conflicts.map { conflict in
            // Every event was parsed before, so this doesn't fail.
            .record(("here", try? JSON(conflict.here.raw)), ("file", try? JSON(conflict.other.raw)))
          })
      ),
      ("unknown", .number(preview.unknown)), ("malformed", .number(preview.malformed)), ("dryRun", .bool(dryRun)))
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
          "{n} is unknown to this version. It is kept.",
          "{n} are unknown to this version. They are kept.", preview.unknown))
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
      lines += conflict.words(other: tr("in the file"))
    }
    if !dryRun { lines.append(tr("“trunkctl log --superseded” lists the texts from the file again.")) }
    return lines
  }
}

extension EventConflict {
  /// Both versions, one below the other.
  /// - Parameter other: a label for the other version.
  func words(other name: String) -> [String] {
    Table(rows: [[tr("here"), here.shownText], [name, other.shownText]]).lines()
  }
}

extension Event {
  /// The text that the user wrote; for an event without text, its JSON.
  var shownText: String { journalText.isEmpty ? raw : journalText.joined(separator: " · ") }
}

struct BackupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: tr("Write a backup now and verify it."),
    discussion: tr(
      "Trunk keeps 7 daily, 4 weekly and 12 monthly backups. For each of the 7 days, it also keeps the backup with the most entries."
    )
      + "\n\n"
      + Examples([
        ("trunkctl backup", tr("in the folder of the daily backups")),
        ("trunkctl backup --to /media/stick", tr("in the folder “backups” of another folder")),
      ]).text)

  @OptionGroup var options: CommonOptions

  @Option(
    name: .customLong("to"), help: ArgumentHelp(tr("Write to the folder “backups” in this folder."), valueName: "dir"))
  var folder: String?

  @MainActor
  func run() async throws {
    let model = try await options.openExisting(fullDisk: .opensForReading)
    let result = try await model.backUp(to: folder)
    if options.json {
      return Output.write(.record(("events", .number(result.eventCount)), ("file", .string(result.path))))
    }
    Output.write(
      trn("Wrote {n} event to “{path}”.", "Wrote {n} events to “{path}”.", result.eventCount, ["path": result.path]))
  }
}
