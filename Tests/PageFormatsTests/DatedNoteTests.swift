import PageFormats
import Testing
import TrunkModel

/// Where notes have their dates: headings, front matter and names.
struct DatedNoteTests {
  // MARK: - Headings

  @Test(arguments: [
    ("2022-03-05 Lunch with Anna", "2022-03-05", "Lunch with Anna"),
    ("2022-03-05: Lunch", "2022-03-05", "Lunch"),
    ("Saturday, March 5, 2022 – Lunch", "2022-03-05", "Lunch"),
    ("2022-03-05 (Sat) Lunch", "2022-03-05", "Lunch"),
    ("2022-03-05 So happy", "2022-03-05", "So happy"),
    ("5. März 2022 Mittag mit Anna", "2022-03-05", "Mittag mit Anna"),
    ("2022-03-05 14:30 Lunch", "2022-03-05T14:30", "Lunch"),
    ("2022-03-05 2:30 PM Lunch at 5", "2022-03-05T14:30", "Lunch at 5"),
    ("[[2022-03-05]] Lunch", "2022-03-05", "Lunch"),
    ("Lunch with Anna (2022-03-05)", "2022-03-05", "Lunch with Anna"),
    ("Lunch – 5 March 2022", "2022-03-05", "Lunch"),
  ])
  func headingIsADateAndATitle(heading: String, date: String, title: String) throws {
    let found = try Export("J.md", "# 2022-03-04\nFriday.\n\n# \(heading)\nSaturday.\n\n# 2022-03-06\nSunday.\n").read()
    #expect(found.dates == ["2022-03-04", date, "2022-03-06"])
    #expect(found.pages.map(\.title) == ["", title, ""])
    #expect(found.texts == ["Friday.", "Saturday.", "Sunday."])
  }

  @Test
  func deeperHeadingsAndCodeBeginNoPage() throws {
    let text = """
      ## 2022-03-04
      Friday.
      ### 2021-01-01 was different
      More.
      ```
      # 2020-01-01
      ```
      ## Notes from the lake on 3 May 2020, and later
      """
    #expect(try Export("J.md", text).read().dates == ["2022-03-04"])
  }

  @Test(arguments: [
    ("2019.md", "", "2019"), ("2019/May.md", "", "2019"), ("May.md", "# 2020\n", "2020"),
    ("2019.md", "# May 2021\n", "2021"), ("Diary 2018-2019.md", "# 2019\n", "2019"),
  ])
  func headingWithoutAYearIsOfTheOneAboveIt(file: String, above: String, year: String) throws {
    let text = above + "## 12 May\nRain.\n## Monday, May 13th\nSun.\n### 1984\nBy Orwell.\n"
    let found = try Export([file: text, "2001-01-01.md": "A"]).read()
    #expect(found.dates == ["2001-01-01", "\(year)-05-12", "\(year)-05-13"])
    #expect(found.texts.last == "Sun.\n### 1984\nBy Orwell." && found.skipped.isEmpty)
  }

  @Test(arguments: [
    ("May.md", "## 12 May\nRain.\n", SkipReason.noYear), ("2018-2019.md", "## 12 May\nRain.\n", .noYear),
    ("2019.md", "## March 19\nRain.\n## April 19\nSun.\n", .noDate), ("2019.md", "## 5.12.\nRain.\n", .noDate),
  ])
  func headingWhoseYearIsNotKnownIsSkipped(file: String, text: String, reason: SkipReason) throws {
    let found = try Export([file: text, "2001-01-01.md": "A"]).read()
    #expect(found.dates == ["2001-01-01"])
    #expect(found.skipped == [SkippedPage(what: file, why: reason)])
  }

  // MARK: - Front matter

  @Test(arguments: [
    ("date: 2021-02-14 16:19:13 -0500", "2021-02-14T16:19:13-05:00"),
    ("date: 2021-02-14 16:19:13 -05:00", "2021-02-14T16:19:13-05:00"),
    ("date: \"[[2024-07-22]]\"", "2024-07-22"), ("date: [[2024-07-22]]", "2024-07-22"),
    ("creationDate: 2022-03-17 10:00", "2022-03-17T10:00"), ("Created-At: 2022-03-17", "2022-03-17"),
    ("title: Ice: day two\ndate: 2020-01-01", "2020-01-01"), ("day: 2020-01-01", "2020-01-01"),
    ("date: 2020-01-01\nday: 3", "2020-01-01"), ("created: 1557650096789", "2019-05-12T08:34:56Z"),
  ])
  func frontMatterHasTheDate(yaml: String, date: String) throws {
    #expect(try Export(["a.md": "---\n\(yaml)\n---\nText.\n"]).read().dates == [date])
  }

  @Test
  func unquotedColonKeepsTheOtherValues() throws {
    let text = "---\ntitle: Ice: day two\ndate: 2020-01-01\ntags:\n  - one\n  - two\n---\nText.\n"
    let page = try #require(try Export(["a.md": text]).read().pages.first)
    #expect(page.title == "Ice: day two" && page.tags == ["one", "two"] && page.text == "Text.")
    let open = try Export(["2024-01-09.md": "---\ntags: [a, b\nmood: 3\n---\nText."]).read()
    #expect(open.pages.first?.tags == ["a", "b"] && open.texts == ["Text."])
    let words = "---\nIt rained: all day.\n\"Really.\n---\nText."
    #expect(try Export(["2024-01-09.md": words]).read().texts == [words])
  }

  @Test
  func hugosFrontMatterIsRead() throws {
    let text = """
      +++
      title = "My post"
      date = 2021-09-27T08:47:11+09:00
      tags = ["diary", "go"]
      [extra]
      draft = false
      +++

      Body.
      """
    let page = try #require(try Export(["a.md": text]).read().pages.first)
    #expect("\(page.date)" == "2021-09-27T08:47:11+09:00")
    #expect(page.title == "My post" && page.tags == ["diary", "go"] && page.text == "Body.")
  }

  @Test
  func nameGoesBeforeTheDayOfCreation() throws {
    let found = try Export([
      "2022-03-20.md": "---\ncreated: 2022-01-01\n---\nRenamed",
      "2022-03-21.md": "---\ncreated: 2022-03-21 08:30\n---\nA",
      "2022-03-22.md": "---\ndate: 2022-01-02\n---\nDate", "Note.md": "---\ncreated: 2022-01-03\n---\nNo name",
    ]).read()
    #expect(found.dates == ["2022-01-02", "2022-01-03", "2022-03-20", "2022-03-21T08:30"])
  }

  // MARK: - Names

  @Test(arguments: [
    ("20240722T062201--my-title__tag1_tag2", "2024-07-22T06:22:01", "my title", ["tag1", "tag2"]),
    ("20240722T062201", "2024-07-22T06:22:01", "", []), ("2024-07-22 062201", "2024-07-22T06:22:01", "", []),
    ("2024-07-22 10.15.22", "2024-07-22T10:15:22", "", []), ("2024-07-22 at 10.15.22", "2024-07-22T10:15:22", "", []),
    ("2024-07-22_06-22-01", "2024-07-22T06:22:01", "", []), ("2024-07-22 06h22", "2024-07-22T06:22", "", []),
    ("2024-07-22--06-22-01Z", "2024-07-22T06:22:01Z", "", []), ("2024-07-22T1015", "2024-07-22T10:15", "", []),
    ("2024-07-22-0930-title", "2024-07-22T09:30", "title", []),
    ("2024-07-22 10:15 Lunch", "2024-07-22T10:15", "Lunch", []),
    ("2024-07-22 (1)", "2024-07-22", "", []), ("2024-07-22-001", "2024-07-22", "", []),
    ("2024-07-22 2001 A Space Odyssey", "2024-07-22", "2001 A Space Odyssey", []),
    ("2024-07-22 1984", "2024-07-22", "1984", []), ("2024-07-22 The 12.30 train", "2024-07-22", "The 12.30 train", []),
  ])
  func nameHasATime(stem: String, date: String, title: String, tags: [String]) throws {
    let page = try #require(try Export([stem + ".md": "Text."]).read().pages.first)
    #expect("\(page.date)" == date)
    #expect(page.title == title && page.tags == tags)
  }

  // MARK: - Folders

  @Test(arguments: [
    ("2019/05/12.md", "2019-05-12", ""), ("2019/05-May/12.md", "2019-05-12", ""),
    ("2019/05/12/note.md", "2019-05-12", ""), ("2019/05/12/01.md", "2019-05-12", ""),
    ("2019/05-May/2019-05-12/note.md", "2019-05-12", ""), ("Diary/2019/2019-05-12/Rome.md", "2019-05-12", "Rome"),
    ("2019-05/12/Rome.md", "2019-05-12", "Rome"),
  ])
  func foldersHaveTheDay(path: String, date: String, title: String) throws {
    let found = try Export([path: "Text.", "x/2001-01-01.md": "A"]).read()
    #expect(found.dates == ["2001-01-01", date] && found.pages.last?.title == title)
  }

  @Test(arguments: [
    "2026-11-30/note.md", "Backup/2026-11-30/note.md", "2018/2019-05-12/note.md", "2019/06-May/12.md",
    "2019/04/2019-05-12/note.md", "19/05/12.md", "2019/05/note.md",
  ])
  func foldersThatMayMeanSomethingElseHaveNone(path: String) throws {
    let found = try Export([path: "Text.", "x/2001-01-01.md": "A"]).read()
    #expect(found.dates == ["2001-01-01"])
    #expect(found.skipped == [SkippedPage(what: path, why: .noDate)])
  }
}
