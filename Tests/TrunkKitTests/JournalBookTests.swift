import Foundation
import FoundationXML
import TestSupport
import Testing
import TrunkModel

@testable import TrunkKit

@MainActor
@Suite struct JournalBookTests {
  /// A sprout that continues another one's leaf, another sprout, and a reflection; the clock passes the end of a year.
  private func garden() async throws -> GardenFixture {
    let fixture = try await GardenFixture(now: "2026-12-31T20:00:00Z")
    let model = fixture.model
    let cello = try await fixture.plant("Cello", leaf: .new(name: "Strings"))
    let leaf = try fixture.sprout(cello).leafID
    let run = try await fixture.plant("Run", on: "core/movement")
    try await model.water(cello, text: "Bar nine held", question: "What was new?")
    fixture.time.advance(seconds: 8 * 3600)
    try await model.shine(try #require(Node(path: "heart/joy")), text: "Warm kitchen", question: nil)
    fixture.time.advance(seconds: 24 * 3600)
    try await model.water(run, text: "", question: nil)
    fixture.time.advance(seconds: 60)
    let viola = try await fixture.plant("Viola", leaf: .existing(id: leaf))
    try await model.water(viola, text: "A darker voice", question: nil)
    fixture.time.advance(seconds: 60)
    try await model.uproot(run, creatingSeedling: false)
    return fixture
  }

  @Test func listsEverythingInOrder() async throws {
    let book = try await garden().model.book(BookSelection())
    #expect(book.title == "Journal")
    #expect(book.dates == "31 December 2026 – 1 January 2027")
    #expect(
      book.entries.map(\.kind) == [.planting, .planting, .watering, .reflection, .planting, .watering, .uprooting])
    #expect(book.entries[2].question == "What was new?")
    #expect(book.entries[2].about == "Cello · Voice · practice")
    #expect(book.entries.last?.about == "uprooted “Run”")
    #expect(book.count == 3)
    #expect(book.parts.last?.sections.last?.silence == "and 1 watering without words")
    #expect(!book.markdown.contains("Without words") && book.markdown.contains("and 1 watering without words"))
  }

  @Test func namesItsAuthor() async throws {
    let model = try await garden().model
    let book = try await model.book(BookSelection(), author: "Ada\nLovelace")
    #expect(book.author == "Ada Lovelace")
    #expect(book.markdown.contains("Ada Lovelace"))
    #expect(try await model.book(BookSelection()).author == "")
  }

  /// A night belongs to the day that it ends, also on New Year's Eve.
  @Test func dividesByYearAndMonth() async throws {
    let model = try await garden().model
    let book = try await model.book(BookSelection())
    #expect(book.parts.map(\.title) == ["2026", "2027"])
    #expect(book.parts.flatMap(\.sections).map(\.title) == ["December 2026", "January 2027"])
    let year = try await model.book(BookSelection(years: 2026...2026))
    #expect(year.title == "2026")
    #expect(year.parts.map(\.title) == [nil])
    #expect(year.entries.map(\.text) == ["Bar nine held", "Warm kitchen"])
    #expect(year.entries.last?.stamp == "2027-01-01T05:00")
  }

  @Test func describesItsFilterInWords() async throws {
    let model = try await garden().model
    var filter = TimelineFilter(kinds: [.harvest, .watering])
    filter.twigs = [.twig(branch: 5, twig: 1)]
    filter.showsMilestones = false
    filter.results = 4...5
    let twig = model.garden.path(ofTwig: Node.twig(branch: 5, twig: 1).id)
    let book = try await model.book(BookSelection(filter: filter))
    let result = Formats.result(4)
    #expect(book.subtitle == "Waterings, Harvests · \(twig) · \(result) or better · only entries")
    #expect(try await model.book(BookSelection()).subtitle == "")
  }

  @Test func selectsASproutALeafAndASearch() async throws {
    let fixture = try await garden()
    let model = fixture.model
    let cello = try #require(model.garden.sprouts.first { $0.title == "Cello" })
    let sprout = try await model.book(BookSelection(sprout: cello.id))
    #expect(sprout.subtitle == "Voice · practice")
    #expect(sprout.entries.map(\.about) == ["planted “Cello”: 2 weeks, fertile", ""])
    let leaf = try await model.book(BookSelection(leaf: cello.leafID))
    #expect(leaf.title == "Strings")
    #expect(leaf.parts.flatMap(\.sections).map(\.title) == ["Cello", "Viola"])
    #expect(leaf.entries.filter(\.isWritten).map(\.text) == ["Bar nine held", "A darker voice"])
    let found = try await model.find("darker")
    let search = try await model.book(BookSelection(filter: TimelineFilter(found: found)))
    #expect(search.entries.map(\.text) == ["A darker voice"])
    #expect(search.subtitle == "Search results")
    let nothing = try await model.book(BookSelection(years: 1999...1999))
    #expect(nothing.entries.isEmpty && nothing.dates == "")
  }

  @Test func aFileNameIsSafe() async throws {
    let fixture = try await GardenFixture()
    let id = try await fixture.plant("../-rf 'Ärger' \u{202E}$(x)")
    let book = try await fixture.model.book(BookSelection(sprout: id))
    #expect(book.fileName(.html) == "rf-Ärger-x.html")
    let nameless = try await fixture.plant("///")
    #expect(try await fixture.model.book(BookSelection(sprout: nameless)).fileName(.markdown) == "journal.md")
  }

  /// File systems count bytes: a title of 60 characters in Hindi, or a few with many marks, would be too long.
  @Test(arguments: ["क्षि", "é", "👩🏽‍🌾", "e" + String(repeating: "\u{301}", count: 400)])
  func aFileNameFitsIntoAFolder(character: String) async throws {
    let fixture = try await GardenFixture()
    let id = try await fixture.plant(LimitedText.title.beginning(of: String(repeating: character, count: 60)))
    let book = try await fixture.model.book(BookSelection(sprout: id))
    try GardenModel.write("x", to: fixture.folder + "/" + book.fileName(.markdown))
  }
}

/// Texts that could break a format, or a reader.
@MainActor
@Suite struct HostileTextTests {
  private static let texts = [
    "<script>alert('x')</script> & &amp; \"quoted\" ]]> <!-- -->",
    "# no heading\n- no list\n1. no number\n> no quote\n===\n*a* _b_ `c` [d](e) ![f](g) ~~h~~ | i | $j$ \\k snake_case",
    "    no code\n\tno tab code\n\n\n```\nno fence\n```",
    "\u{202E}reversed\u{202C} and \u{2066}isolated\u{2069}\u{1B}[31m\u{7}\u{0}",
    "שלום עולם\nمرحبا\u{200F}", "👩‍👩‍👧‍👦 🏴󠁧󠁢󠁷󠁬󠁳󠁿 é", String(repeating: "w", count: 2000), "a\r\nb\u{2028}c\rd",
  ]

  private func book() async throws -> JournalBook {
    let fixture = try await GardenFixture()
    let id = try await fixture.plant("<b>*Bold*</b> & \u{202E}more\nlines")
    for text in Self.texts {
      try await fixture.model.water(id, text: text, question: text)
      fixture.time.advance(seconds: 86_400)
    }
    return try await fixture.model.book(BookSelection(sprout: id))
  }

  /// A mark or joiner after a character doesn't change what that character means in Markdown.
  @Test func markdownEscapesCharactersWithMarks() async throws {
    let fixture = try await GardenFixture()
    let id = try await fixture.plant("Marks")
    try await fixture.model.water(id, text: "*\u{301}a*\u{301} `\u{200D}b`\u{200D}\n \u{301}c", question: nil)
    let markdown = try await fixture.model.book(BookSelection(sprout: id)).markdown
    #expect(markdown.contains("\\*\u{301}a\\*\u{301} \\`\u{200D}b\\`\u{200D}\\\n\u{A0}\u{301}c"))
  }

  @Test func textsLoseOnlyControlCharacters() async throws {
    let entries = try await book().entries.filter(\.isWritten)
    #expect(entries.map(\.text)[3] == "reversed and isolated[31m\u{FFFD}")
    #expect(entries.map(\.text)[4] == Self.texts[4])
    #expect(entries.map(\.text)[5] == Self.texts[5])
    #expect(entries.map(\.text)[7] == "a\nb\nc\nd")
    #expect(entries.map(\.question)[7] == "a b c d")
  }

  /// The page is valid XML as well, so a parser for XML reads back exactly what is read in the window.
  @Test func aWebPageShowsTheTextsAsTheyAreRead() async throws {
    let book = try await book()
    let page = try PageReader(book.html)
    #expect(page.text("h1") == ["<b>*Bold*</b> & more lines"])
    #expect(page.elements.isDisjoint(with: ["script", "b", "img", "link", "iframe"]))
    #expect(page.paragraphs == book.entries.filter(\.isWritten).flatMap { $0.paragraphs.map(\.plain) })
    for styled in ["<em>a</em> <em>b</em> <code>c</code>", "<s>h</s>", "<strong class=\"heading\">no heading</strong>"]
    {
      #expect(book.html.contains(styled), "\(styled)")
    }
    #expect(page.attributes.allSatisfy { !$0.hasPrefix("on") && $0 != "src" })
  }

  @Test func markdownShowsTheTextsUnchanged() async throws {
    let markdown = try await book().markdown
    #expect(markdown.hasPrefix("# \\<b\\>\\*Bold\\*\\</b\\> \\& more lines\n\n"))
    let lines = markdown.split(separator: "\n")
    for line in [
      "\\# no heading\\", "\\- no list\\", "1\\. no number\\", "\\> no quote\\", "\\===\\", "no code\\",
      "\u{A0}\u{A0}\u{A0}\u{A0}no tab code", "\\`\\`\\`\\",
      "\\*a\\* \\_b\\_ \\`c\\` \\[d\\](e) !\\[f\\](g) \\~\\~h\\~\\~ \\| i \\| \\$j\\$ \\\\k snake_case",
    ] { #expect(lines.contains(line[...]), "\(line)") }
  }
}

/// The texts of a web page as a parser finds them.
private final class PageReader: NSObject, XMLParserDelegate {
  private(set) var elements = Set<String>()
  private(set) var attributes = Set<String>()
  /// The texts of the entries, without questions and dates.
  private(set) var paragraphs: [String] = []
  private var texts: [(element: String, style: String?, text: String)] = []
  private var open: [Int] = []
  private static let inline: Set = ["br", "strong", "em", "s", "code"]

  init(_ html: String) throws {
    super.init()
    let parser = XMLParser(data: Data(html.utf8))
    parser.delegate = self
    try #require(parser.parse(), "\(String(describing: parser.parserError))")
    paragraphs = texts.filter { $0.element == "p" && $0.style == nil }.map { $0.text.replacing("\n\n", with: "\n") }
  }

  func text(_ element: String) -> [String] { texts.filter { $0.element == element }.map(\.text) }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    elements.insert(name)
    self.attributes.formUnion(attributes.keys)
    if PageReader.inline.contains(name) { return }
    open.append(texts.count)
    texts.append((name, attributes["class"], ""))
  }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
    if !PageReader.inline.contains(name) { open.removeLast() }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    if let last = open.last { texts[last].text += string }
  }
}
