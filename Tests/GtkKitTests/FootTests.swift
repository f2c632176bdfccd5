import CGtk
import WidgetTestSupport
import XCTest

@testable import GtkKit

final class FootTests: WidgetTestCase {
  func testItShowsOneThingAtATime() {
    MainActor.assumeIsolated {
      let foot = Foot(closeName: "Dismiss")
      foot.setContent(label("content"))
      show(foot.widget) { window in
        @MainActor func texts() -> [String] {
          Array(
            window.descendants.filter { $0.isMapped && $0.isA(gtk_label_get_type()) }
              .map { String(cString: gtk_label_get_text($0.cast())) }.dropFirst())
        }
        let height = { foot.widget.children.last?.height(at: 400) }
        foot.sentence = "One sprout grows."
        XCTAssertEqual(texts(), ["One sprout grows."])
        let usual = height()
        XCTAssertEqual(usual, Foot.height)
        foot.pointed = "Voice"
        XCTAssertEqual(texts(), ["Voice"])
        foot.trouble = .init("You are signed out.", buttons: [button("Sign In") {}])
        XCTAssertEqual(texts(), ["You are signed out.", "Sign In"])
        var undone = 0
        foot.show("Planted", seconds: 0, button: ("Undo", { undone += 1 }), keys: "Ctrl+Z", isUndo: true)
        waitForFrames(2, of: window)
        XCTAssertEqual(texts().prefix(2), ["Planted", "Undo"])
        XCTAssertEqual(height(), usual, "nothing moves")
        XCTAssertTrue(foot.undo())
        XCTAssertEqual(undone, 1)
        XCTAssertFalse(foot.undo(), "it is done once")
        XCTAssertEqual(texts(), ["You are signed out.", "Sign In"])
        foot.trouble = nil
        foot.pointed = nil
        XCTAssertEqual(texts(), ["One sprout grows."])
      }
    }
  }
}
