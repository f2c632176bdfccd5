import Sync
import XCTest

@testable import TrunkApp

/// What a status is called.
final class SyncLookTests: XCTestCase {
  func testWhatCanStillBeTakenBackDoesNotWait() {
    MainActor.assumeIsolated {
      for (pending, held, sentence) in [
        (1, 1, "1 entry is sent in a few seconds"), (2, 2, "2 entries are sent in a few seconds"),
        (2, 1, "2 entries wait to be sent"), (1, 0, "1 entry waits to be sent"),
      ] {
        var status = SyncStatus()
        (status.phase, status.pending, status.held) = (.pendingUpload, pending, held)
        let look = SyncLook(status)
        XCTAssertEqual(look.sentence, sentence)
        XCTAssertEqual(look.word, "↑ Pushing… \(pending)")
      }
    }
  }
}
