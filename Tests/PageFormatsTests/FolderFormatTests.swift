import PageFormats
import Testing
import TrunkModel

/// Traps of the formats that are folders of texts.
struct FolderFormatTests {
  // MARK: - RedNotebook

  @Test
  func markupBecomesMarkdown() throws {
    let text = #"""
      = Test note =

      - Erstes **Objekt** und //zweites//
      ====================
      === Datei ===
      [""file:///home/me/test"".png]
      [""pic"".jpg?300]
      [plain.txt ""file:///home/me/plain.txt""]
      __under__ --strike-- http://example.org//x// a--b c -- d
      ``//code//`` ""//raw//""
      """#
    let yaml =
      "15:\n  text: |\n"
      + text.split(separator: "\n", omittingEmptySubsequences: false).map { "    " + $0 }.joined(separator: "\n")
    let found = try Export(["2024-09.txt": yaml]).read()
    let page = try #require(found.pages.first)
    #expect(page.title == "Test note")
    #expect(
      page.text == """
        - Erstes **Objekt** und *zweites*
        ====================
        ### Datei

        plain.txt (file:///home/me/plain.txt)
        under ~~strike~~ http://example.org//x// a--b c -- d
        ``//code//`` //raw//
        """)
    #expect(page.pictures == 2)
    #expect(found.leftOut == [.pictures: 2, .underlines: 1])
  }

  @Test
  func codeOfRedNotebookStays() throws {
    let yaml = "15:\n  text: |\n    ```\n    = a =\n    x //y// z\n    ```\n    //b//\n"
    #expect(try Export(["2024-09.txt": yaml]).read().texts == ["```\n= a =\nx //y// z\n```\n*b*"])
  }

  @Test
  func hiddenTopFolderIsRead() throws {
    let month = Array("1: {text: one}\n".utf8)
    let zip = Zip([(".rednotebook/data/2024-09.txt", month), (".rednotebook/.git/x.md", month)])
    #expect(try Export("a.zip", zip.data).read().texts == ["one"])
  }

  @Test
  func oneBrokenDayDoesNotStopTheMonth() throws {
    let found = try Export(["2024-09.txt": "1: {text: one}\n2: {text: 'two\n3: {text: three}\n"]).read()
    #expect(found.dates == ["2024-09-01", "2024-09-03"])
    #expect(found.reasons == [.malformed])
  }

  @Test
  func backupsAndOtherFilesAreIgnored() throws {
    let found = try Export([
      "data/2024-09.txt": "1: {text: one, Trip: {Rome: null}}\n", "data/2024-09.old.txt": "1: {text: old}\n",
      "data/2024-09.new": "1: {text: new}\n", "data/notes.txt": "2: x\n", "data/2024-10.txt": "",
    ]).read()
    #expect(found.texts == ["one\n\nTrip: Rome"])
    #expect(found.format == .redNotebook)
  }

  @Test
  func aliasesAreNotExpanded() throws {
    var yaml = "1: &a [x, x, x, x, x, x, x, x, x]\n"
    for (number, name) in zip(2..., "bcdefghij") {
      let previous = String(UnicodeScalar(UInt8(ascii: "a") + UInt8(number) - 2))
      yaml += "\(number): &\(name) [" + Array(repeating: "*\(previous)", count: 9).joined(separator: ",") + "]\n"
    }
    let found = try Export(["2024-09.txt": yaml + "11: {text: end}\n"]).read()
    #expect(found.texts == ["end"])
  }

  @Test
  func deepNestingIsRefused() throws {
    let deep = String(repeating: "[", count: 20_000)
    let found = try Export(["2024-09.txt": "1: {text: one}\n2: \(deep)\n"]).read()
    #expect(found.texts == ["one"])
  }

  // MARK: - Markdown

  @Test(arguments: [
    ("2024-01-09.md", "2024-01-09", ""), ("20240109.md", "2024-01-09", ""), ("2024_01_09.md", "2024-01-09", ""),
    ("2024-Jan-09.md", "2024-01-09", ""), ("09.01.2024.md", "2024-01-09", ""), ("2024.01.09.txt", "2024-01-09", ""),
    ("2024-01-09 Trip to Rome.md", "2024-01-09", "Trip to Rome"), ("Trip - 2024-01-09.md", "2024-01-09", "Trip"),
    ("Tuesday, January 9th, 2024.md", "2024-01-09", ""), ("202401091830 Idea.md", "2024-01-09T18:30", "Idea"),
    ("9 janvier 2024.markdown", "2024-01-09", ""), ("2023/January/05.md", "2023-01-05", ""),
    ("2023/01/05.md", "2023-01-05", ""), ("2023-01/05.md", "2023-01-05", ""),
    ("Daily/2024/01-January/2024-01-09-Tuesday.md", "2024-01-09", ""),
  ])
  func namesHaveDates(path: String, date: String, title: String) throws {
    let found = try Export(["x/" + path: "Text.\n", "Recipes/Soup.md": "Leeks.\n"]).read()
    #expect(found.dates == [date])
    #expect(found.pages.first?.title == title)
    #expect(found.skipped == [SkippedPage(what: "Recipes/Soup.md", why: .noDate)])
  }

  @Test(arguments: [
    "2024-W03.md", "2024-13-45.md", "2024-01.md", "99999999.md", "12345678.md", "Soup.md", "10-01-24.md",
  ])
  func otherNamesHaveNone(name: String) throws {
    let found = try Export([name: "Text.\n", "2024-01-09.md": "Day.\n"]).read()
    #expect(found.texts == ["Day."])
    #expect(found.reasons == [.noDate])
  }

  @Test
  func folderDecidesTheOrder() throws {
    let found = try Export([
      "a/10-01-2024.md": "One", "a/27-01-2024.md": "Two", "b/10-01-2024.md": "Three", "b/10-31-2024.md": "Four",
      "c/2024/10/10-01-2024.md": "Five",
    ]).read()
    #expect(found.question == nil)
    #expect(found.texts.sorted() == ["Five", "Four", "One", "Three", "Two"])
    #expect(found.pages.filter { $0.text == "One" }.map { "\($0.date)" } == ["2024-01-10"])
    #expect(
      found.pages.filter { $0.text == "Three" || $0.text == "Five" }.map { "\($0.date)" } == [
        "2024-10-01", "2024-10-01",
      ])
  }

  @Test
  func undecidedOrderIsAsked() throws {
    let export = try Export(["10-01-2024.md": "One", "2024-02-01.md": "Two"])
    #expect(try export.read().question?.example == "10-01-2024")
    var options = PageOptions.test
    options.dayMonthOrders["-"] = .monthFirst
    #expect(try export.read(options).dates == ["2024-02-01", "2024-10-01"])
  }

  @Test
  func brokenFrontMatterStaysText() throws {
    let text = "---\ntitle: \"Ice\ndate: 2020-01-01\n\t}\n---\nText.\n"
    let found = try Export(["2024-01-09.md": text]).read()
    #expect(found.dates == ["2024-01-09"])
    #expect(found.texts == ["---\ntitle: \"Ice\ndate: 2020-01-01\n\t}\n---\nText."])
  }

  @Test
  func frontMatterIsRead() throws {
    let found = try Export([
      "a.md": "---\ndate: 2024-01-09\ntags: one, two words\nmood: 3\n---\n# Title\nText #three #12 `#code`\n",
      "b.md":
        "---\ncreated: 2024-01-10T08:00:00Z\ntags: '#x #y'\ntitle: Same\n---\n# Same\nSee [[note|the note]] and [[b]].\n",
    ]).read()
    #expect(found.dates == ["2024-01-09", "2024-01-10T08:00:00Z"])
    #expect(found.pages[0].tags == ["one", "two words", "three"])
    #expect(found.pages[0].title == "Title")
    #expect(found.pages[1].tags == ["x", "y"])
    #expect(found.texts[1] == "See the note and b.")
    #expect(found.leftOut == [.properties: 1, .links: 2])
  }

  @Test
  func mediaAreTakenOutByKind() throws {
    let text = "A ![[p.png|300]] b\n![](a.mp3) ![x](v.mp4 \"t\")\n- ![[doc.pdf]]\n![[other note]]\n`![[c.png]]`\n"
    let found = try Export(["2024-01-09.md": text]).read()
    #expect(found.texts == ["A  b\nx\nother note\n`![[c.png]]`"])
    #expect(found.leftOut == [.pictures: 1, .sounds: 1, .videos: 1, .documents: 1, .links: 1])
  }

  @Test
  func headingsCanBeTheDates() throws {
    let text = """
      ---
      tags: [roof]
      place: Lisbon
      ---
      # My journal

      ## 3 March 2020
      Snow on the roof.

      ### At night
      More snow. #winter

      ## 2020-03-05
      Rain.

      ## 2020-03-05
      ### Later
      Sun.
      """
    let found = try Export("Journal.md", text).read()
    #expect(found.dates == ["2020-03-03", "2020-03-05", "2020-03-05"])
    #expect(found.texts == ["Snow on the roof.\n\n### At night\nMore snow. #winter", "Rain.", "Sun."])
    #expect(found.pages.map(\.title) == ["", "", "Later"] && found.pages[0].tags == ["roof", "winter"])
    #expect(found.pages.allSatisfy { $0.place == "Lisbon" })
    #expect(found.skipped.isEmpty)
    let longer = try Export("Journal.md", text.replacing("# My journal", with: "Before") + "\n## 2021-01-01\nNew year")
      .read()
    #expect(longer.pages.map(\.sourceID).starts(with: found.pages.map(\.sourceID)) && longer.pages.count == 4)
    #expect(longer.skipped.map(\.why) == [.noDate])
    let impossible = try Export("Journal.md", "## 1 March 2022\nRain.\n## 31 February 2022\nSnow.").read()
    #expect(impossible.skipped == [SkippedPage(what: "Journal.md, 31 February 2022", why: .noDate)])
    #expect(try Export("Journal.md", "## 03/04/2020\nSnow").read().question != nil)
  }

  @Test
  func hiddenFoldersShowWhichFolderIsTheTop() throws {
    let (note, settings) = (Array("Day.".utf8), Array("{}".utf8))
    let plain = Zip([(".obsidian/app.json", settings), ("Daily/2024-01-09.md", note)])
    let inFolder = Zip([("v/.obsidian/app.json", settings), ("v/Daily/2024-01-09.md", note)])
    for zip in [plain, inFolder] {
      let found = try Export("a.zip", zip.data).read()
      #expect(found.pages.map(\.sourceID) == ["markdown:Daily/2024-01-09.md"])
    }
  }

  @Test
  func notesGoBeforeOtherTextsBesideThem() throws {
    let found = try Export([
      "2024-01-09.md": "Day.", "moods.csv": "full_date,mood,activities\n2024-01-09,good,\n",
      "log.txt": "[2024-01-10 08:00] Line\n",
    ]).read()
    #expect(found.format == .markdown)
    #expect(found.texts == ["Day."])
  }

  @Test
  func archiveAmongNotesDoesNotRefuseThem() throws {
    let tar = [UInt8](repeating: 0x61, count: 257) + Array("ustar  ".utf8)
    let found = try Export([
      "2024-01-09.md": Array("Day.".utf8), "a.tar": tar, "b.sqlite": Array("SQLite format 3\0".utf8),
    ]).read()
    #expect(found.texts == ["Day."])
  }

  // MARK: - Logseq

  @Test
  func settingsDecideTheOrder() throws {
    let found = try Export([
      "logseq/config.edn": "{;; :journal/file-name-format \"dd-MM-yyyy\"\n :journal/file-name-format \"MM-dd-yyyy\"}",
      "journals/04-01-2024.md": "- April\n", "pages/x.md": "- no\n",
    ]).read()
    #expect(found.dates == ["2024-04-01"])
  }

  @Test
  func outlineLosesWhatOnlyLogseqUnderstands() throws {
    let found = try Export([
      "logseq/config.edn": "{}",
      "journals/2020_09_14.md": "---\ntitle: Sep 14th, 2020\n---\n\n-",
      "journals/2020_09_15.md": """
      tags:: a, [[b c]]
      - TODO Call ((65f0c0de-0000-4000-8000-000000000001)) {{embed ((x))}} (a) ((b))
        SCHEDULED: <2020-09-16 Wed>
      \t- child #x
      \t  id:: 65f0c0de-0000-4000-8000-000000000002
      - {{video https://example.org/v}}
      - [[A|b]] [[https://example.org][c]]
      - ```
        key:: stays
        ```
      """,
    ]).read()
    #expect(found.reasons == [.empty])
    #expect(
      found.texts == [
        "- TODO Call   (a) ((b))\n  - child #x\n- https://example.org/v\n- b c (https://example.org)\n- ```\n  key:: stays\n  ```"
      ])
    #expect(found.pages.first?.tags == ["a", "b c", "x"])
    #expect(found.leftOut == [.properties: 1, .tasks: 1, .links: 3])
  }

  // MARK: - Joplin

  @Test
  func keysInCapitalsAndOtherDatesAreRead() throws {
    let found = try Export([
      "A.md":
        "---\nTitle: |-\n  First\n  Second\nUpdated: 28/09/2021 20:57\nCreated: 28/09/2021 20:57\nLatitude: 0\n---\nText.\n",
      "B.md": "---\ntitle: Date\ncreated: 2017-01-01\nupdated: 2021-01-01\n---\n\n# Date\n#no tag\n",
    ]).read()
    #expect(found.format == .joplin)
    #expect(found.dates == ["2017-01-01", "2021-09-28T20:57"])
    #expect(found.pages.map(\.title) == ["Date", "First Second"])
    #expect(found.texts == ["#no tag", "Text."])
    #expect(found.pages[0].tags == [])
  }

  @Test(arguments: [
    ("notes.jex", [UInt8](repeating: 0x61, count: 257) + Array("ustar  ".utf8)),
    ("3f0c.md", Array("Title\n\nText\n\nid: 3f0c\ntype_: 1".utf8)),
  ])
  func otherExportsOfJoplinSaySo(name: String, bytes: [UInt8]) throws {
    let export = try Export(name, bytes)
    #expect(throws: PageReadError.otherExport(.joplin)) { try export.read() }
  }
}
