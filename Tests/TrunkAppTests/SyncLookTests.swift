import CGtk
import EventStore
import GtkKit
import SyncEngine
import TrunkModel
import WidgetTestSupport
import XCTest

@testable import TrunkAccount
@testable import TrunkApp

/// The texts of each status.
final class SyncLookTests: XCTestCase {
  func testUndoableEventsAreNotShownAsWaiting() {
    MainActor.assumeIsolated {
      for (pending, undoable, sentence) in [
        (1, 1, "1 entry will be sent in a few seconds"), (2, 2, "2 entries will be sent in a few seconds"),
        (2, 1, "2 entries wait to be sent"), (1, 0, "1 entry waits to be sent"),
      ] {
        var status = SyncStatus()
        (status.phase, status.pending, status.undoable) = (.pendingUpload, pending, undoable)
        let look = SyncLook(status)
        XCTAssertEqual(look.sentence, sentence)
        XCTAssertEqual(look.label, "↑ Pushing… \(pending)")
      }
    }
  }

  func testOfflineAndSignedOutListAllThatTheServerLacks() {
    MainActor.assumeIsolated {
      let loss = RemoteLoss(local: 200, server: 5, missing: 195, found: Instant(milliseconds: 0), difference: 195)
      let (missing, rejected) = ("195 entries are missing on the server", "the server rejected 3 entries")
      let (offline, signedOut) = ("offline", "signed out; new entries stay on this computer")
      let cases: [(SyncStatus.Phase, loss: RemoteLoss?, rejected: Int, pending: Int, sentence: String)] = [
        (.offline, nil, 0, 0, "offline; nothing to send"),
        (.offline, nil, 0, 2, "\(offline); 2 entries wait to be sent"),
        (.offline, nil, 3, 0, "\(offline); \(rejected)"),
        (.offline, loss, 3, 1, "\(offline); \(missing); \(rejected); 1 entry waits to be sent"),
        (.signedOut, nil, 0, 2, signedOut),
        (.signedOut, loss, 3, 0, "\(signedOut); \(missing); \(rejected)"),
      ]
      for (phase, loss, rejected, pending, sentence) in cases {
        var status = SyncStatus()
        (status.phase, status.remoteLoss, status.rejected, status.pending) = (phase, loss, rejected, pending)
        // All of them are in their undo window, but without a connection none is sent when it ends.
        status.undoable = pending
        XCTAssertEqual(SyncLook(status).sentence, sentence)
      }
    }
  }

  func testGreenMeansThatTheServerHasEverything() {
    MainActor.assumeIsolated {
      let undecided = "195 entries are missing on the server; the server rejected 3 entries"
      let all = "\(undecided); 1 entry waits to be sent"
      let looks: [(SyncStatus.Phase, style: String, label: String, sentence: String)] = [
        (.synced, "good", "✓ Synced", "synced"),
        (.localOnly, "idle", "2 only here", "synced; 2 entries are only on this computer"),
        (.rejected, "bad", "! 3 rejected", "the server rejected 3 entries"),
        (.remoteLoss, "bad", "! 195 missing", "195 entries are missing on the server"),
        (.offline, "bad", "✗ Offline", "offline; \(all)"),
        (.signedOut, "idle", "Signed out", "signed out; new entries stay on this computer; \(undecided)"),
        (.initialSync, "busy", "Loading…", "the garden is being downloaded"),
      ]
      for (phase, style, label, sentence) in looks {
        var status = SyncStatus()
        (status.phase, status.pending, status.rejected, status.localOnly) = (phase, 1, 3, 2)
        status.remoteLoss = RemoteLoss(
          local: 200, server: 5, missing: 195, found: Instant(milliseconds: 0), difference: 195)
        let look = SyncLook(status)
        XCTAssertEqual([look.style, look.label, look.sentence], [style, label, sentence])
      }
    }
  }
}

/// When the server last confirmed an entry.
final class SyncTimeTests: WidgetTestCase {
  func testTheExactTimeIsInTheTooltipAndInTheDetails() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(Seeds.demo)
      defer { garden.close() }
      var status = SyncStatus()
      status.latest = "2026-02-09T14:32:07.123Z"
      garden.context.accountModel.status = status
      let indicator = SyncIndicator(garden.context)
      garden.present(indicator.widget)
      let tooltip = try XCTUnwrap(gtk_widget_get_tooltip_text(indicator.widget).map { String(cString: $0) })
      XCTAssertTrue(tooltip.hasSuffix(" · 2026-02-09T14:32:07Z"), tooltip)
      SyncDetails(garden.context).present()
      let dialog = try garden.dialog("Sync")
      garden.press("Details", in: dialog)
      XCTAssertTrue(dialog.shownTexts.contains("9 February, 14:32 · 2026-02-09T14:32:07Z"), "\(dialog.shownTexts)")
      gtk_window_destroy(dialog.cast())
    }
  }
}
