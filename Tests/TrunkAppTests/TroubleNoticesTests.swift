import CGtk
import EventStore
import GtkKit
import TrunkKit
import TrunkModel
import WidgetTestSupport
import XCTest

@testable import SyncEngine
@testable import TrunkAccount
@testable import TrunkApp

final class TroubleNoticesTests: WidgetTestCase {
  private static let rejected = "The server rejected 2 entries. They are safe on this computer."
  private static let unsent = "Entries from more than three days ago have not reached the server."

  func testANoticeIsPutOffForTheDay() throws {
    try withNotices { garden, account in
      account.set { ($0.phase, $0.rejected) = (.rejected, 2) }
      waitFor("the notice") { garden.texts.contains(TroubleNoticesTests.rejected) }
      garden.press("Not Now")
      waitFor("the line") { !garden.texts.contains(TroubleNoticesTests.rejected) }
      account.set { $0.rejected = 3 }
      waitForFrames(3, of: garden.window)
      XCTAssertNil(garden.context.foot.trouble, "once a day")
      let (settings, today) = (Settings(folder: garden.folder.path + "/config"), garden.context.today)
      XCTAssertEqual(settings.noticesPutOff(on: today), ["rejected"], "also after a restart")
      XCTAssertEqual(settings.noticesPutOff(on: today.adding(days: 1)), [])
    }
  }

  func testEntriesThatWaitForThreeDaysAreToldIfThereIsANetwork() throws {
    // The oldest entry of the demo is older.
    try withNotices { garden, account in
      account.set { ($0.phase, $0.pending, $0.hasNetwork) = (.offline, 4, false) }
      waitForFrames(3, of: garden.window)
      XCTAssertNil(garden.context.foot.trouble, "without a network the user can't do anything")
      account.set {
        ($0.hasNetwork, $0.failure) = (true, .service(.unavailable(status: 503, code: "", retryAfter: nil)))
      }
      waitFor("the notice") { garden.texts.contains(TroubleNoticesTests.unsent) }
      garden.picture("unsent")
      account.set { $0.phase = .syncing }
      waitForFrames(3, of: garden.window)
      XCTAssertTrue(garden.texts.contains(TroubleNoticesTests.unsent), "it stays while a sync runs")
      account.set { ($0.phase, $0.pending, $0.failure) = (.synced, 0, nil) }
      waitFor("the line") { garden.context.foot.trouble == nil }
    }
    let young = Seeds.event(
      .seedlingCreated(.init(seedlingID: "a", twigID: "branch-0-twig-0", title: "A", notes: nil)), daysAgo: 2.9, 1)
    try withNotices([young]) { garden, account in
      account.set { ($0.phase, $0.pending, $0.lastSuccess) = (.pendingUpload, 1, GardenWindow.now) }
      waitForFrames(3, of: garden.window)
      XCTAssertNil(garden.context.foot.trouble)
    }
  }

  func testTheNoticeOfAnEarlierGardenGoesWithIt() throws {
    try withNotices { garden, account in
      account.set { ($0.phase, $0.rejected) = (.rejected, 2) }
      waitFor("the notice") { garden.context.foot.trouble != nil }
      account.set { ($0.phase, $0.rejected) = (.synced, 0) }
      _ = TroubleNotices(garden.context)
      XCTAssertNil(garden.context.foot.trouble)
    }
  }

  func testAMissingKeyringIsToldOnTodayUntilItIsRead() throws {
    try MainActor.assumeIsolated {
      let message = "This desktop has no keyring that can store your sign-in. You stay signed in until Trunk is closed."
      let stored = StoredSession(
        account: Account(server: "https://trunk.example", userID: "a"), email: "a@trunk.example", accessToken: "a",
        refreshToken: "a", expiresAt: 0)
      let session = SignIn.Outcome(session: stored, vaultProblem: .noService, profile: nil)
      for (width, events) in [(900, Seeds.demo), (360, Seeds.demo), (900, []), (360, [])] {
        let garden = try GardenWindow(events, width: width, session: session)
        defer { garden.close() }
        let notices = TroubleNotices(garden.context)
        let today = TodayView(garden.context)
        today.isNarrow = width < 600
        garden.present(today.widget)
        waitFor("the card") { garden.texts.contains(message) }
        XCTAssertNil(garden.context.foot.trouble, "once is enough")
        XCTAssertLessThanOrEqual(minimumWidth(of: today.widget), 360)
        garden.picture("keyring-\(width)-\(events.count)")
        garden.press("All Right")
        waitFor("no card") { !garden.texts.contains(message) }
        XCTAssertTrue(Settings(folder: garden.folder.path + "/config").knowsOfMissingKeyring)
        withExtendedLifetime(notices) {}
      }
    }
  }

  private func withNotices(
    _ events: [Event] = Seeds.demo, _ body: @MainActor (GardenWindow, AccountModel) throws -> Void
  ) throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(events)
      defer { garden.close() }
      garden.present(column())
      _ = TroubleNotices(garden.context)
      try body(garden, garden.context.accountModel)
    }
  }
}

extension AccountModel {
  /// Reports a status, as the engine does.
  fileprivate func set(_ change: (inout SyncStatus) -> Void) {
    change(&status)
    revision += 1
  }
}
