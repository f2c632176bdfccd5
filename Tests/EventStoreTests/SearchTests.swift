import TestSupport
import Testing
import TrunkDemo
import TrunkModel

@testable import EventStore

struct SearchTests {
  let folder: TemporaryFolder
  let store: EventStore

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.store()
  }

  private func seqs(_ query: String, types: Set<String>? = nil, only: Set<Int64>? = nil, limit: Int = 100) async throws
    -> [Int64]
  {
    try await store.search(query, types: types, seqs: only, limit: limit).map(\.seq)
  }

  @Test func findsWordsPhrasesAndPrefixes() async throws {
    _ = try await store.append([
      .water(1, "Ran along the river, tired but happy"), .water(2, "The river was high; ran home"),
      .water(3, "Übung macht den Meister: naïve café"),
    ])
    #expect(try await seqs("river") == [2, 1])
    #expect(try await seqs("RIVER ran") == [2, 1])
    #expect(try await seqs("\"the river\"") == [2, 1])
    #expect(try await seqs("\"ran home\"") == [2])
    #expect(try await seqs("\"home ran\"").isEmpty)
    #expect(try await seqs("„ran along“") == [1])
    #expect(try await seqs("riv") == [2, 1])
    #expect(try await seqs("riv ran").isEmpty)
    #expect(try await seqs("ran riv") == [2, 1])
    #expect(try await seqs("riv ") == [])
    #expect(try await seqs("ubung CAFÉ") == [3])
    #expect(try await seqs("naive") == [3])
  }

  @Test func resultsAreFilteredAndNewestFirst() async throws {
    let sun = Event(
      .sunShone(.init(twigID: "t", twigLabel: "apple", content: "apple", prompt: "pear")), at: .start.plus(30),
      clientID: "sun")
    _ = try await store.append([.water(50, "apple"), .water(10, "apple"), sun, .water(20, "apple")])
    #expect(try await seqs("apple") == [1, 3, 4, 2])
    #expect(try await seqs("apple", types: ["sprout_watered"]) == [1, 4, 2])
    #expect(try await seqs("apple", types: ["sun_shone"], only: [1, 3]) == [3])
    #expect(try await seqs("apple", limit: 2) == [1, 3])
    #expect(try await seqs("apple", limit: 0).isEmpty)
    #expect(try await seqs("pear").isEmpty)
  }

  @Test func snippetsMarkTheMatches() async throws {
    let long = Array(repeating: "word", count: 80).joined(separator: " ")
    _ = try await store.append([.water(1, "\(long) Grüße & <b>Küsse</b> \u{2}x\u{3} \(long)")])
    let result = try #require(try await store.search("gruße kus").first)
    #expect(result.instant == Instant.start.plus(1))
    #expect(result.snippet.hasPrefix("…") && result.snippet.hasSuffix("…"))
    #expect(result.snippet.contains("Grüße & <b>Küsse</b>  x "))
    let bytes = Array(result.snippet.utf8)
    #expect(result.marks.map { String(decoding: bytes[$0], as: UTF8.self) } == ["Grüße", "Küsse"])
  }

  @Test func marksAreRangesOfBytes() async throws {
    _ = try await store.append([.water(1, "für müde Füße: fürwahr")])
    let result = try #require(try await store.search("fur").first)
    let bytes = Array(result.snippet.utf8)
    #expect(result.marks.map { String(decoding: bytes[$0], as: UTF8.self) } == ["für", "fürwahr"])
  }

  @Test func removedAndReplacedEventsAreNotFound() async throws {
    let event = Event.water(1, "apple")
    _ = try await store.append([event], heldUntil: .start.plus(10))
    try await store.removeHeld(clientIDs: [try #require(event.clientID)], now: .start)
    #expect(try await seqs("apple").isEmpty)
    let texts = ["zebra", "bear"].map {
      #"{"type":"sprout_watered","sproutId":"s","content":"\#($0)","client_id":"1","timestamp":"2026-01-01T00:00:00Z"}"#
    }
    for text in texts { _ = try await store.merge([row(text == texts[0] ? 1 : 2, .json(text))]) }
    #expect(try await seqs("zebra").isEmpty)
    #expect(try await seqs("bear").count == 1)
    #expect(try await store.verify().searchDifferences.isEmpty)
  }

  @Test func aDamagedIndexIsDetectedAndRebuilt() async throws {
    _ = try await store.append([.water(1, "apple"), .water(2, "pear"), .water(3)])
    try folder.run("DELETE FROM journal WHERE rowid = 1; INSERT INTO journal (rowid, text) VALUES (3, 'x'), (9, 'y')")
    #expect(try await store.verify().searchDifferences == [1, 3, 9])
    try await store.rebuildSearchIndex()
    #expect(try await store.verify().searchDifferences.isEmpty)
    #expect(try await seqs("apple") == [1])
  }

  @Test func noInputIsTreatedAsSyntax() async throws {
    _ = try await store.append([.water(1, "NEAR apple AND text:pear OR (x) * ^y -z")])
    for query in ["", " ", "\"", "\"\"", "*", "!!!", "\0", "a\0b", "(", "text:", "-", "\u{301}", "\u{1F600}"] {
      _ = try await store.search(query)
    }
    #expect(try await seqs("AND") == [1])
    #expect(try await seqs("text:pear") == [1])
    #expect(try await seqs("NEAR(apple x)") == [1])
    #expect(try await seqs("apple !!! ???") == [1])
    #expect(try await seqs(Array(repeating: "apple", count: 5000).joined(separator: " ")) == [1])
    var random = SeededRandom(seed: 1)
    let alphabet = Array("ab\"'*():^-+{}[]\\~ANDORNEAR \t\n\0é\u{301}😀,;.%_“”«»中文")
    for _ in 0..<3000 {
      let query = String(
        (0..<Int.random(in: 0...12, using: &random)).map { _ in
          alphabet.randomElement(using: &random) ?? "a"
        })
      await #expect(throws: Never.self, "\(query.debugDescription)") { _ = try await store.search(query) }
    }
  }
}
