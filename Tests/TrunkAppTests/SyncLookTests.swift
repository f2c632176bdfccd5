import EventStore
import SyncEngine
import TrunkModel
import WidgetTestSupport
import XCTest

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
        XCTAssertEqual(look.word, "↑ Pushing… \(pending)")
      }
    }
  }

  func testOfflineTellsOfRejectedEntries() {
    MainActor.assumeIsolated {
      var status = SyncStatus()
      (status.phase, status.rejected) = (.offline, 3)
      XCTAssertEqual(SyncLook(status).sentence, "offline; 3 entries were rejected")
      status.rejected = 0
      XCTAssertEqual(SyncLook(status).sentence, "offline; nothing to send")
    }
  }

  func testGreenMeansThatTheServerHasEverything() {
    MainActor.assumeIsolated {
      let looks: [(SyncStatus.Phase, style: String, word: String, sentence: String)] = [
        (.synced, "good", "✓ Synced", "synced"),
        (.localOnly, "idle", "2 only here", "synced; 2 entries are only on this computer"),
        (.rejected, "bad", "! 3 rejected", "the server rejected 3 entries"),
        (.remoteLoss, "bad", "! 195 missing", "195 entries are missing on the server"),
        (.offline, "bad", "✗ Offline", "offline, 1 entry waits to be sent"),
        (.signedOut, "idle", "Signed out", "signed out; new entries stay on this computer"),
        (.initialSync, "busy", "Loading…", "the garden is being downloaded"),
      ]
      for (phase, style, word, sentence) in looks {
        var status = SyncStatus()
        (status.phase, status.pending, status.rejected, status.localOnly) = (phase, 1, 3, 2)
        status.remoteLoss = RemoteLoss(
          local: 200, server: 5, missing: 195, found: Instant(milliseconds: 0), difference: 195)
        let look = SyncLook(status)
        XCTAssertEqual([look.style, look.word, look.sentence], [style, word, sentence])
      }
    }
  }
}
