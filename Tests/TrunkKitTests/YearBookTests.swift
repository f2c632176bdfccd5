import TemporaryFolders
import TestSupport
import Testing
import TrunkDemo
import TrunkModel

@testable import TrunkKit

@MainActor
@Suite struct YearBookTests {
  private func demo(years: Int) async throws -> GardenFixture {
    let fixture = try await GardenFixture()
    let demo = DemoGarden(years: years, now: fixture.time.clock.now(), zone: fixture.time.zone)
    _ = try await fixture.model.importEvents(demo.events())
    return fixture
  }

  @Test func everyEntryWithWordsIsInOneBookOfItsYear() async throws {
    let model = try await demo(years: 4).model
    let written = try await model.entries(model.garden.timeline()).filter { !$0.text.trimmed.isEmpty }
    for hasChapters in [true, false] {
      var choices = BookChoices()
      choices.hasChapters = hasChapters
      var found: [Int64] = []
      for year in try #require(model.garden.years) {
        let book = try await model.book(BookSelection(years: year...year), choices)
        #expect(book.entries.allSatisfy { $0.day.year == year })
        found += book.entries.filter { !$0.text.isEmpty }.map(\.seq)
      }
      #expect(found.sorted() == written.map(\.item.seq).sorted())
    }
  }

  @Test func anOpenerTellsWhatTheMonthBrought() async throws {
    let fixture = try await GardenFixture(now: "2025-03-28T08:00:00Z")
    let model = fixture.model
    let cello = try await fixture.plant("Cello")
    try await model.water(cello, text: "Bar nine", question: nil)
    fixture.time.advance(days: 10)
    try await model.shine(try #require(Node(path: "heart/joy")), text: "Warm kitchen", question: nil)
    try await model.water(cello, text: "", question: nil)
    _ = try await fixture.plant("Run", on: "core/movement")
    let book = try await model.book(BookSelection(years: 2025...2025))
    let months = book.parts.flatMap(\.sections)
    #expect(months.compactMap(\.month?.name) == ["March", "April"])
    let april = try #require(months.last)
    #expect(april.month?.lines.map(\.text) == ["Run", "Cello", "joy"])
    #expect(april.silence == "and 1 watering without words")
    #expect(april.month?.tree.state.growing().count == 2)
    #expect(months.first?.month?.tree.state.growing().count == 1, "the tree of the month’s last day")
  }

  @Test func choicesChangeTheSameBook() async throws {
    let year = try await demo(years: 2).model.yearBook(2026...2026)
    let book = year.book()
    var choices = BookChoices()
    (choices.hasChapters, choices.hasEarlierYears, choices.hasFlipTrees) = (false, false, true)
    let plain = year.book(author: "", choices)
    #expect(book.entries.contains { $0.chapter != nil } && plain.entries.allSatisfy { $0.chapter == nil })
    let earlier = { (book: JournalBook) in book.parts.flatMap(\.sections).flatMap { $0.month?.earlier ?? [] } }
    #expect(!earlier(book).isEmpty && earlier(plain).isEmpty)
    #expect(book.whole?.flipTrees.isEmpty == true && plain.whole?.flipTrees.count == 52)
    #expect(year.book() == book)
    #expect(year.writtenCount == book.entries.count { !$0.text.isEmpty })
  }

  @Test func theOfferOfABookIsAnsweredForGood() throws {
    let folder = try TemporaryFolder("settings").created()
    defer { withExtendedLifetime(folder) {} }
    let settings = Settings(folder: folder.path)
    #expect(!settings.hasAnsweredBook(of: 2025))
    try settings.answerBook(of: 2025)
    let reopened = Settings(folder: folder.path)
    #expect(reopened.hasAnsweredBook(of: 2025) && !reopened.hasAnsweredBook(of: 2026))
  }

  @Test func aHarvestIsAChapterIfItSaysSomething() async throws {
    let fixture = try await GardenFixture(now: "2025-12-20T08:00:00Z")
    let cello = try await fixture.plant("Cello")
    try await fixture.model.water(cello, text: "First words", question: nil)
    fixture.time.advance(days: 1)
    try await fixture.model.water(cello, text: "Last words", question: nil)
    fixture.time.advance(days: 19)
    try await fixture.model.harvest(cello, result: 5, reflection: "It sings. At last.")
    let book = try await fixture.model.book(BookSelection(years: 2026...2026))
    let chapter = try #require(book.entries.first?.chapter)
    #expect(chapter.span == "from 20 December 2025 to 9 January 2026 · Voice · practice")
    #expect(chapter.lines.map(\.text) == ["First words", "Last words"])
    #expect(chapter.result == "9 January · Flourished")
    #expect(book.whole?.quote == "It sings. At last." && book.whole?.quoteDay == "9 January")
    #expect(!book.html.contains("5") || !book.html.contains("of 5"))
  }

  @Test func earlierYearsComeFromDaysWithAnEntry() async throws {
    let fixture = try await GardenFixture(now: "2023-05-02T08:00:00Z")
    let cello = try await fixture.plant("Cello")
    let run = try await fixture.plant("Run", on: "core/movement")
    try await fixture.model.water(run, text: "Short", question: nil)
    try await fixture.model.water(cello, text: "The longer one of both", question: nil)
    fixture.time.advance(days: 1)
    try await fixture.model.water(cello, text: "The longest, of a day without an entry a year later", question: nil)
    fixture.time.advance(days: 365)
    try await fixture.model.water(cello, text: "A year later", question: nil)
    let book = try await fixture.model.book(BookSelection(years: 2024...2024))
    let months = book.parts.flatMap(\.sections).compactMap(\.month)
    let earlier = months.flatMap(\.earlier)
    #expect(earlier.map(\.text) == ["The longer one of both"])
    #expect(earlier.first?.year == 2023 && months.first { !$0.earlier.isEmpty }?.earlierTitle == "In earlier Mays")
  }

  @Test func threeEntriesAndNoneMakeABookAndNone() async throws {
    let fixture = try await demo(years: 1)
    let book = try await fixture.model.book(BookSelection(years: 1999...1999))
    #expect(book.entries.isEmpty && book.whole == nil)
  }

  @Test func theWebPageHasTheSameParts() async throws {
    let book = try await demo(years: 2).model.book(BookSelection(years: 2025...2025))
    let html = book.html
    #expect(html.components(separatedBy: "<svg ").count == book.parts.flatMap(\.sections).count + 2)
    #expect(!html.contains("<script") && html.contains("id=\"ring\"") && html.contains("id=\"sprouts\""))
    for entry in book.entries where entry.isWritten { #expect(html.contains("id=\"e\(entry.seq)\"")) }
  }
}

/// Words by which a year differs from others.
@Suite struct YearWordsTests {
  private func entries(_ year: Int32, _ texts: [String]) -> [TimelineEntry] {
    texts.enumerated().map { number, text in
      let day = (Day(year: year, month: 3, day: 1) ?? Day(number: 0)).adding(days: Int32(number))
      let item = TimelineItem(
        kind: .watering, time: EventTime(Zone.utc.start(of: day), in: .utc), seq: Int64(year) * 1000 + Int64(number),
        sproutID: nil, twig: nil, result: nil)
      return TimelineEntry(item: item, text: text, question: nil, twigLabel: nil, isHidden: false)
    }
  }

  private func find(_ before: [String], _ texts: [String]) -> (names: [String], words: [String]) {
    YearWords.find(entries(2024, before) + entries(2025, texts), Garden(zone: .utc), in: 2025...2025)
  }

  @Test func namesHaveCapitalsInsideSentences() {
    let found = find(
      [],
      ["I saw Ruth on Monday.", "The table is for Ruth and Jonas.", "Ruth called, and so did Jonas.", "Table at six."])
    #expect(found.names == ["Ruth", "Jonas"])
  }

  @Test func germanNounsAreNoNames() {
    let found = find(
      [],
      [
        "Ich habe mit Nadia am Tisch gesessen.", "Der Tisch ist nicht mehr so wackelig, sagt Nadia.",
        "Wir haben den Tisch mit Nadia geölt.", "Es war ein Tisch für vier.",
      ])
    #expect(found.names == ["Nadia"])
    #expect(found.words == ["Tisch"])
  }

  @Test func wordsAreMoreFrequentThanInOtherYears() {
    let before = ["The river was high.", "By the river again.", "A river, and rain.", "Rain on the river."]
    let found = find(
      before, ["A heron by the river.", "The heron again.", "No heron, but the river.", "And the river stays."])
    #expect(found.words == ["heron"])
  }

  /// In each language, words that only carry the grammar are left out.
  @Test(arguments: [
    ("Hoy fui al huerto el lunes.", "El huerto estaba seco, pero no el lunes.", "Volví al huerto.", "huerto"),
    ("Le potager était sec lundi.", "Il est allé au potager lundi.", "Et le potager est là, lundi.", "potager"),
    ("Der Garten war trocken am Montag.", "Ich war am Montag im Garten.", "Am Montag in den Garten.", "Garten"),
    ("The garden was dry on Monday.", "The garden on Monday.", "On Monday we went to the garden.", "garden"),
  ])
  func functionWordsAreLeftOut(first: String, second: String, third: String, word: String) {
    #expect(find([], [first, second, third]).words == [word])
  }

  @Test func oneSentenceGivesOneWord() {
    let texts = (0..<4).map { _ in "Herons glide silently." } + ["Bread.", "Warm bread.", "More bread."]
    let words = find(["Rain."], texts).words
    #expect(words.count == 2 && words.contains("bread"))
  }
}
