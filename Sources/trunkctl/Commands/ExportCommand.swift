import ArgumentParser
import Localization
import TrunkKit
import TrunkModel
import TrunkPrint

struct ExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: tr("Write the whole garden as one file, or the journal for reading."),
    discussion: tr(
      "Other versions of Trunk can read a JSON file that is written with --for-other-versions. The other formats contain the journal, or a part of it. An existing file is replaced only with --force."
    )
      + "\n\n"
      + Examples([
        ("trunkctl export", tr("a file in this folder, named after the time")),
        ("trunkctl export --to /media/stick", tr("the same in another folder")),
        ("trunkctl export - | xz > garden.json.xz", tr("compressed by another program")),
        ("trunkctl export --for-other-versions", tr("for other versions of Trunk")),
        ("trunkctl export --format html --year 2025", tr("a year of the journal as a web page")),
        ("trunkctl export --format pdf --paper a4", tr("the whole journal as a book to print")),
        ("trunkctl export --format pdf --year 2025 --print-shop", tr("the book of a year, and its cover")),
        ("trunkctl export --format pdf --volumes --to books", tr("a book for each year")),
        ("trunkctl export --format markdown --sprout cello -", tr("everything about one sprout, on the terminal")),
        ("trunkctl export --format ics --force", tr("the upcoming harvests, for a calendar")),
      ]).text)

  @OptionGroup var options: CommonOptions

  @Option(help: ArgumentHelp(tr("The format of the file.")))
  var format = ExportFormat.json

  @Option(help: ArgumentHelp(tr("The size of the pages of a PDF file; a5 by default.")))
  var paper: PaperSize?

  @OptionGroup var part: BookOptions

  @OptionGroup var yearBook: YearBookOptions

  @Argument(help: ArgumentHelp(tr("The file to write; - for standard output.")))
  var file: String?

  @Option(
    help: ArgumentHelp(tr("The same: a file, or a folder for a file with the usual name."), valueName: "file or folder")
  )
  var to: String?

  @Flag(
    help: ArgumentHelp(
      tr(
        "Leave out what some versions reject: names and notes of branches and twigs, and events that aren’t understood."
      )))
  var forOtherVersions = false

  @Flag(help: Files.forceHelp)
  var force = false

  private var given: String? { to ?? file }

  func validate() throws {
    if to != nil, file != nil { throw ValidationError(tr("Name the file once, with or without --to.")) }
    // A variable that isn't set would otherwise mean this folder.
    if given?.isEmpty == true { throw ValidationError(tr("--to must name a file or a folder.")) }
    if format != .json, forOtherVersions {
      throw ValidationError(tr("--for-other-versions is for JSON files only."))
    }
    if format != .pdf, paper != nil {
      throw ValidationError(tr("--paper is for PDF files only."))
    }
    if let option = yearBook.given {
      if format != .pdf, format != .html, format != .markdown || yearBook.volumes {
        throw ValidationError(tr("{option} is for the book of a year.", ["option": option]))
      }
      if format != .pdf, yearBook.volumes || yearBook.printShop || yearBook.booklet {
        throw ValidationError(tr("{option} is for PDF files only.", ["option": option]))
      }
      var entries = part
      entries.earlierPages = false
      if yearBook.volumes ? entries.isGiven : !entries.isWholeYear {
        throw ValidationError(tr("{option} is for the book of a year.", ["option": option]))
      }
      if given == "-", yearBook.volumes || yearBook.printShop {
        throw ValidationError(tr("Several files can’t be written to standard output."))
      }
    }
    if format == .ics, part.isGiven {
      throw ValidationError(tr("An ICS file contains all upcoming harvests, and nothing from the journal."))
    }
    if format == .json, part.isGiven {
      throw ValidationError(tr("A JSON file contains everything. To choose a part, give another --format."))
    }
  }

  @MainActor
  func run() async throws {
    let model = try await options.openExisting(fullDisk: .opensForReading)
    if let format = format.book { return try await write(format, model) }
    if format == .ics { return try writeHarvests(model) }
    var (contents, leftOut) = (try await model.contents(), 0)
    if forOtherVersions { (contents, leftOut) = contents.forOtherVersions() }
    let count = contents.events.count
    let pages = contents.pageCount
    let path = Files.target(given, usual: ExportFile.name(at: model.now, in: model.garden.zone))
    try Files.write(ExportFile.encode(contents, exportedAt: model.now), to: path, replacing: force)
    if path == "-" { return }
    if options.json {
      let leftOut = forOtherVersions ? JSON.number(leftOut) : nil
      return Output.write(
        .record(("events", .number(count)), ("file", .string(path)), ("leftOut", leftOut), ("pages", .number(pages))))
    }
    Output.write(trn("Wrote {n} event to “{path}”.", "Wrote {n} events to “{path}”.", count, ["path": path]))
    if pages > 0 {
      Output.write(trn("It has {n} earlier page too.", "It has {n} earlier pages too.", pages))
    }
    if leftOut > 0 {
      Output.write(
        trn(
          "{n} event that other versions can’t read was left out.",
          "{n} events that other versions can’t read were left out.", leftOut))
    }
  }

  @MainActor
  private func writeHarvests(_ model: GardenModel) throws {
    let count = HarvestCalendar.sprouts(model.garden, at: model.now).count
    let path = Files.target(given, usual: HarvestCalendar.fileName)
    try Files.write(HarvestCalendar.file(model.garden, at: model.now), to: path, replacing: force)
    if path == "-" { return }
    if options.json { return Output.write(.record(("harvests", .number(count)), ("file", .string(path)))) }
    Output.write(trn("Wrote {n} harvest to “{path}”.", "Wrote {n} harvests to “{path}”.", count, ["path": path]))
  }

  /// Writes a part of the journal for reading.
  @MainActor
  private func write(_ format: BookFormat, _ model: GardenModel) async throws {
    var choices = yearBook.choices
    choices.hasPages = part.earlierPages
    let (author, paper) = (model.userName(Settings()), (paper ?? .a5).paper)
    if yearBook.volumes { return try await writeVolumes(model, author, choices, paper) }
    let selection = try await part.selection(model)
    let book = try await model.book(selection, author: author, choices)
    // A search for entries has not looked at pages.
    let pages = part.earlierPages || part.search != nil ? 0 : try await model.pageLines(of: selection).count
    if book.whole == nil, let option = yearBook.given, !book.entries.isEmpty {
      throw Failure(
        .notAllowed,
        tr("{option} is for the book of a year with entries. This year has only earlier pages.", ["option": option]))
    }
    guard !book.entries.isEmpty else {
      throw Failure(
        .notFound,
        pages == 0
          ? tr("No entry matches. Nothing was written.")
          : trn(
            "Nothing was written: there is only {n} earlier page. To export it, add --earlier-pages.",
            "Nothing was written: there are only {n} earlier pages. To export them, add --earlier-pages.", pages))
    }
    let path = Files.target(given, usual: book.fileName(format))
    if format == .pdf {
      try write(BookPages(book, on: paper, for: yearBook.edition), to: path)
    } else {
      try write(book.files(format), to: [path])
    }
    if path == "-" { return }
    if options.json {
      return Output.write(
        .record(("entries", .number(book.count)), ("file", .string(path)), ("pagesLeftOut", .number(pages))))
    }
    Output.write(trn("Wrote {n} entry to “{path}”.", "Wrote {n} entries to “{path}”.", book.count, ["path": path]))
    if pages > 0 {
      Output.write(
        trn(
          "{n} earlier page isn’t in it. To include it, add --earlier-pages.",
          "{n} earlier pages aren’t in it. To include them, add --earlier-pages.", pages))
    }
  }

  /// Writes a PDF file, and another one with the cover for a print shop.
  @MainActor
  private func write(_ pages: BookPages, to path: String) throws {
    let paths = yearBook.edition.paths(path)
    for path in paths.dropFirst() { try Files.check(path, replacing: force) }
    try write(pages.files(leafThickness: yearBook.leafThickness ?? BookCover.leafThickness), to: paths)
  }

  private func write(_ files: [[UInt8]], to paths: [String]) throws {
    for (content, path) in zip(files, paths) { try Files.write(content, to: path, replacing: force) }
  }

  @MainActor
  private func writeVolumes(
    _ model: GardenModel, _ author: String, _ choices: BookChoices, _ paper: Paper
  ) async throws {
    let volumes = try await model.volumes(on: paper, for: yearBook.edition, author: author, choices) { year in
      Output.showProgress("\(year)")
    }
    Output.showProgress("")
    guard !volumes.isEmpty else { throw Failure(.notFound, tr("No entry matches. Nothing was written.")) }
    let folder = given ?? "."
    try Files.makeFolder(folder)
    for pages in volumes {
      let path = folder + "/" + pages.book.fileName(.pdf)
      try write(pages, to: path)
      if options.json {
        Output.write(.record(("entries", .number(pages.book.count)), ("file", .string(path))))
      } else {
        Output.write(
          trn("Wrote {n} page to “{path}”.", "Wrote {n} pages to “{path}”.", pages.count, ["path": path]))
      }
    }
  }
}
