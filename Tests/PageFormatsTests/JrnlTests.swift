import PageFormats
import Testing
import TrunkModel

struct JrnlTests {
  @Test
  func undecidedOrderIsAsked() throws {
    let export = try Export("journal.txt", "[03.04.2023 08:00] One\n\n[05.04.2023 09:00] Two\n")
    let found = try export.read()
    #expect(found.pages.isEmpty)
    let question = try #require(found.question)
    #expect(question.example == "03.04.2023 08:00")
    #expect("\(question.dayFirst)" == "2023-04-03T08:00")
    #expect("\(question.monthFirst)" == "2023-03-04T08:00")
    var options = PageOptions.test
    options.dayMonthOrders["."] = .dayFirst
    #expect(try export.read(options).dates == ["2023-04-03T08:00", "2023-04-05T09:00"])
    options.dayMonthOrders["."] = .monthFirst
    let answered = try export.read(options)
    #expect(answered.dates == ["2023-03-04T08:00", "2023-05-04T09:00"])
    #expect(answered.question == nil)
  }

  @Test
  func answerDoesNotOverrideWhatTheFileShows() throws {
    var options = PageOptions.test
    options.dayMonthOrders["/"] = .monthFirst
    let found = try Export("j.txt", "[03/04/2023 08:00] One\n[27/04/2023 08:00] Two\n").read(options)
    #expect(found.dates == ["2023-04-03T08:00", "2023-04-27T08:00"])
  }

  @Test
  func contradictingOrdersAreAsked() throws {
    let text = "[03/04/2023 08:00] One\n[27/04/2023 08:00] Two\n[04/27/2023 08:00] Three\n"
    #expect(try Export("j.txt", text).read().needsDayMonthOrder)
  }

  @Test(arguments: [
    ("2024-01-09 07:05", "2024-01-09T07:05"), ("2024-01-09 07:05:30", "2024-01-09T07:05:30"),
    ("2024-01-09", "2024-01-09"), ("2024-01-09 09:14:00 AM", "2024-01-09T09:14:00"),
    ("01/29/2024 12:05 am", "2024-01-29T00:05"), ("29.01.2024 12:05 p.m.", "2024-01-29T12:05"),
    ("Tue 09 Jan 2024 07:05", "2024-01-09T07:05"), ("Dienstag, 9. Januar 2024 07:05", "2024-01-09T07:05"),
    ("9 janvier 2024 à 07:05", "2024-01-09T07:05"), ("January 9, 2024 at 7:05 PM", "2024-01-09T19:05"),
    ("07:05 2024-01-09", "2024-01-09T07:05"), ("2024-01-09T07:05:00+0200", "2024-01-09T07:05:00+02:00"),
    ("29.01.24 07:05", "2024-01-29T07:05"), ("20240109", "2024-01-09"), ("202401090705", "2024-01-09T07:05"),
    ("9 de enero de 2024 07:05", "2024-01-09T07:05"),
  ])
  func timeFormatIsFree(written: String, date: String) throws {
    let found = try Export("j.txt", "[\(written)] Title\nText.\n").read()
    #expect(found.dates == [date])
    #expect(found.pages.first?.title == "Title")
    #expect(found.texts == ["Text."])
  }

  @Test(arguments: [
    "[1] a", "[yesterday] a", "[2024] a", "[12:30] a", "[see 2024-01-09] a", "[x](2024-01-09)", "[2024-07 14:23] a",
  ])
  func otherBracketsAreText(line: String) throws {
    let found = try Export("j.txt", "[2024-01-09 07:05] Title\n\(line)\n").read()
    #expect(found.texts == [line])
  }

  @Test
  func linesThatLookLikeEntriesAreReported() throws {
    let found = try Export("j.txt", "[2024-01-09 07:05] Title\n[2024-07 14:23] The third\n[1] note\n").read()
    #expect(found.notes == [.linesLikeEntries(count: 1)])
  }

  @Test
  func daysThatNoCalendarHasAreSkipped() throws {
    let found = try Export("j.txt", "[2021-02-29 09:00] Never\n\n[2021-02-28 24:10] Late\n[2021-03-01 09:00] Day\n")
      .read()
    #expect(found.dates.last == "2021-03-01T09:00")
    #expect(found.reasons.contains(.noDate))
  }

  @Test
  func folderDecidesTheDay() throws {
    let found = try Export([
      "2020/09/24.txt": "[2020-09-23 09:14:00 AM] Third\nText @one.\n\n[2020-09-24 10:00] Fourth\n",
      "2020/08/31.txt": "[2020-08-31 08:00] First *\n", "2020/09/other.txt": "[2019-01-01 08:00] Not part of it\n",
    ]).read()
    #expect(found.dates == ["2020-08-31T08:00", "2020-09-24T09:14:00", "2020-09-24T10:00"])
    #expect(found.pages.first?.title == "First")
    #expect(found.leftOut == [.stars: 1])
    #expect(found.pages[1].tags == ["one"])
  }

  @Test
  func folderOfOneYearIsTheSameAsItsZip() throws {
    let text = Array("[2020-09-24 09:14] Third\n".utf8)
    let folder = try Export(["2020/09/24.txt": text]).read()
    let zip = try Export("j.zip", Zip([("journal/2020/09/24.txt", text)]).data).read()
    #expect(folder == zip)
    #expect(folder.dates == ["2020-09-24T09:14"])
  }

  @Test
  func oldStyleKeepsWordsThatOtherDatesHave() throws {
    let found = try Export("j.txt", "2010-06-10 15:00 A life\n2011-06-10 03:00 PM Monday morning\nMore.\n").read()
    #expect(found.dates == ["2010-06-10T15:00", "2011-06-10T15:00"])
    #expect(found.pages.map(\.title) == ["A life", "Monday morning"])
  }

  @Test
  func textBeforeTheFirstEntryIsReported() throws {
    let found = try Export("j.txt", "My journal\n\n[2024-01-09 07:05] Title\n").read()
    #expect(found.skipped == [SkippedPage(what: "My journal", why: .noDate)])
  }

  @Test(arguments: ["gAAAAABk", "JRNLv3abcdef", "\u{1}\u{0}\u{3}binary"])
  func encryptedJournalSaysSo(text: String) throws {
    let export = try Export("journal.txt", text)
    #expect(throws: PageReadError.encrypted) { try export.read() }
  }

  @Test
  func markdownOfJrnlSaysSo() throws {
    let export = try Export("j.md", "# 2024\n\n## January\n\n### 2024-01-09 07:05 Title\n\nText.\n")
    #expect(throws: PageReadError.otherExport(.jrnl)) { try export.read() }
  }

  // MARK: - Exports of jrnl

  @Test
  func yamlFolderIsRead() throws {
    let head = { (title: String, date: String) in
      "---\ntitle: \(title)\ndate: \(date)\nstarred: True\ntags: one, two\n"
    }
    let found = try Export([
      "2020-08-29_first.md": head("First: with colon.", "2020-08-29 11:11")
        + "body: |\t\t\n\tLorem @one.\n\n\t---\n\n\tEnd\n\t...",
      "2020-08-30_second.md": head("Second.", "2020-08-30 09:00") + "body: |\n    Text\n\n    ## Heading\n...\n",
      "2013-06-09_old.md": "title: Old.\ndate: 2013-06-09 15:39\nstarred: False\ntags: idea\n\nBetter with @journal.",
    ]).read()
    #expect(found.format == .jrnl)
    #expect(found.dates == ["2013-06-09T15:39", "2020-08-29T11:11", "2020-08-30T09:00"])
    #expect(found.pages.map(\.title) == ["Old.", "First: with colon.", "Second."])
    #expect(found.texts == ["Better with @journal.", "Lorem @one.\n\n---\n\nEnd", "Text\n\n## Heading"])
    #expect(found.pages.map(\.tags) == [["idea"], ["one", "two"], ["one", "two"]])
    #expect(found.leftOut == [.stars: 2])
  }

  @Test
  func markdownFolderOfJrnlSaysSo() throws {
    let export = try Export(["2020-08-29_entry.md": "### 2020-08-29 11:11 Entry the first.\n\nText.\n"])
    #expect(throws: PageReadError.otherExport(.jrnl)) { try export.read() }
  }

  @Test
  func allJournalsOfAFolderAreRead() throws {
    let found = try Export([
      "home.txt": "[2024-01-09 07:05] Home\n", "work.txt": "[2024-01-10 07:05] Work\n", "tasks.txt": "Buy milk\n",
    ]).read()
    #expect(found.pages.map(\.title) == ["Home", "Work"])
    #expect(found.notes == [.notRead(files: 1, example: "tasks.txt")])
  }

  @Test
  func jsonWithoutTagsTakesThoseOfTheText() throws {
    let found = try Export(
      "j.json",
      #"{"tags":{},"entries":[{"title":"At @home","body":"x","date":"2020-03-29","time":"02:30","starred":true}]}"#
    ).read()
    #expect(found.pages.first?.tags == ["home"])
    #expect(found.leftOut == [.stars: 1])
  }
}
