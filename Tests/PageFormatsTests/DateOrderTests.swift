import PageFormats
import Testing
import TrunkModel

/// Which of two numbers up to 12 is the day, in texts that have several kinds of dates.
struct DateOrderTests {
  private func dates(_ files: [String: String]) throws -> [String] {
    let found = try Export(files).read()
    #expect(found.question == nil)
    return found.pages.map { "\($0.text): \($0.date)" }.sorted()
  }

  @Test
  func datesWithOtherSeparatorsShowNoOrder() throws {
    #expect(
      try dates(["june.md": "# Summer\n## 12.06.2001\nA", "11-30-2012.md": "B"]) == ["A: 2001-06-12", "B: 2012-11-30"])
    #expect(try dates(["12.06.2001.md": "A", "a/11-30-2012.md": "B"]) == ["A: 2001-06-12", "B: 2012-11-30"])
    #expect(try dates(["12.06.2001.md": "A", "30.06.2001.md": "B"]) == ["A: 2001-06-12", "B: 2001-06-30"])
    #expect(try dates(["12.06.2001.md": "A", "06.30.2001.md": "B"]) == ["A: 2001-12-06", "B: 2001-06-30"])
    #expect(try Export(["12-06-2001.md": "A", "06.30.2001.md": "B"]).read().question?.example == "12-06-2001")
    let jrnl = "[03/04/2023 08:00] One\n[27-04-2023 08:00] Two\n"
    #expect(try Export("j.txt", jrnl).read().question?.example == "03/04/2023 08:00")
  }

  @Test
  func datesWithDotsThatContradictEachOtherAreAsked() throws {
    let export = try Export(["12.06.2001.md": "A", "30.06.2001.md": "B", "06.30.2002.md": "C"])
    #expect(try export.read().question?.example == "12.06.2001")
  }

  @Test(arguments: [
    "# June 2001\n## 12.06.2001\nA", "# June 2001\n# 12.06.2001\nA", "# 2001\n## June\n### 12.06.2001\nA",
    "# Juni 2001\n## 12/06/2001\nA",
    "# December 2000\n## 2000-12-01\nB\n# June 2001\n## 12-06-2001\nA",
    "## December 2000\n## 2000-12-01\nB\n## June 2001\n## 12-06-2001\nA",
  ])
  func headingOfMonthDecides(text: String) throws {
    #expect(try dates(["a.md": text, "12.30.2012.md": "C", "12-30-2013.md": "D"]).first == "A: 2001-06-12")
  }

  @Test
  func headingOfMonthDecidesOnlyBelowIt() throws {
    let text = "# June 2001\n## 12.06.2001\nA\n# Trips\n## 06.07.2001\nB\n# July\n## 07.08.2001\nC"
    #expect(try dates(["a.md": text]) == ["A\n# Trips: 2001-06-12", "B: 2001-07-06", "C: 2001-07-08"])
  }

  @Test(arguments: [
    "June 2001/12.06.2001.md", "2001/06/12-06-2001.md", "2001-06/12-06-2001.md", "2001/June/x/12-06-2001.md",
  ])
  func folderOfMonthDecides(path: String) throws {
    let files = [path: "A", "x/12.30.2012.md": "C", "x/12-30-2013.md": "D"]
    #expect(try dates(files).first == "A: 2001-06-12")
  }

  @Test
  func fileOfMonthDecides() throws {
    let files = [
      "x/June 2001.md": "## 12.06.2001\nA", "x/12.30.2012.md": "C", "2001/06.md": "---\ndate: 11/06/2001\n---\nD",
    ]
    #expect(try dates(files) == ["A: 2001-06-12", "C: 2012-12-30", "D: 2001-06-11"])
  }

  @Test
  func numberOrOtherYearIsNoMonth() throws {
    #expect(try Export(["Trip 6/12-06-2001.md": "A"]).read().question != nil)
    #expect(try Export(["06/12-06-2001.md": "A", "b.md": "x"]).read().question != nil)
    #expect(try Export(["2005-06/12-06-2001.md": "A"]).read().question != nil)
  }

  @Test
  func logseqWithoutSettingsAsks() throws {
    let days = ["journals/04-01-2024.md": "- A\n  id:: 65f0c0de-0000-4000-8000-000000000002\n", "pages/x.md": "- no\n"]
    #expect(try Export(days).read().question?.example == "04-01-2024")
    let shown = days.merging(["journals/01-30-2024.md": "- B"]) { $1 }
    #expect(try dates(shown) == ["- A: 2024-04-01", "- B: 2024-01-30"])
  }

  @Test
  func dayOfFolderNeedsNoOrder() throws {
    #expect(try dates(["2020/09/24.txt": "[05/06/2020 09:14] A\nB\n"]) == ["B: 2020-09-24T09:14"])
  }

  @Test
  func eachKindOfDateIsAsked() throws {
    let export = try Export(["03-04-2023.md": "A", "03_04_2023.md": "B"])
    var options = PageOptions.test
    let first = try #require(try export.read(options).question)
    options.dayMonthOrders[first.separator] = .monthFirst
    let second = try #require(try export.read(options).question)
    #expect([first.example, second.example] == ["03-04-2023", "03_04_2023"])
    options.dayMonthOrders[second.separator] = .dayFirst
    #expect(try export.read(options).dates == ["2023-03-04", "2023-04-03"])
  }
}
