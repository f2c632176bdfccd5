import EventStore
import Foundation
import SQLiteKit
import SyncEngine
import TestSupport
import Testing

@testable import TrunkAccount
@testable import TrunkKit

extension AccountFileTests {
  @MainActor @Suite struct AccountModelTests {
    private struct Broken: Error {}

    @MainActor private final class FailingStore {
      var tries = 0
      var isWritable = false
    }

    private let serverSettings: ServerSettings
    private let clock = TestClock()
    private let fixture: GardenFixture

    init() async throws {
      serverSettings = try ServerSettings(backend: .trunk, url: "https://example.org", key: "")
      fixture = try await GardenFixture()
    }

    /// The model of an account that has just signed in.
    private func signedIn() async throws -> AccountModel {
      let vault = MemoryVault()
      let signIn = SignIn(server: serverSettings.url, service: RowService(), vault: vault, clock: clock)
      let outcome = try await signIn.verify(email: "ada@example.org", code: "123456")
      let dependencies = Dependencies(
        service: { _ in SyncService(RowService()) }, vault: vault, clock: clock, wakes: { AsyncStream { $0.finish() } },
        log: { _ in })
      return AccountModel(
        fixture.model,
        current: SignedInAccount(account: outcome.session.account, serverSettings: serverSettings),
        settings: Settings(folder: fixture.folder + "/config"), fresh: outcome, dependencies: dependencies)
    }

    /// The garden can't be opened for syncing, because it is bound to another server.
    @Test func openingTheEngineIsRetried() async throws {
      try await fixture.model.store.set("https://other.example.org", for: .server)
      let accountModel = try await signedIn()
      accountModel.start()
      try await until { accountModel.status.phase == .offline }
      guard case .store(.otherServer) = accountModel.status.failure else {
        Issue.record("unexpected: \(String(describing: accountModel.status.failure))")
        return
      }
      await #expect(throws: StoreError.self) { try await accountModel.sync() }
      try await fixture.model.store.set(serverSettings.url, for: .server)
      #expect(try await accountModel.sync().problem == nil, "a request doesn't wait for the next try")
      clock.advance(seconds: 2)
      try await until { accountModel.status.phase == .synced }
      await accountModel.stop()
    }

    /// Otherwise a new sign-in would look empty and unsynced until something else happens.
    @Test(arguments: [StoreError.busy, Broken()] as [any Error])
    func aFailedUpdateOfTheGardenIsRetriedSoon(failure: any Error) async throws {
      let accountModel = try await signedIn()
      #expect(accountModel.status.phase == .initialSync)
      let store = FailingStore()
      accountModel.refreshGarden = {
        store.tries += 1
        if !store.isWritable { throw failure }
      }
      accountModel.start()
      try await until { store.tries > 0 }
      #expect(await clock.nextWakeUp() <= 2000)
      #expect(accountModel.status.phase != .synced)
      // The report of a failed sync includes the reason.
      #expect((accountModel.status.phase == .offline) == (accountModel.status.failure != nil))
      store.isWritable = true
      clock.advance(seconds: 2)
      try await until { accountModel.status.phase == .synced }
      #expect(accountModel.status.failure == nil)
      await accountModel.stop()
    }

    @Test func signingOutSavesWhatIsTyped() async throws {
      let accountModel = try await signedIn()
      accountModel.saveDrafts = { _ in throw StoreError.busy }
      await #expect(throws: StoreError.busy) {
        try await accountModel.signOut.run(after: ServerComparison(missing: []))
      }
      #expect(!accountModel.isLeaving, "nothing has changed")
      let model = fixture.model
      accountModel.saveDrafts = { _ in try await model.save(DraftContent("Slow bow", .sun, about: "")) }
      let result = try await accountModel.signOut.run(after: ServerComparison(missing: []), surveysCopies: false)
      #expect(try await model.unfinished(.sun, about: "") == nil)
      let copy = try Database(path: result.copy.path, mode: .immutable, busyTimeout: 0)
      #expect(try copy.all("SELECT text FROM drafts") { $0.text(0) } == ["Slow bow"])
    }

    /// Removes what a test wrote before the sign-in, so that the next one doesn't find it.
    private func removeLocalGarden() {
      do { try FileManager.default.removeItem(atPath: Folders.garden()) } catch { Issue.record("\(error)") }
    }

    /// They would be hidden until the user signs out.
    @Test func unfinishedTextsComeWithTheEntriesFromBeforeTheSignIn() async throws {
      defer { removeLocalGarden() }
      let local = try await GardenModel.open(folder: Folders.garden(), clock: fixture.time.clock)
      var form = GardenModel.PlantForm(twig: .twig(branch: 2, twig: 0))
      form.title = "Learn the cello prelude"
      let id = try await local.plant(form)
      let reflection = DraftContent("Half a thought", .sun, about: "")
      try await local.save(DraftContent("Slow bow", .water, about: id))
      try await local.save(reflection)
      let (accountModel, model) = (try await signedIn(), fixture.model)
      try await model.save(DraftContent("and another", .sun, about: ""))
      #expect(try await accountModel.localUpload.run().count == 2)
      #expect(try await model.unfinished(.water, about: id)?.text == "Slow bow")
      #expect(try await model.unfinished(.sun, about: "")?.text == "Half a thought\nand another")
      #expect(try await local.unfinished(.sun, about: "") == reflection, "nothing leaves the local garden")

      try await model.water(id, text: "Slow bow", question: nil)
      try await local.plant(form)
      #expect(try await accountModel.localUpload.run().count == 2)
      #expect(try await model.unfinished(.water, about: id) == nil, "it is finished")
      #expect(try await model.unfinished(.sun, about: "")?.text == "Half a thought\nand another")
    }

    /// A user who had only begun a text before the sign-in would think that it is lost.
    @Test func unfinishedTextsAloneCanBeAddedToTheAccount() async throws {
      defer { removeLocalGarden() }
      let local = try await GardenModel.open(folder: Folders.garden(), clock: fixture.time.clock)
      try await local.save(DraftContent("Half a thought", .sun, about: ""))
      let (accountModel, model) = (try await signedIn(), fixture.model)
      let upload = accountModel.localUpload
      #expect(try await upload.contents() == LocalContents(entries: 0, drafts: 1))
      #expect(try await upload.isDeclined() == false)
      let result = try await upload.run()
      #expect(result.count == 0 && result.drafts == 1)
      #expect(try await model.unfinished(.sun, about: "")?.text == "Half a thought")
      #expect(try await upload.contents().isEmpty)
      // What the user has discarded in the account is not offered again, but a new text is.
      try await model.save(DraftContent("", .sun, about: ""))
      #expect(try await upload.contents().isEmpty)
      try await local.save(DraftContent("Another thought", .sun, about: ""))
      #expect(try await upload.contents() == LocalContents(entries: 0, drafts: 1))
      try await upload.decline()
      #expect(try await upload.isDeclined())
    }

    /// The file was copied from the folder of another account.
    @Test func aGardenOfAnotherAccountIsNotSynced() async throws {
      try await fixture.plant("Learn the cello prelude")
      try await fixture.model.store.bind(to: serverSettings.url, account: "someone-else")
      let accountModel = try await signedIn()
      await #expect(throws: StoreError.otherAccount(path: fixture.model.store.folder + "/garden.db")) {
        try await accountModel.sync()
      }
    }
  }
}
