import EventStore
import Testing
import TrunkModel

@testable import TrunkKit

struct SearchQueryTests {
  private let today = Day(year: 2026, month: 11, day: 18) ?? Day(number: 0)

  private let garden: Garden = {
    let start = Instant("2026-01-01T09:00:00.000Z") ?? Instant(milliseconds: 0)
    let contents: [Payload] = [
      .leafCreated(.init(leafID: "l1", twigID: "branch-0-twig-0", name: "Running by the river")),
      .leafCreated(.init(leafID: "l2", twigID: "branch-0-twig-0", name: "Running at night")),
      .nodeUpdated(.init(nodeID: "branch-2-twig-0", label: "Cello")),
      .nodeUpdated(.init(nodeID: "branch-0", label: "Körper")),
    ]
    return Garden(
      contents.enumerated().map { index, content in
        Event(content, at: start.adding(seconds: Int64(index)), clientID: "\(index)")
      }, zone: .utc)
  }()

  private func parse(_ text: String) -> SearchQuery { SearchQuery(text, in: garden, today: today) }

  @Test func readsWordsPrefixesPhrasesAndExclusions() {
    #expect(parse("river high").textQuery == TextQuery([.init("river"), .init("high", isPrefix: true)]))
    #expect(parse("river ").textQuery == TextQuery([.init("river")]))
    #expect(parse("high riv kind:sun ").textQuery == TextQuery([.init("high"), .init("riv", isPrefix: true)]))
    #expect(parse("riv* high!").textQuery == TextQuery([.init("riv", isPrefix: true), .init("high!")]))
    #expect(parse("„bar nine“ held ").textQuery == TextQuery([.init("bar nine"), .init("held")]))
    #expect(parse("\"bar ni").textQuery == TextQuery([.init("bar ni", isPrefix: true)]))
    #expect(
      parse("river -bank −\"bar nine\" ").textQuery
        == TextQuery([.init("river")], excluding: [.init("bank"), .init("bar nine")]))
    #expect(parse("well-known ").textQuery == TextQuery([.init("well-known")]))
    #expect(parse("10:30 http://a.b foo:bar ").textQuery.terms.map(\.text) == ["10:30", "http://a.b", "foo:bar"])
  }

  @Test func marksWhatItFindsInAWholeText() {
    #expect(parse("riv -bank ").marks(in: "The river.\nA bank, RIV!").map(\.lowerBound) == [19])
    #expect(parse("schöne riv").marks(in: "Schöne, schöne river") == [0..<7, 9..<16, 17..<22])
    #expect(parse("kind:sun").marks(in: "kind sun").isEmpty)
  }

  /// The desktop's search passes on any text that is pasted into it. Each filter used to copy the text several times.
  @Test func aHugeTextTakesNoTime() {
    let query = parse(String(repeating: "result:>=4 ", count: 200_000))
    #expect((100..<200).contains(query.filters.count))
    #expect(parse(String(repeating: "river ", count: 200_000)).textQuery.terms.count < 1000)
  }

  @Test func aQueryWithoutTermsIsEmpty() {
    for text in ["", "  ", "-", "*", "\"\"", "!!", "twig:", "kind: ", "\0"] { #expect(parse(text).isEmpty, "\(text)") }
    #expect(!parse("-river").isEmpty)
    #expect(!parse("kind:sun").isEmpty)
  }

  @Test func readsPlaces() throws {
    let cello = try #require(Node(path: "voice/practice"))
    #expect(parse("twig:cello").filter.twigs == [cello])
    #expect(parse("TWIG:cel").filter.twigs == [cello])
    #expect(parse("twig:practice").filter.twigs == [cello])
    #expect(parse("twig:voice/cello").filter.twigs == [cello])
    #expect(parse("branch:korper").filter.branch == 0)
    #expect(parse("branch:core").filter.branch == 0)
    #expect(parse("branch:voice twig:cello").filter.twigs == [cello])
    #expect(parse("branch:core twig:cello").filter.twigs == [])
    #expect(parse("leaf:\"by the river\" high").filter.leaves == ["l1"])
    #expect(parse("leaf:running").filter.leaves == ["l1", "l2"])
  }

  @Test func readsKindsAndResults() {
    #expect(parse("kind:sun kind:harvest").filter.kinds == [.reflection, .harvest])
    let results: [(String, ClosedRange<Int>)] = [
      ("4", 4...4), ("=4", 4...4), (">=4", 4...5), (">3", 4...5), ("<=2", 1...2), ("<2", 1...1), ("2-3", 2...3),
      ("2..3", 2...3),
    ]
    for (text, expected) in results { #expect(parse("result:\(text)").filter.results == expected, "\(text)") }
    #expect(parse("result:>1 result:<4").filter.results == 2...3)
  }

  @Test func readsDates() {
    func days(_ text: String) -> [String?] {
      let filter = parse(text).filter
      return [filter.first?.description, filter.last?.description]
    }
    #expect(days("after:2024") == ["2025-01-01", nil])
    #expect(days("before:2024-03") == [nil, "2024-02-29"])
    #expect(days("on:2024-02") == ["2024-02-01", "2024-02-29"])
    #expect(days("from:2024-02 to:2025") == ["2024-02-01", "2025-12-31"])
    #expect(days("from:2024 on:2024-02 to:2023-05") == ["2024-02-01", "2023-05-31"])
    #expect(days("on:today") == ["2026-11-18", "2026-11-18"])
    #expect(days("on:yesterday") == ["2026-11-17", "2026-11-17"])
    #expect(days("after:2024-03-09 before:2025-01-01") == ["2024-03-10", "2024-12-31"])
    #expect(days("after:2023 on:2024") == ["2024-01-01", "2024-12-31"])
  }

  @Test func explainsInvalidFilters() {
    let problems = [
      "twig:banjo": "No twig is called “banjo”.", "branch:banjo": "No branch is called “banjo”.",
      "leaf:banjo": "No leaf is called “banjo”.",
      "kind:snow": "“snow” is not a kind of entry. Use water, sun or harvest.",
      "result:9": "“9” is not a result. Results go from 1 to 5; write 4, >=4 or 2-3.",
      "result:>5": "“>5” is not a result. Results go from 1 to 5; write 4, >=4 or 2-3.",
      "result:good": "“good” is not a result. Results go from 1 to 5; write 4, >=4 or 2-3.",
      "after:soon": "“soon” is not a date. Write it like 2024, 2024-03 or 2024-03-09.",
      "on:2024-13": "“2024-13” is not a date. Write it like 2024, 2024-03 or 2024-03-09.",
      "on:2023-02-29": "“2023-02-29” is not a date. Write it like 2024, 2024-03 or 2024-03-09.",
      "on:+024": "“+024” is not a date. Write it like 2024, 2024-03 or 2024-03-09.",
      "-kind:sun": "A filter can’t be excluded: “-kind:sun”.",
    ]
    for (text, problem) in problems {
      #expect(parse("river " + text).problems == [problem])
      #expect(parse("river " + text).filter.isEmpty)
    }
  }

  @Test func eachFilterHasTheTextWithoutIt() {
    let query = parse("high twig:cello  river kind:sun")
    #expect(query.filters.map(\.text) == ["twig:cello", "kind:sun"])
    #expect(parse("leaf:\"by the river\" high").filters.map(\.rest) == ["high"])
    #expect(query.filters.map(\.rest) == ["high river kind:sun", "high twig:cello  river"])
  }

  @Test func anExcerptIsTheSentenceWithTheMatch() {
    func excerpt(_ text: String, _ words: String...) -> (String, [String]) {
      let excerpt = Excerpt(of: text, finding: words.map { TextQuery.Term($0, isPrefix: true) })
      let bytes = Array(excerpt.text.utf8)
      return (excerpt.text, excerpt.marks.map { String(decoding: bytes[$0], as: UTF8.self) })
    }
    let long = Array(repeating: "word", count: 60).joined(separator: " ") + "."
    #expect(excerpt("Short text.", "tex") == ("Short text.", ["text"]))
    #expect(excerpt("No match\nhere.", "other") == ("No match here.", []))
    let middle = excerpt("\(long) The Flüsse were high. \(long)", "flusse", "high")
    #expect(middle == ("… The Flüsse were high. …", ["Flüsse", "high"]))
    let cut = excerpt("\(long.dropLast()) needle \(long)", "needle")
    #expect(cut.0.hasPrefix("… word") && cut.0.hasSuffix("word …") && cut.1 == ["needle"])
    #expect(cut.0.count < 200)
    #expect(excerpt("我在河边。今天跑步很开心。", "跑步").1 == ["跑步"])
    #expect(excerpt("", "x") == ("", []))
  }

  @Test func marksWordsAsTheIndexDoes() {
    func marked(_ text: String, _ terms: TextQuery.Term...) -> [String] {
      let bytes = Array(text.utf8)
      return Words(text).marks(of: terms).map { String(decoding: bytes[$0], as: UTF8.self) }
    }
    #expect(marked("für müde Füße: fürwahr", .init("fur", isPrefix: true)) == ["für", "fürwahr"])
    #expect(marked("für müde Füße: fürwahr", .init("fur")) == ["für"])
    #expect(marked("u\u{308}ber", .init("uber")) == ["u\u{308}ber"])
    #expect(marked("bar nine, bar ten", .init("bar ni", isPrefix: true)) == ["bar nine"])
    #expect(marked("one two three", .init("one two"), .init("two three")) == ["one two three"])
    #expect(marked("今天跑步", .init("跑步")) == ["跑步"])
    #expect(marked("well-known", .init("well-known")) == ["well-known"])
  }
}
