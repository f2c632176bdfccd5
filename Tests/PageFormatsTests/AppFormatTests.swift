import PageFormats
import Testing
import TrunkModel

/// Traps of the formats of apps.
struct AppFormatTests {
  // MARK: - Journey

  private func journey(_ members: String) throws -> PageImport {
    try Export(["1-a.json": #"{"id":"1-a","date_journal":1709595000000,\#(members)}"#, "1-a-x.jpg": "x"]).read()
  }

  @Test(arguments: [
    (#""text":"<p>a<br>b</p><p></p><p>c &lt; d</p>","type":"html""#, "a\nb\n\nc < d"),
    (#""text":"one\ntwo < three","type":"""#, "one\ntwo < three"),
    (#""text":"one\ntwo &amp; three","type":"html""#, "one\ntwo & three"),
    (#""text":"<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>","type":"html""#, "- a\n- b\n  - c"),
    (#""text":"<p>open <b>tag <script>x</script>end","type":"html""#, "open tag end"),
  ])
  func journeysTextHasMarkupOrNot(members: String, text: String) throws {
    #expect(try journey(members).texts == [text])
  }

  @Test
  func journeysMediaAndPlacesAreCounted() throws {
    let found = try journey(
      #"""
      "text":"x","timezone":"","photos":["a.jpg","b.mp4","c.mp3"],"mood":2,"lat":1.7976931348623157e+308,
      "favourite":true,"weather":{"id":-1},"tags":["music ","Music"]
      """#)
    #expect(found.dates == ["2024-03-04T23:30:00Z"])
    #expect(found.leftOut == [.pictures: 1, .videos: 1, .sounds: 1, .moods: 1, .stars: 1])
    #expect(found.pages.first?.tags == ["music"])
  }

  @Test
  func newerJourneyHasOtherNames() throws {
    let found = try Export([
      "2024/e.json":
        #"{"id":"e","dateOfJournal":"2024-03-05T00:30:00.000+01:00","text":"<p>x</p>","type":"html","attachments":[{"type":"image/jpeg"}]}"#,
      "2024/f.json": #"{"id":"f","dateOfJournal":"2024-03-05T10:30:00.000Z","timezone":"Europe/Vienna","text":"y"}"#,
    ]).read()
    #expect(found.dates == ["2024-03-05T00:30:00+01:00", "2024-03-05T11:30:00+01:00"])
    #expect(found.pages.first?.pictures == 1)
  }

  @Test(arguments: [
    (#"<p>See <a href='https://x.org/a?b=1&amp;c=2'>this page</a>.</p>"#, "See this page (https://x.org/a?b=1&c=2)."),
    (
      #"<p><a href='https://x.org/'>https://x.org</a> <a href='https://y.org/z'>y.org/z</a></p>"#,
      "https://x.org y.org/z"
    ),
    (
      #"<p><a href='#top'>up</a> <a href='javascript:x()'>no</a> <a href='https://z.org'></a></p>"#,
      "up no https://z.org"
    ),
    ("<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>", "a | b\n1 | 2"),
  ])
  func addressesAndCellsOfHTMLStay(html: String, text: String) throws {
    #expect(try journey(#""type":"html","text":"\#(html)""#).texts == [text])
  }

  @Test
  func brokenEntriesOfJourneyAreSkipped() throws {
    let found = try Export([
      "a.json": #"{"id":"a","date_journal":1709595000000,"text":"a"}"#, "b.json": "{\"id\":", "c.json": "[]",
    ])
    .read()
    #expect(found.texts == ["a"])
    #expect(found.reasons == [.malformed, .malformed])
  }

  // MARK: - Daylio

  @Test
  func olderDaylioHasTheYearFirst() throws {
    let found = try Export(
      "d.csv", "year,date,weekday,time,mood,activities,note\n2018,July 20,Friday,10:00 pm,rad,,\"Hi\"\n"
    ).read()
    #expect(found.dates == ["2018-07-20T22:00"])
  }

  @Test
  func daylioColumnsComeAndGo() throws {
    let found = try Export(
      "d.csv",
      """
      full_date,date,weekday,time,mood,activities,scales,note_title,note
      2026-04-12,April 12,Sunday,14:03,helpless,"a ""b"" | c","Sleep: 8","",Bruh.<br><br>Am I [[virtual]]?
      2026-04-11,April 11,Saturday,25:99,good,"",""
      2026-04-11,April 11,Saturday
      """
    ).read()
    #expect(found.dates == ["2026-04-11", "2026-04-12T14:03"])
    #expect(found.pages[1].tags == ["helpless", "a \"b\"", "c"])
    #expect(found.texts[1] == "Bruh.\n\nAm I [[virtual]]?")
    #expect(found.leftOut == [.scales: 1])
    #expect(found.bareTagPages == 1)
  }

  @Test
  func moodsWithoutAWordCanBeLeftOut() throws {
    var options = PageOptions.test
    options.skipsBareTags = true
    let found = try PageReader.read(Sample.folder + "/daylio.csv", options: options)
    #expect(found.pages.count == 2)
    #expect(found.reasons.contains(.bareTags))
    #expect(found.bareTagPages == 0)
  }

  @Test(arguments: [
    ("2:33 nachm.", "14:33"), ("2:33 vorm.", "02:33"), ("2:33 p. m.", "14:33"), ("2:33 odp.", "14:33"),
    ("2:33 em", "14:33"), ("오후 2:33", "14:33"), ("ÖS 2:33", "14:33"), ("2:33 μ.μ.", "14:33"), ("14.33", "14:33"),
  ])
  func daylioWritesTheTimeInTheUsersLanguage(written: String, time: String) throws {
    let text = "full_date,date,weekday,time,mood,activities,note\n2026-04-12,April 12,Sunday,\(written),good,,Hi\n"
    #expect(try Export("d.csv", text).read().dates == ["2026-04-12T" + time])
  }

  @Test(arguments: [
    ("x<y, a<b>c, i<10 and <3", "x<y, a<b>c, i<10 and <3"), ("a <b>bold</b><br>b &amp; c", "a bold\nb & c"),
    ("<div>a</div><p>b</p>", "a\n\nb"),
  ])
  func daylioNotesKeepOtherAngles(note: String, text: String) throws {
    let csv = "full_date,date,weekday,time,mood,activities,note\n2026-04-12,April 12,Sunday,14:33,good,,\"\(note)\"\n"
    #expect(try Export("d.csv", csv).read().texts == [text])
  }

  @Test
  func backupOfDaylioSaysSo() throws {
    let export = try Export("b.daylio", Zip([("backup.daylio", [1, 2, 3])]).data)
    #expect(throws: PageReadError.otherExport(.daylio)) { try export.read() }
  }

  // MARK: - Apple Journal

  @Test
  func partsOfAnApplePageAreFoundByTheirClasses() throws {
    let page = """
      <!DOCTYPE html><html><body>
      <p class="p1"><span class="s1"><div class='pageContainer'>    <div class="pageHeader">Sunday, 17 December 2023</div>
      <div class="assetGrid">
        <div id="L" class="gridItem assetType_multiPinMap"><div class="gridItemOverlayFooter">Old Town</div></div>
        <div id="A" class="gridItem assetType_motionActivity"><div class="activityType">Walking</div></div>
        <div id="M" class="gridItem assetType_stateOfMind"><div class="gridItemOverlayFooter">Calm</div></div>
      </div><div class='reflectionPrompt'>How was it?</div><div class='title'>Complex</div><div class='bodyText'></span></p>
      <p class="p2"><span class="s2">Body <b>text</b>.</span></p>
      <div class="assetGrid"><div class="gridItem assetType_photo"><div class="x">caption</div></div></div>
      <p class="p4">More.</p>
      <p class="p1"><span class="s1"></div></div></span></p></body></html>
      """
    #expect(try Export("Untitled.html", page).read().dates == ["2023-12-17"])
    let found = try Export(["Entries/Untitled.html": page, "Resources/a.heic": "x"]).read()
    let entry = try #require(found.pages.first)
    #expect("\(entry.date)" == "2023-12-17")
    #expect(entry.title == "Complex")
    #expect(entry.text == "How was it?\n\nBody text.\n\nMore.")
    #expect(entry.place == "Old Town")
    #expect(entry.pictures == 1)
    #expect(found.leftOut == [.pictures: 1, .coordinates: 1, .activities: 1, .moods: 1])
  }

  // MARK: - Diarium

  @Test
  func fractionsFindTheirMedia() throws {
    let found = try Export([
      "x/d.json":
        #"[{"date":"2019-10-26T15:47:53.5","heading":"","html":"a"},{"date":"2019-10-26T15:47:54","html":"b"}]"#,
      "x/media/2019-10-26_154753500/a.jpg": "x", "x/media/2019-10-26_154753500/b.mp4": "x",
      "x/media/2019-10-26_154754000/c.png": "x",
    ]).read()
    #expect(found.pages.map(\.pictures) == [1, 1])
    #expect(found.leftOut == [.pictures: 2, .videos: 1])
  }

  @Test
  func databaseSaysSo() throws {
    let export = try Export("d.diary", Array("SQLite format 3\0".utf8) + [1, 2])
    #expect(throws: PageReadError.otherExport(.diarium)) { try export.read() }
  }

  // MARK: - Other JSON

  @Test(arguments: [
    #"{"version":1,"entries":[{"id":"1","date":"2020-01-01T10:00:00Z","title":"One","content":"Words.","tags":["a"]}]}"#,
    #"[{"date":"2020-01-01T10:00:00Z","title":"One","text":"Words.","tags":"a"}]"#,
    #"{"entries":[{"id":1,"date":"2020-01-01T10:00:00Z","title":"One","text":"<p>Words.</p>","tags":["a"]}]}"#,
  ])
  func otherJSONIsReadIfItsTextIsKnown(json: String) throws {
    let found = try Export("j.json", json).read()
    #expect(found.format == .json)
    let page = try #require(found.pages.first)
    #expect("\(page.date)" == "2020-01-01T10:00:00Z")
    #expect(page.title == "One" && page.text == "Words." && page.tags == ["a"])
  }

  @Test(arguments: [
    #"{"entries":[{"date":"2020-01-01","title":"One","words":"Lost?"}]}"#, #"[{"date":"2020-01-01","title":"One"}]"#,
    #"{"metadata":{"application":"Mini Diary"},"entries":{"2020-01-01":{"title":"New year","text":"Hello"}}}"#,
  ])
  func jsonWithAnUnknownTextIsRefused(json: String) throws {
    let export = try Export("j.json", json)
    #expect(throws: PageReadError.unknownFormat) { try export.read() }
  }

  // MARK: - Several journals

  @Test
  func allJournalsOfDayOneAreRead() throws {
    let journal = { (id: String) in
      #"{"metadata":{},"entries":[{"uuid":"\#(id)","creationDate":"2020-01-01T10:00:00Z","text":"\#(id)"}]}"#
    }
    let found = try Export(["A/Journal.json": journal("a"), "B/Travel.json": journal("b"), "B/other.json": "{\"x\":1}"])
      .read()
    #expect(found.texts == ["a", "b"])
    #expect(found.notes == [.notRead(files: 1, example: "B/other.json")] && found.skipped.isEmpty)
  }

  @Test
  func whatIsNotReadIsNamed() throws {
    let found = try Export([
      "1-a.json": #"{"id":"1-a","date_journal":1709595000000,"text":"x"}"#, "2024-01-09.md": "Day", "More.zip": "PK",
      "x.jpg": "x",
    ]).read()
    #expect(found.notes == [.notRead(files: 2, example: "2024-01-09.md")])
  }

  @Test
  func entriesWithOnlySoundSaySo() throws {
    let found = try journey(#""text":"","photos":["a.mp3","b.mp4"]"#)
    #expect(found.reasons == [.onlyMedia])
  }
}
