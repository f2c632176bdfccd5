import EventStore
import TestSupport
import Testing
import TrunkModel

@testable import TrunkKit

@MainActor
@Suite struct GardenSearchTests {
  private let fixture: GardenFixture
  private let cello: String

  init() async throws {
    fixture = try await GardenFixture()
    let model = fixture.model
    cello = try await fixture.plant("Learn the river prelude", leaf: .new(name: "River songs"))
    let run = try await fixture.plant("Run", on: "core/movement")
    try await model.water(cello, text: "Rivers all day. Bar nine held.", question: "What was new?")
    fixture.time.advance(seconds: 1)
    try await model.water(run, text: "Home early", question: "Which river did you see?")
    fixture.time.advance(seconds: 1)
    _ = try await model.createSeedling(on: try #require(Node(path: "core/sport")), title: "Swim", notes: "in the river")
  }

  private func search(_ text: String, limit: Int = 10) async throws -> SearchResults {
    try await GardenSearch(fixture.model.store).results(
      for: text, in: fixture.model.garden, at: fixture.model.now
    ) { _ in limit }
  }

  @Test func findsEachGroup() async throws {
    let found = try await search("river")
    #expect(found.counts == [.entries: 1, .questions: 1, .sprouts: 1, .leaves: 1, .seedlings: 1, .tree: 0, .pages: 0])
    func texts(_ group: SearchResults.Group) -> [String] { (found.hits[group] ?? []).map(\.excerpt.text) }
    #expect(texts(.entries) == ["Rivers all day. Bar nine held."])
    #expect(texts(.questions) == ["Which river did you see?"])
    #expect(texts(.sprouts) == ["Learn the river prelude"])
    #expect(texts(.leaves) == ["River songs"])
    #expect(texts(.seedlings) == ["in the river"])
    #expect(found.hits[.seedlings]?.first?.title == "Swim")
    #expect(found.hits[.sprouts]?.first?.place == .sprout(cello))
    #expect(found.hits[.entries]?.first?.excerpt.marks == [0..<6])
    #expect(
      found.items[.questions]?.map(\.seq)
        == found.hits[.questions]?.compactMap { hit in
          if case .entry(let item) = hit.place { item.seq } else { nil }
        })
    #expect(try await search("movement").hits[.tree]?.first?.place == .node(.twig(branch: 0, twig: 0)))
  }

  @Test func aLimitLeavesTheCounts() async throws {
    let found = try await search("river", limit: 0)
    #expect(found.count == 5)
    #expect(found.hits.values.allSatisfy { $0.isEmpty })
  }

  @Test func filtersNarrowEveryGroup() async throws {
    #expect(try await search("river branch:voice").counts[.seedlings] == 0)
    #expect(try await search("river branch:voice").counts[.sprouts] == 1)
    #expect(try await search("river kind:water").counts[.sprouts] == 0)
    #expect(try await search("river kind:water").counts[.entries] == 1)
    #expect(
      try await search("leaf:songs").counts == [
        .entries: 1, .questions: 0, .sprouts: 1, .leaves: 1, .seedlings: 0, .tree: 0, .pages: 0,
      ])
    #expect(try await search("river on:today").count == 5)
    #expect(try await search("river before:today").count == 0)
    #expect(try await search("-river").counts[.entries] == 0)
    #expect(try await search("-nine").counts[.entries] == 1)
  }

  @Test func suggestsFiltersAndGroupsWithResults() async throws {
    let nothing = try await search("river kind:sun before:2020")
    #expect(nothing.relaxed == [])
    let found = try await search("nine kind:sun")
    #expect(found.count == 0)
    #expect(found.relaxed == [.init(filter: "kind:sun", text: "nine", count: 1)])
    #expect(try await search("nothing").relaxed == [])
  }

  @Test(arguments: [
    // Distance 1; the spelling is that of the entry.
    ("nin", nil), ("nime", "nine"), ("bsr", "Bar"), ("Abr", "Bar"), ("rivrs", "Rivers"), ("erly", "early"),
    // Distance 2 from six letters on.
    ("prelud", nil), ("preluxx", "prelude"), ("homxx", nil), ("hoxx", nil), ("hx", nil),
    // Other words and filters stay; the search must have results.
    ("bar nime kind:water", "bar nine kind:water"), ("nime kind:sun", nil), ("nime -held", nil),
    ("nime \"bar nine\"", "nine \"bar nine\""), ("rever prelde", "river prelude"), ("zzzzzzz nime", nil),
    // Names count too, but not questions.
    ("swin", "Swim"), ("whicj", nil), ("whicj river", nil),
  ])
  func suggestsTheNearestWord(typed: String, meant: String?) async throws {
    #expect(try await search(typed).correction == meant, "\(typed)")
  }

  @Test func aDateIsSuggestedAsItsFilter() async throws {
    let day = fixture.model.garden.zone.dayKey(fixture.model.now)
    #expect(try await search("\(day)").correction == "on:\(day)")
    #expect(try await search("river \(day.year)").correction == "river on:\(day.year)")
    let month = Formats.monthName(day)
    for name in [month, month.lowercased(), Formats.shortMonth(day)] {
      #expect(try await search("\(name) \(day.year)").correction == "on:\(String(day.description.prefix(7)))")
    }
    #expect(try await search("1999-01-01").correction == nil, "nothing was written then")
  }

  @Test func theMostFrequentOfTheNearestWordsIsSuggested() async throws {
    let run = try #require(fixture.model.garden.sprouts.first { $0.title == "Run" })
    for text in ["the cello", "the bello", "a cello"] {
      fixture.time.advance(days: 1)
      try await fixture.model.water(run.id, text: text, question: "")
    }
    #expect(try await search("ello").correction == "cello")
    #expect(try await search("celo").correction == "cello")
    #expect(try await search("cell").count == 2, "the beginning of a word is no mistake")
  }

  @Test func aPastedTextIsNotCorrected() async throws {
    #expect(try await search("nime " + String(repeating: "bar ", count: 8)).correction == nil)
  }

  @Test func aProblemFindsNothing() async throws {
    let found = try await search("river twig:banjo")
    #expect(found.query.problems.count == 1)
    #expect(found.count == 0)
    #expect(found.relaxed.first?.count == 5)
  }

  @Test func aCancelledSearchEnds() async throws {
    let (search, garden, now) = (GardenSearch(fixture.model.store), fixture.model.garden, fixture.model.now)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await search.results(for: "river", in: garden, at: now) { _ in 1 }.count
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func findsEntriesWrittenSinceTheLastSearch() async throws {
    let (search, model) = (GardenSearch(fixture.model.store), fixture.model)
    func count(_ text: String) async throws -> Int {
      try await search.results(for: text, in: model.garden, at: model.now) { _ in 1 }.count
    }
    #expect(try await count("violin") == 0)
    _ = try await fixture.plant("Violin")
    #expect(try await count("violin") > 0)
  }
}
