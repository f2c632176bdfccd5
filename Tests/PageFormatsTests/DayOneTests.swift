import PageFormats
import Testing
import TrunkModel

struct DayOneTests {
  private func read(_ entries: String, _ options: PageOptions = .test) throws -> PageImport {
    try Export("Journal.json", "{\"metadata\": {\"version\": \"1.0\"}, \"entries\": [\(entries)]}").read(options)
  }

  @Test
  func membersOfWrongTypesAreIgnored() throws {
    let found = try read(
      #"""
      {"uuid":"A","creationDate":"2024-01-01T10:00:00Z","text":7,"tags":"x","location":[],"photos":{}},
      {"uuid":"B","creationDate":"2024-01-01T10:00:00Z","text":"b","tags":[1,"ok",null],"timeZone":5},
      {"uuid":9,"creationDate":1704103200,"text":"c"}, 17, null, {"uuid":"D","creationDate":"2024-01-01"; }
      """#)
    #expect(found.texts == ["b"])
    #expect(found.pages.first?.tags == ["ok"])
    #expect(found.reasons == [.empty, .noDate, .malformed, .malformed, .malformed])
  }

  @Test
  func offsetsAndMissingIdsOfOtherWritersAreRead() throws {
    let found = try read(
      #"""
      {"creationDate":"2024-01-01T23:30:00+02:00","text":"a"},
      {"creationDate":"2024-01-01T23:30:00.123Z","text":"b","timeZone":"Asia/Kolkata"},
      {"creationDate":"2024-01-01T23:30:00","text":"c"},
      {"creationDate":"2024-01-01T23:30:00Z","text":"e","timeZone":"GMT-0330"},
      {"creationDate":"2024-01-01T23:30:00Z","text":"d","timeZone":"Nowhere/Else"}
      """#)
    #expect(
      found.dates == [
        "2024-01-01T20:00:00-03:30", "2024-01-01T23:30:00", "2024-01-01T23:30:00+02:00", "2024-01-01T23:30:00Z",
        "2024-01-02T05:00:00+05:30",
      ])
    #expect(found.pages[0].sourceID == "dayone:2024-01-01T20:00:00#1")
  }

  @Test
  func allDayWithoutZoneIsTheNearestMidnight() throws {
    let found = try read(
      #"""
      {"uuid":"A","isAllDay":true,"creationDate":"2024-04-16T22:00:00Z","text":"east"},
      {"uuid":"B","isAllDay":true,"creationDate":"2024-04-17T05:00:00Z","text":"west"}
      """#)
    #expect(found.dates == ["2024-04-17", "2024-04-17"])
  }

  @Test
  func mediaAreCountedAndTakenOut() throws {
    let found = try read(
      #"""
      {"uuid":"A","creationDate":"2024-01-01T10:00:00Z","starred":true,"weather":{"conditionsDescription":"Rain"},
       "text":"Before\\.![](dayone-moment:\/\/AA) after\n\n![](dayone-moment:/audio/BB)\n![](dayone-moment:/pdfAttachment/CC)",
       "audios":[{}],"pdfAttachments":[{}],"location":{"latitude":1}}
      """#)
    #expect(found.texts == ["Before. after"])
    #expect(found.pages.first?.pictures == 1)
    #expect(
      found.leftOut == [.pictures: 1, .sounds: 1, .documents: 1, .weather: 1, .stars: 1, .coordinates: 1])
  }

  @Test
  func entryInTwoJournalsCountsOnce() throws {
    let found = try PageReader.read(Sample.folder + "/dayone.zip", options: .test)
    #expect(found.leftOut == [.pictures: 2, .videos: 1, .weather: 1, .stars: 1, .coordinates: 3])
  }

  @Test
  func backslashesStayInCode() throws {
    let found = try read(
      ##"{"uuid":"A","creationDate":"2024-01-01T10:00:00Z","text":"\\# no heading\n`a\\.b` c\\.\n```\nd\\.\n```"}"##)
    #expect(found.texts == ["# no heading\n`a\\.b` c.\n```\nd\\.\n```"])
    #expect(found.pages.first?.title == "")
  }

  @Test
  func oneBrokenJournalDoesNotStopTheOthers() throws {
    let good = #"{"metadata":{},"entries":[{"uuid":"A","creationDate":"2024-01-01T10:00:00Z","text":"a"}]}"#
    let found = try Export(["A.json": good, "B.json": String(good.dropLast(3))]).read()
    #expect(found.texts.contains("a"))
    #expect(found.skipped.contains(SkippedPage(what: "B.json", why: .malformed)))
    let broken = try Export("B.json", String(good.dropLast(3)))
    #expect(throws: PageReadError.damaged(file: "B.json")) { try broken.read() }
  }

  @Test(arguments: [
    ("7 mars 2025 à 12:35:18 UTC+1", "2025-03-07T12:35:18+01:00"),
    ("7. März 2025 um 12:35:18 MEZ", "2025-03-07T12:35:18+01:00"),
    ("March 7, 2025 at 12:35:18\u{202F}AM PST", "2025-03-07T00:35:18-08:00"),
    ("2025年3月7日 下午12:35:18", "2025-03-07T12:35:18"), ("7 de marzo de 2025, 12:35:18 CET", "2025-03-07T12:35:18+01:00"),
    ("25/03/2025 08:00", "2025-03-25T08:00"), ("March 7, 2025 at 12:35:18 PM GMT-3:30", "2025-03-07T12:35:18-03:30"),
  ])
  func datesOfTheTextAreInTheUsersLanguage(written: String, date: String) throws {
    let found = try Export("Journal.txt", "\tDate:\t\(written)\n\nText.\n").read()
    #expect(found.dates == [date])
    #expect(found.format == .dayOneText)
  }

  @Test
  func undecidedOrderOfTheTextIsAsked() throws {
    #expect(try Export("Journal.txt", "\tDate:\t07/03/2025 08:00\n\nText.\n").read().needsDayMonthOrder)
  }

  @Test
  func textExportIsFoundBesideItsPhotos() throws {
    let found = try Export(
      "d.zip", Zip([("Journal.txt", Array("\tDate:\tMarch 7, 2025\n\nA\n".utf8)), ("photos/a.jpeg", [1, 2])]).data
    )
    .read()
    #expect(found.dates == ["2025-03-07"])
  }
}
