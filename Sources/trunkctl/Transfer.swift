import ArgumentParser
import Garden
import GardenStore
import Gardening
import Localization

struct Export: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: tr("Write the whole garden as one file."),
    discussion: tr("Other versions of Trunk can read it.") + "\n\n"
      + Examples([
        ("trunkctl export", tr("a file in this folder, named after the time")),
        ("trunkctl export - | xz > garden.json.xz", tr("packed by another program")),
      ]).text)

  @OptionGroup var options: CommonOptions

  @Argument(help: ArgumentHelp(tr("Where to; - for standard output.")))
  var file: String?

  @MainActor
  func run() async throws {
    let gardener = try await options.openExisting()
    let contents = try await gardener.store.contents()
    let count = contents.events.count
    let path = file ?? ExportFile.name(at: gardener.now, in: gardener.garden.zone)
    try Files.write(ExportFile.encode(contents, exportedAt: gardener.now), to: path)
    if path == "-" { return }
    if options.json { return Output.write(.record(("events", .number(count)), ("file", .string(path)))) }
    Output.write(trn("{n} event is in “{path}”.", "{n} events are in “{path}”.", count, ["path": path]))
  }
}

struct Import: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: tr("Take in the events of an export file."),
    discussion: tr(
      "Only new events are added. If an event is here with a different text, that text stays and both are shown.")
      + "\n\n"
      + Examples([
        ("trunkctl import --dry-run trunk-20261121-080000.json", tr("only tell what it would bring")),
        ("trunkctl import trunk-20261121-080000.json", tr("take it in")),
      ]).text)

  @OptionGroup var options: CommonOptions

  @Argument(help: ArgumentHelp(tr("An export file; - for standard input.")))
  var file: String

  @Flag(help: ArgumentHelp(tr("Change nothing.")))
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
        ? try await options.open().store.importPreview(events) : ImportPreview(intoEmptyLog: events)
    } else {
      let gardener = try await options.open()
      let result = try await gardener.importEvents(events, superseded: contents.superseded)
      preview = ImportPreview(events, result)
    }
    Output.write(
      options.json ? [Import.json(preview, dryRun: dryRun).prettyText] : Import.lines(preview, dryRun: dryRun))
  }

  private static func json(_ preview: ImportPreview, dryRun: Bool) -> JSON {
    .record(
      ("new", .number(preview.new)), ("duplicates", .number(preview.duplicates)),
      ("conflicts", .number(preview.conflicts.count)),
      (
        "conflicting",
        .array(
          preview.conflicts.map { conflict in
            // Every event's text was read before, so it parses.
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
      lines.append(trn("{n} was there already.", "{n} were there already.", preview.duplicates))
    }
    lines += conflictLines(preview.conflicts, dryRun: dryRun)
    if preview.unknown > 0 {
      lines.append(
        trn(
          "{n} is of a kind that this version does not know. It is kept.",
          "{n} are of a kind that this version does not know. They are kept.", preview.unknown))
    }
    if preview.malformed > 0 {
      lines.append(
        trn(
          "{n} is not as it should be. It is kept and has no effect.",
          "{n} are not as they should be. They are kept and have no effect.", preview.malformed))
    }
    return lines
  }

  private static func conflictLines(_ conflicts: [EventConflict], dryRun: Bool) -> [String] {
    guard !conflicts.isEmpty else { return [] }
    var lines = [
      trn(
        "{n} is here with a different text. The text in your garden stays:",
        "{n} are here with a different text. The texts in your garden stay:", conflicts.count)
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
  /// - Parameter other: where the other version is.
  func words(other name: String) -> [String] {
    Table(rows: [[tr("here"), here.shownText], [name, other.shownText]]).lines()
  }
}

extension Event {
  /// What the user wrote in it; else the whole text of the event.
  var shownText: String { journalText.isEmpty ? raw : journalText.joined(separator: " · ") }
}

struct Backup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: tr("Write a backup now and read it back."),
    discussion: tr(
      "Of older ones it keeps the newest of 7 days, 4 weeks and 12 months, and of each of these days also the fullest.")
      + "\n\n"
      + Examples([
        ("trunkctl backup", tr("where the daily backups are")),
        ("trunkctl backup --to /media/stick", tr("in the folder “backups” of another folder")),
      ]).text)

  @OptionGroup var options: CommonOptions

  @Option(name: .customLong("to"), help: ArgumentHelp(tr("Another folder."), valueName: "dir"))
  var folder: String?

  @MainActor
  func run() async throws {
    let gardener = try await options.openExisting()
    let result = try await gardener.store.backUp(
      to: folder ?? gardener.store.folder, now: gardener.now, zone: gardener.garden.zone)
    if options.json {
      return Output.write(.record(("events", .number(result.eventCount)), ("file", .string(result.path))))
    }
    Output.write(
      trn("{n} event is in “{path}”.", "{n} events are in “{path}”.", result.eventCount, ["path": result.path]))
  }
}
