import SQLiteKit
import TemporaryFolders
import Testing
import TrunkModel

@testable import EventStore

struct SearchTests {
  let folder: TemporaryFolder
  let store: EventStore

  init() throws {
    folder = try TemporaryFolder.forGarden()
    store = try folder.store()
  }

  private func seqs(_ terms: TextQuery.Term..., without excluded: [TextQuery.Term] = []) async throws -> [Int64] {
    let matches = try await store.matches(TextQuery(terms, excluding: excluded))
    return try await store.newest(of: matches?.texts ?? [], limit: 100)
  }

  @Test func findsWordsPhrasesAndPrefixes() async throws {
    _ = try await store.append([
      .water(1, "Ran along the river, tired but happy"), .water(2, "The river was high; ran home"),
      .water(3, "Übung macht den Meister: naïve café"),
    ])
    #expect(try await seqs(.init("river")) == [2, 1])
    #expect(try await seqs(.init("RIVER"), .init("ran")) == [2, 1])
    #expect(try await seqs(.init("the river")) == [2, 1])
    #expect(try await seqs(.init("ran home")) == [2])
    #expect(try await seqs(.init("home ran")).isEmpty)
    #expect(try await seqs(.init("riv", isPrefix: true), .init("ran")) == [2, 1])
    #expect(try await seqs(.init("riv")).isEmpty)
    #expect(try await seqs(.init("ran ho", isPrefix: true)) == [2])
    #expect(try await seqs(.init("ubung"), .init("CAFÉ")) == [3])
    #expect(try await seqs(.init("naive")) == [3])
  }

  @Test func findsLettersWithoutDecomposition() async throws {
    _ = try await store.append([
      .water(1, "Die Große Straße"), .water(2, "ışık İstanbul"), .water(3, "Øresund, Łódź, Đakovo, Ærø, œuvre, Þór"),
      .water(4, "мой ёж"), .water(5, "мои\u{306} е\u{308}ж"), .water(6, "мои"),
    ])
    for word in ["strasse", "STRASSE", "straße", "grosse"] { #expect(try await seqs(.init(word)) == [1], "\(word)") }
    for word in ["isik", "ışık", "istanbul"] { #expect(try await seqs(.init(word)) == [2], "\(word)") }
    for word in ["oresund", "lodz", "dakovo", "aero", "oeuvre", "thor"] {
      #expect(try await seqs(.init(word)) == [3], "\(word)")
    }
    for word in ["еж", "Ёж", "мой"] { #expect(try await seqs(.init(word)) == [5, 4], "\(word)") }
    #expect(try await seqs(.init("мои")) == [6], "й is a separate letter")
  }

  @Test func theVocabularyIsOfTextsOnly() async throws {
    _ = try await store.append([.water(1, "The cello, the Übung"), .water(2, "A cello")])
    #expect(try await store.vocabulary(lengths: 5...5) == ["cello": 2, "ubung": 1])
    #expect(try await store.vocabulary(lengths: 1...3) == ["a": 1, "the": 1])
    _ = try await store.append([.water(3, "cellos")])
    #expect(try await store.vocabulary(lengths: 5...6)["cellos"] == 1, "it follows the index")
    try await store.rebuildSearchIndex()
    #expect(try await store.vocabulary(lengths: 5...5)["cello"] == 2)
  }

  @Test func excludedWordsMustNotOccur() async throws {
    _ = try await store.append([.water(1, "river high"), .water(2, "river low"), .water(3, "home"), .water(4)])
    #expect(try await seqs(.init("river"), without: [.init("high")]) == [2])
    #expect(try await seqs(.init("river"), without: [.init("hi", isPrefix: true), .init("low")]).isEmpty)
    #expect(try await seqs(without: [.init("river")]) == [3])
    #expect(try await store.matches(TextQuery()) == nil)
    #expect(try await store.matches(TextQuery([.init("!")], excluding: [.init("?")])) == nil)
  }

  /// Chinese, Japanese and Thai write no spaces between words.
  @Test func findsWordsInScriptsWithoutSpaces() async throws {
    _ = try await store.append([
      .water(1, "今天我在河边跑步，很开心。"), .water(2, "毎日チェロを練習する"), .water(3, "วันนี้ฉันวิ่งริมแม่น้ำ"),
      .water(4, "跑 river 步"),
    ])
    #expect(try await seqs(.init("跑步")) == [1])
    #expect(try await seqs(.init("跑步", isPrefix: true)) == [1])
    #expect(try await seqs(.init("步跑")).isEmpty)
    #expect(try await seqs(.init("チェロ")) == [2])
    #expect(try await seqs(.init("練習")) == [2])
    #expect(try await seqs(.init("แม่น้ำ")) == [3])
    #expect(try await seqs(.init("river")) == [4])
    #expect(try await seqs(.init("练习")).isEmpty)
  }

  @Test func wordsOfQuestionsAreFoundSeparately() async throws {
    let asked = Event(
      .sproutWatered(.init(sproutID: "s", content: "bar nine", prompt: "Who is this for?")), at: .start.plus(1),
      clientID: "asked")
    let silent = Event(
      .sproutWatered(.init(sproutID: "s", content: "", prompt: "Who laughed?")), at: .start.plus(2), clientID: "silent")
    _ = try await store.append([asked, silent, .water(3, "who else?")])
    #expect(try await store.matches(TextQuery([.init("who")])) == TextMatches(texts: [3], questions: [1, 2]))
    let both = TextQuery([.init("who"), .init("nine")])
    #expect(try await store.matches(both) == TextMatches(questions: [1]))
    #expect(try await store.matches(TextQuery([.init("nine")], excluding: [.init("who")])) == TextMatches())
  }

  @Test func resultsAreNewestFirst() async throws {
    let sun = Event(
      .sunShone(.init(twigID: "t", twigLabel: "apple", content: "apple", prompt: "pear")), at: .start.plus(30),
      clientID: "sun")
    _ = try await store.append([.water(50, "apple"), .water(10, "apple"), sun, .water(20, "apple")])
    #expect(try await seqs(.init("apple")) == [1, 3, 4, 2])
    #expect(try await store.newest(of: [1, 2, 3, 4], limit: 2) == [1, 3])
    #expect(try await store.newest(of: [1, 2], limit: 0).isEmpty)
    #expect(try await store.newest(of: Set(1...2000), limit: 3) == [1, 3, 4])
  }

  /// The index of an older version lacks questions and doesn't divide scripts without spaces. The first search rebuilds
  /// it.
  @Test func anOlderIndexIsRebuilt() async throws {
    let older = try TemporaryFolder.forGarden()
    try PrivateFiles.makeFolder(older.garden)
    let migrations = Array(Schema.migrations.prefix { $0.name != "search in questions" })
    let store = try EventStore(folder: older.garden, options: ConnectionOptions(migrations: migrations))
    try older.run("DROP TABLE journal; CREATE VIRTUAL TABLE journal USING fts5 (text, columnsize = 0)")
    try older.run(
      """
      INSERT INTO events (type, entity, upload, sha256, raw) VALUES ('sprout_watered', 's', 0, zeroblob(32),
      '{"type":"sprout_watered","sproutId":"s","content":"河边跑步","prompt":"Who?","timestamp":"2026-01-01T00:00:00Z"}');
      INSERT INTO journal (rowid, text) VALUES (1, '河边跑步')
      """)
    withExtendedLifetime(store) {}
    let newer = try older.store()
    #expect(try await newer.matches(TextQuery([.init("跑步")])) == TextMatches(texts: [1]))
    #expect(try await newer.matches(TextQuery([.init("who")])) == TextMatches(questions: [1]))
  }

  @Test func removedAndReplacedEventsAreNotFound() async throws {
    let event = Event.water(1, "apple")
    _ = try await store.append([event], undoableUntil: .start.plus(10))
    try await store.undo(clientIDs: [try #require(event.clientID)], now: .start)
    #expect(try await seqs(.init("apple")).isEmpty)
    let texts = ["zebra", "bear"].map {
      #"{"type":"sprout_watered","sproutId":"s","content":"\#($0)","client_id":"1","timestamp":"2026-01-01T00:00:00Z"}"#
    }
    for text in texts { _ = try await store.merge([row(text == texts[0] ? 1 : 2, .json(text))]) }
    #expect(try await seqs(.init("zebra")).isEmpty)
    #expect(try await seqs(.init("bear")).count == 1)
    #expect(try await store.verify().searchDifferences.isEmpty)
  }

  @Test func aDamagedIndexIsDetectedAndRebuilt() async throws {
    _ = try await store.append([.water(1, "apple"), .water(2, "pear"), .water(3)])
    try folder.run("DELETE FROM journal WHERE rowid = 1; INSERT INTO journal (rowid, text) VALUES (3, 'x'), (9, 'y')")
    #expect(try await store.verify().searchDifferences == [1, 3, 9])
    try await store.rebuildSearchIndex()
    #expect(try await store.verify().searchDifferences.isEmpty)
    #expect(try await seqs(.init("apple")) == [1])
  }

  /// Damage of the index, which has only copies of what is in the log.
  private static let damage = [
    "UPDATE journal_data SET block = x'cd072cd8be6f9f62ac4c09c28206e7e35594aa6b342f5d0a3a5e4842fab428f7'",
    // Names a size for which there is no memory.
    "UPDATE journal_data SET block = x'380b01925c24d12a9d05daa1c127b43b252a27d1fa433cd79388fc4691969d7a'",
    "UPDATE journal_data SET block = zeroblob(length(block))",
    "UPDATE journal_config SET v = 99 WHERE k = 'version'", "DROP TABLE journal", "DELETE FROM journal_idx",
    "DELETE FROM journal_data", "DELETE FROM journal_content",
  ]

  /// It would keep the user from writing for ever: the file is intact otherwise, so nothing would repair it.
  @Test(arguments: damage) func aDamagedIndexKeepsNothingFromBeingWritten(damage: String) async throws {
    _ = try await store.append([.water(1, "apple"), .water(2, "pear")])
    try folder.run(damage)
    let other = try folder.store()
    _ = try await other.append([.water(3, "plum")], undoableUntil: .start.plus(10))
    try await other.save(Draft(key: DraftKey(kind: "water", entity: "s", day: ""), text: "fig", updated: .start))
    try await other.undo(clientIDs: [try #require(Event.water(3, "plum").clientID)], now: .start)
    _ = try await other.append([.water(4, "cherry")])
    #expect(try await other.count() == 3)
    _ = try await other.verify()
    try await other.rebuildSearchIndex()
    #expect(try await other.verify().searchDifferences.isEmpty)
    for (text, seq) in [("apple", 1), ("pear", 2), ("cherry", 4)] {
      #expect(try await other.matches(TextQuery([.init(text)]))?.texts == [Int64(seq)], "\(text)")
    }
  }

  @Test(arguments: damage) func aDamagedIndexIsNoticedBySearchOrCheck(damage: String) async throws {
    _ = try await store.append([.water(1, "apple"), .water(2, "pear")])
    try folder.run(damage)
    let other = try folder.store()
    if try await other.matches(TextQuery([.init("apple")]))?.texts != [1] {
      #expect(try await other.verify().searchDifferences == [1, 2])
      try await other.rebuildSearchIndex()
    }
    #expect(try await other.verify().isSound)
    #expect(try await other.matches(TextQuery([.init("apple")]))?.texts == [1])
    #expect(try await other.matches(TextQuery([.init("pear")]))?.texts == [2])
  }

  @Test func inputIsNeverTreatedAsSyntax() async throws {
    _ = try await store.append([.water(1, "NEAR apple AND text:pear OR (x) * ^y -z")])
    for query in ["", " ", "\"", "\"\"", "*", "!!!", "\0", "a\0b", "(", "text:", "-", "\u{301}", "\u{1F600}"] {
      _ = try await store.matches(TextQuery([.init(query)], excluding: [.init(query, isPrefix: true)]))
    }
    #expect(try await seqs(.init("AND")) == [1])
    #expect(try await seqs(.init("text:pear")) == [1])
    #expect(try await seqs(.init("NEAR(apple")) == [1])
    #expect(try await seqs(.init("apple"), .init("!!!")) == [1])
    #expect(try await store.find(Array(repeating: "apple", count: 5000).joined(separator: " ")) == [1])
    var random = SeededRandom(seed: 1)
    let alphabet = Array("ab\"'*():^-+{}[]\\~ANDORNEAR \t\n\0é\u{301}😀,;.%_“”«»中文")
    for _ in 0..<3000 {
      let text = String(
        (0..<Int.random(in: 0...12, using: &random)).map { _ in
          alphabet.randomElement(using: &random) ?? "a"
        })
      let query = TextQuery([.init(text, isPrefix: text.count % 2 == 0)], excluding: [.init("z")])
      await #expect(throws: Never.self, "\(text.debugDescription)") { _ = try await store.matches(query) }
    }
  }
}
