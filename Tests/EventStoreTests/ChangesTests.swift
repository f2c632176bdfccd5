import TemporaryFolders
import Testing

@testable import EventStore

struct ChangesTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder.forGarden() }

  @Test func writesByOtherStoresAreReported() async throws {
    let (mine, other) = (try folder.store(), try folder.store())
    var changes = try await mine.changes().makeAsyncIterator()
    for number in 1...50 {
      _ = try await other.append([.water(Int64(number))])
      await changes.next()
      #expect(try await mine.count() == number)
    }
    try await other.save(Draft(key: DraftKey(kind: "", entity: "", day: ""), text: "x", updated: .start))
    await changes.next()
    #expect(try await mine.drafts().count == 1)
  }

  @Test func ownWritesAreNotReported() async throws {
    let (mine, other) = (try folder.store(), try folder.store())
    let changes = try await mine.changes()
    for number in 1...20 { _ = try await mine.append([.water(Int64(number))]) }
    // The only write that must be reported.
    _ = try await other.append([.water(100)])
    var count = 0
    for await _ in changes {
      count += 1
      break
    }
    #expect(count == 1)
    #expect(try await mine.count() == 21)
  }

  @Test func everyListenerIsNotified() async throws {
    let (mine, other) = (try folder.store(), try folder.store())
    var first = try await mine.changes().makeAsyncIterator()
    var second = try await mine.changes().makeAsyncIterator()
    _ = try await other.append([.water(1)])
    await first.next()
    await second.next()
  }
}
