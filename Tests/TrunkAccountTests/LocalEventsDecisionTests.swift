import EventStore
import TemporaryFolders
import Testing
import TrunkModel

@testable import TrunkAccount
@testable import TrunkKit

/// Tests which local events count as uploaded.
@Suite struct LocalEventsDecisionTests {
  private func identities(_ titles: [String]) async throws -> [LocalIdentity] {
    let folder = try TemporaryFolder("trunk-sync", isInMemory: true).created()
    let store = try await EventStore.open(folder: folder.path + "/garden")
    let start = Instant(milliseconds: 1_770_000_000_000)
    _ = try await store.append(
      titles.map { Event(.leafCreated(.init(leafID: $0, twigID: "t", name: $0)), at: start, clientID: $0) })
    return try await store.localIdentities()
  }

  @Test func uploadedEventsAreDecided() async throws {
    let events = try await identities(["a", "b", "c"])
    let decision = LocalEventsDecision(text: LocalEventsDecision(uploaded: Array(events.prefix(2))).text)
    #expect(decision.undecided(events).map(\.identity) == ["c"])
    #expect(LocalEventsDecision.open.undecided(events).count == 3)
    #expect(LocalEventsDecision(text: "kept").undecided(events).count == 3)
  }

  /// As after the file was recovered or created again.
  @Test(arguments: [["x", "y", "z"], ["a", "c"], ["b", "a"], ["a"], []])
  func otherEventsWithTheSameNumbersAreUndecided(titles: [String]) async throws {
    let decision = LocalEventsDecision(uploaded: try await identities(["a", "b"]))
    let events = try await identities(titles)
    #expect(decision.undecided(events).map(\.identity) == titles)
  }

  @Test(arguments: [nil, "", "7", "x y", "1 2 3", "kept 1"]) func anUnknownTextIsNoDecision(text: String?) {
    #expect(LocalEventsDecision(text: text) == .open)
  }
}
