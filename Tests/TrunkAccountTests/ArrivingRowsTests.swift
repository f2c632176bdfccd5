import EventStore
import Foundation
import SyncEngine
import TestSupport
import Testing
import TrunkModel

@testable import TrunkAccount
@testable import TrunkKit

extension AccountFileTests {
  /// Tests how rows that the engine has merged reach the garden, without a watch on the file.
  @MainActor @Suite struct ArrivingRowsTests {
    private let service = RowService()
    private let clock = TestClock()
    private let vault = MemoryVault()
    private let fixture: GardenFixture
    private let current: SignedInAccount
    private let accountModel: AccountModel

    init() async throws {
      // Don't overwrite the account of the user who runs the tests: Tests/run makes both folders.
      let run = URL(fileURLWithPath: NSTemporaryDirectory()).deletingLastPathComponent().path
      try #require(run != "/" && Folders.gardens.hasPrefix(run + "/"))
      fixture = try await GardenFixture()
      let serverSettings = try ServerSettings(backend: .trunk, url: "https://example.org", key: "")
      let signIn = SignIn(server: serverSettings.url, service: service, vault: vault, clock: clock)
      let outcome = try await signIn.verify(email: "ada@example.org", code: "123456")
      current = SignedInAccount(account: outcome.session.account, serverSettings: serverSettings)
      accountModel = AccountModel(
        fixture.model, current: current, settings: Settings(folder: fixture.folder + "/config"), fresh: outcome,
        dependencies: Dependencies(
          service: { [service] _ in SyncService(service) }, vault: vault, clock: clock,
          wakes: { AsyncStream { $0.finish() } },
          log: { _ in }))
      try FileManager.default.createDirectory(atPath: Folders.gardens, withIntermediateDirectories: true)
      try AccountFile().save(current)
    }

    private var titles: [String] { fixture.model.garden.seedlings.map(\.title).sorted() }

    private func seedling(_ title: String) -> Event {
      fixture.time.advance(seconds: 1)
      let now = fixture.time.now
      return Event(
        .seedlingCreated(.init(seedlingID: "seedling-\(title)", twigID: "branch-0-twig-0", title: title)), at: now,
        clientID: Event.clientID(at: now, random: 1))
    }

    @Test func catchingUpWithoutAWindowBringsTheRows() async throws {
      service.add(seedling("a"))
      await accountModel.catchUp(within: 10)
      #expect(titles == ["a"])
      await accountModel.stop()
    }

    @Test func catchingUpWaitsOnlyForTheGivenTime() async throws {
      await accountModel.catchUp(within: 10)
      service.add(seedling("a"))
      service.hold()
      let catchUp = Task { await accountModel.catchUp(within: 10) }
      await wait { service.isWaiting }
      clock.advance(seconds: 11)
      await catchUp.value
      #expect(titles == [])
      service.release()
      await accountModel.stop()
    }

    /// Starts syncing and waits until the first row is in the garden and the engine is idle.
    private func start() async throws {
      service.add(seedling("a"))
      accountModel.start()
      await wait { accountModel.status.phase == .synced && service.hasListener }
      // The engine syncs once more when the connection is live.
      #expect(try await accountModel.sync().problem == nil)
    }

    /// Also returns when the test's time limit cancels it.
    private func wait(until isDone: () -> Bool) async {
      while !isDone(), !Task.isCancelled { await Task.yield() }
    }

    enum Way: CaseIterable {
      case page, fullDownload, live
    }

    @Test(arguments: Way.allCases) func mergedRowsAreShownWithoutAWatch(way: Way) async throws {
      try await start()
      #expect(titles == ["a"])
      service.add(seedling("b"), isReported: way == .live)
      // A sync that was running already may have read the rows before.
      repeat {
        switch way {
        case .page: #expect(try await accountModel.sync().problem == nil)
        case .fullDownload: #expect(try await accountModel.sync(.allRows).problem == nil)
        case .live: await Task.yield()
        }
      } while titles != ["a", "b"] && !Task.isCancelled
      #expect(titles == ["a", "b"])
      await accountModel.stop()
      try await fixture.expectModelMatchesLog()
    }

    /// Events are not shown while the initial sync is running.
    @Test func anIncompleteDownloadIsNotShown() async throws {
      #expect(accountModel.status.phase == .initialSync)
      _ = try await fixture.anotherModel().store.append([seedling("a")])
      try await fixture.model.refreshIfAllowed()
      #expect(titles.isEmpty)
    }

    /// If another program has signed out and removed the garden, it is closed and never shown as empty.
    @Test func aGardenThatWasRemovedElsewhereIsClosed() async throws {
      try await start()
      var changes = 0
      accountModel.onAccountChange = { outcome in
        #expect(outcome == nil)
        changes += 1
      }
      let other = try await EventStore.open(folder: fixture.model.store.folder)
      try AccountFile().save(nil)
      // The other program is still signing out, so nothing is shown and nothing is closed yet.
      _ = try await other.append([seedling("b")])
      try await fixture.model.refreshIfAllowed()
      #expect(titles == ["a"] && changes == 0)
      await vault.remove(current.account)
      try await other.clear()
      // A sync that was running may have brought rows into the empty garden. Then the next one leaves it, and fails
      // because the garden is closed.
      repeat {
        try await fixture.model.refreshIfAllowed()
        _ = try? await accountModel.sync()
      } while changes == 0 && !Task.isCancelled
      #expect(titles == ["a"] && changes == 1)
      try await fixture.model.refreshIfAllowed()
      #expect(titles == ["a"] && changes == 1)
      await accountModel.stop()
    }

    /// While this program removes the garden, the empty garden isn't shown.
    @Test func signingOutShowsNoEmptyGarden() async throws {
      try await start()
      accountModel.isLeaving = true
      try await EventStore.open(folder: fixture.model.store.folder).clear()
      try await fixture.model.refreshIfAllowed()
      #expect(titles == ["a"])
      await accountModel.stop()
    }
  }
}
