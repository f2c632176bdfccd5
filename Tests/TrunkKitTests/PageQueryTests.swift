import EventStore
import Foundation
import TestSupport
import Testing
import TrunkModel

@testable import TrunkKit

/// Earlier pages beside the garden.
@MainActor
@Suite struct PageQueryTests {
  private func page(_ date: String, _ text: String, title: String = "", place: String = "") throws -> EarlierPage {
    EarlierPage(
      date: try #require(PageDate(date)), title: title, text: text, place: place, sourceID: "dayone:\(date)")
  }

  private func journal(_ pages: [EarlierPage]) -> EarlierJournal {
    EarlierJournal(format: "dayone", name: "Journal", importedAt: Instant(milliseconds: 0), pages: pages)
  }

  /// A garden in Berlin on 18 November 2026 with a watered sprout and four pages.
  private func garden() async throws -> GardenFixture {
    let fixture = try await GardenFixture()
    let cello = try await fixture.plant("Cello")
    try await fixture.model.water(cello, text: "Along the river", question: nil)
    let pages = try [
      page("2014-11-18T21:30:00+01:00", "An evening by the river", title: "Tram 28", place: "Lisbon"),
      page("2014-11-17T23:30:00Z", "Late"), page("2016-03-01", "Only a day"), page("2026-11-18T23:00", "Tonight"),
    ]
    #expect(try await fixture.model.importPages(journal(pages))?.new.count == 4)
    return fixture
  }

  @Test func pagesAppearOnTheDayOfTheirWriter() async throws {
    let model = try await garden().model
    let lines = try await model.pageLines()
    #expect(lines.map(\.stamp) == ["2026-11-18T23:00", "2016-03-01", "2014-11-18T21:30", "2014-11-18T00:30"])
    let day = try #require(Day(year: 2014, month: 11, day: 18))
    #expect(try await model.pageLines(in: day...day) == Array(lines.suffix(2)))
    #expect(try await model.pagesOnThisDay().map(\.years) == [12])
    #expect(try await model.pagesOnThisDay().first?.pages == Array(lines.suffix(2)))
    let page = try #require(try await model.pages(ids: [lines[2].id]).first)
    #expect(page.about == "Earlier page · Day One · Lisbon")
    let photo = EarlierPage(date: page.page.date, pictures: 2, sourceID: "x")
    #expect(photo.about(from: "Day One") == "Earlier page · Day One · 2 pictures not imported")
    #expect(Formats.dateAndTime(lines[2]) == "18 November 2014, 21:30")
    #expect(Formats.dateAndTime(lines[1]) == "1 March 2016")
  }

  @Test func linesOfTheGardenAndPagesAreInOrder() async throws {
    let model = try await garden().model
    let (items, pages) = (model.garden.timeline(), try await model.pageLines())
    let merged = JournalLine.merged(items, pages)
    #expect(merged.map(\.id.description) == ["page-4", "3", "2", "page-3", "page-1", "page-2"])
    #expect(merged.map { JournalLine.ID($0.id.description) } == merged.map(\.id))
    for text in ["", "page-", "x", "page-0", "-1"] { #expect(JournalLine.ID(text) == nil, "\(text)") }
  }

  @Test func aYearCountsPagesApartFromEntries() async throws {
    let model = try await garden().model
    let lines = JournalLine.merged(model.garden.timeline(), try await model.pageLines())
    let (old, now) = (JournalYear(2014, of: lines), JournalYear(2026, of: lines))
    let (day, today) = (
      try #require(Day(year: 2014, month: 11, day: 18)), try #require(Day(year: 2026, month: 11, day: 18))
    )
    #expect(old.count(on: day) == 0 && old.pages(on: day) == 2 && old.pages(on: today) == nil)
    #expect(now.count(on: today) == 1 && now.pages(on: today) == 1)
    #expect(now.pageWeeks(ofMonth: 11) == [0, 0, 1, 0, 0])
    #expect(now.years == [2014, 2016, 2026])
  }

  @Test func readsTheTextsOfLinesInTheirOrder() async throws {
    let fixture = try await garden()
    let model = fixture.model
    let lines = JournalLine.merged(model.garden.timeline(), try await model.pageLines())
    #expect(try await model.texts(of: lines).map(\.line) == lines)
    #expect(lines.map(\.route) == [.page(4), .entry(3), nil, .page(3), .page(1), .page(2)])
    try await model.removePage(3)
    let texts = try await model.texts(of: lines)
    #expect(texts.map(\.line) == lines.filter { $0.id != .page(3) })
    guard case .page(_, let stored)? = texts.first else { return #expect(Bool(false), "a page comes first") }
    #expect(stored.page.text == "Tonight")
    #expect(try await fixture.anotherModel().countPages() == 3)
  }

  @Test func whatToImportIsFoundByItsContent() async throws {
    let fixture = try await garden()
    let other = try await GardenFixture()
    func kind(_ name: String, _ text: String?) async throws -> String {
      let path = fixture.folder + "/" + name
      if let text { try text.write(toFile: path, atomically: false, encoding: .utf8) }
      return switch try await fixture.model.importedFile(at: path) {
      case .export(let contents): "export of \(contents.events.count)"
      case .garden: "garden"
      case .other: "other"
      }
    }
    try await fixture.model.export(to: fixture.folder + "/export.txt")
    #expect(try await kind("export.txt", nil) == "export of 3")
    #expect(try await kind("notes.json", "[2020-01-02 10:00] Snow") == "other")
    #expect(try await kind("dayone.json", "{\"metadata\":{},\"entries\":[]}") == "other")
    #expect(try await kind("diarium.json", "[{\"date\":\"2020-01-02\"}]") == "other")
    try FileManager.default.createDirectory(atPath: fixture.folder + "/notes", withIntermediateDirectories: false)
    #expect(try await kind("notes", nil) == "other")
    try FileManager.default.copyItem(atPath: other.model.folder + "/garden.db", toPath: fixture.folder + "/copy.db")
    #expect(try await kind("copy.db", nil) == "garden")
    #expect(other.model.garden.eventCount == 0)
    for (name, text) in [("cut.json", "{\"events\":["), ("new.json", "{\"version\":99,\"events\":[]}")] {
      await #expect(throws: TransferError.self, "\(name)") { try await kind(name, text) }
    }
    await #expect(throws: TransferError.unreadable(path: fixture.folder + "/gone", code: ENOENT)) {
      try await kind("gone", nil)
    }
  }

  @Test func pagesDoNotChangeTheGarden() async throws {
    let fixture = try await garden()
    let (garden, events) = (fixture.model.garden, try await fixture.events())
    let other = try await fixture.anotherModel()
    #expect(events.count == 3 && fixture.model.pageRevision == 1)
    #expect(other.garden.capacity == garden.capacity && other.garden.streak(at: other.now).current == 1)
    let source = try #require(try await other.pageSources().first?.source)
    let (count, backup) = try await other.removePages(of: source)
    #expect(count == 4)
    #expect(try await GardenModel.contents(ofExport: backup, isBackup: true).pageCount == 4)
    try await fixture.model.refresh()
    #expect(fixture.model.pageRevision == 2)
    #expect(try await fixture.anotherModel().pageRevision == 2)
    #expect(try await fixture.model.pageLines() == [])
    #expect(fixture.model.garden.eventCount == garden.eventCount)
  }

  @Test(arguments: [
    ("river", 1, 1), ("river in:earlier", 0, 1), ("in:earlier", 0, 4), ("in:earlier from:2016", 0, 2),
    ("lisbon", 0, 1), ("river kind:water", 1, 0), ("river on:2014-11-18", 0, 1), ("on:2014-11-18", 0, 2),
    ("-river in:earlier", 0, 3),
    ("", 0, 0), ("kind:water", 1, 0),
  ])
  func searchFindsPages(query: String, entries: Int, pages: Int) async throws {
    let model = try await garden().model
    let results = try await model.makeSearch().results(for: query, in: model.garden, at: model.now) { _ in 10 }
    #expect(results.counts[.entries] ?? 0 == entries && results.counts[.pages] ?? 0 == pages)
    #expect(results.hits[.pages]?.count ?? 0 == pages)
    guard query == "lisbon", let hit = results.hits[.pages]?.first else { return }
    #expect(hit.title == "Earlier page · Day One · Lisbon")
  }

  @Test func aWrongPlaceToSearchIsNamed() async throws {
    let model = try await garden().model
    let results = try await model.makeSearch().results(for: "in:later", in: model.garden, at: model.now) { _ in 10 }
    #expect(results.query.problems.count == 1 && results.count == 0)
  }

  @Test func aBookHasPagesOnlyIfAsked() async throws {
    let model = try await garden().model
    var selection = BookSelection()
    #expect(try await !model.book(selection).markdown.contains("Tram 28"))
    selection.includesPages = true
    let book = try await model.book(selection)
    #expect(book.parts.map(\.title) == ["2014", "2016", "2026"] && book.count == 5)
    #expect(book.dates == "18 November 2014 – 18 November 2026")
    #expect(
      book.entries[1].about == "Earlier page · Day One · Lisbon" && book.entries[1].text.hasPrefix("Tram 28\n\nAn"))
    #expect(book.html.contains("datetime=\"2014-11-18T21:30\""))
    selection.years = 2016...2016
    #expect(try await model.book(selection).entries.map(\.text) == ["Only a day"])
    #expect(
      try await model.bookYears()
        == [(2026, true, true), (2016, false, true), (2014, false, true)].map {
          BookYear(year: $0, hasEntries: $1, hasPages: $2)
        })
    selection.years = nil
    selection.foundPages = try await model.findPages("lisbon")
    #expect(try await model.book(selection).count == 2)
  }

  @Test func theBookOfAYearHasItsPagesAmongTheEntries() async throws {
    let model = try await garden().model
    var selection = BookSelection(years: 2026...2026)
    #expect(try await model.book(selection).entries.map(\.text) == ["Along the river"])
    selection.includesPages = true
    let book = try await model.book(selection)
    #expect(book.whole != nil && book.entries.map(\.text) == ["Along the river", "Tonight"])
    #expect(book.entries.last?.about == "Earlier page · Day One")
    // A year before the tree has a plain book, unless it is one of several years.
    selection.years = 2014...2014
    let plain = try await model.book(selection)
    #expect(plain.whole == nil && plain.count == 2)
    selection.years = 2014...2026
    let months = try await model.book(selection).parts[0].sections
    #expect(months.count == 145 && months[0].title == "November 2014" && months[0].entries.count == 2)
  }

  @Test func anExportBringsPagesBackAndOtherVersionsGetNone() async throws {
    let fixture = try await garden()
    let contents = try await fixture.model.contents()
    #expect(contents.pageCount == 4 && contents.forOtherVersions().contents.journals.isEmpty)
    let other = try await GardenFixture()
    _ = try await other.model.importEvents(contents.events, journals: contents.journals)
    #expect(try await other.model.contents().journals == contents.journals)
    // The members that other clients require are there, and theirs is the only one in addition.
    let members = try #require(try JSON(ExportFile.encode(contents, exportedAt: fixture.model.now)).members)
    #expect(
      members.map(\.name.decoded) == ["circles", "earlierJournals", "events", "exportedAt", "settings", "version"])
  }

  @Test func aPreviewSaysWhatWillCome() async throws {
    let fixture = try await garden()
    let file = fixture.folder + "/notes.txt"
    try "[2020-01-02 10:00] Snow\nOn the roof.\n\n[2021-03-04 10:00] Rain\n".write(
      toFile: file, atomically: false, encoding: .utf8)
    let preview = try await GardenModel.pagePreview(of: file, for: fixture.model.folder, now: fixture.model.now)
    #expect(preview.journal.name == "notes" && preview.journal.format == "jrnl")
    #expect(preview.plan.new.count == 2 && preview.examples.map(\.title) == ["Snow", "Rain"])
    #expect(preview.days?.lowerBound == Day(year: 2020, month: 1, day: 2))
    #expect(try await fixture.model.importPages(preview.journal)?.new.count == 2)
    let again = try await GardenModel.pagePreview(of: file, for: fixture.model.folder, now: fixture.model.now)
    #expect(again.plan.isEmpty && again.plan.known == 2)
    for (path, name) in [("/a/b.zip/", "b"), ("c.tar.gz", "c.tar"), (".hidden", ".hidden"), ("d", "d")] {
      #expect(GardenModel.sourceName(path) == name)
    }
  }
}
