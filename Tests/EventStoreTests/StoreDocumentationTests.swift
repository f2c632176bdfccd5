import EventStore
import TemporaryFolders
import TestSupport
import Testing
import TrunkModel

@Suite struct StoreDocumentationTests {
  @Test func theExamplesOfTheArticleWork() async throws {
    let temporary = try TemporaryFolder.forGarden()
    let folder = temporary.garden
    let now = Instant.start
    let (watered, mistake) = (Event.water(1), Event.water(2))
    let mistakeID = try #require(mistake.clientID)

    let store = try await EventStore.open(folder: folder)
    let result = try await store.append([watered])
    #expect(result.outcomes == [.inserted(seq: 1)])
    let repeated = try await store.append([watered])
    #expect(repeated.outcomes == [.duplicate(of: 1)])

    _ = try await store.append([mistake], undoableUntil: now.adding(seconds: 5))
    try await store.undo(clientIDs: [mistakeID], now: now)
    #expect(try await store.count() == 1)

    let events = try await store.events(afterSeq: 0)
    #expect(events.map(\.event.raw) == [watered.raw])
  }

  @Test func theTestContainsEveryExample() throws {
    #expect(try untestedExamples(of: "Sources/EventStore/EventStore.docc/EventStore.md") == [])
  }
}
