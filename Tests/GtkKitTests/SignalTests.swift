import CGtk
import GtkKit
import WidgetTestSupport
import XCTest

final class SignalTests: WidgetTestCase {
  func testHandlersAreFreedWithTheWidget() {
    MainActor.assumeIsolated {
      let before = liveHandlerCount
      weak var witness: Witness?
      var presses = 0
      do {
        let caught = Witness()
        witness = caught
        let button = Reference(retaining: GtkKit.button("Water") { presses += caught.step })
        button.object.onChange(of: "label") { presses += 10 }
        XCTAssertLessThanOrEqual(liveHandlerCount, before + 2)
        press(button.object.widget)
        button.object.widget.setText("Shine")
      }
      XCTAssertEqual(presses, 11)
      XCTAssertLessThanOrEqual(liveHandlerCount, before)
      XCTAssertNil(witness)
    }
  }

  func testADisconnectedHandlerIsFreed() {
    MainActor.assumeIsolated {
      let before = liveHandlerCount
      let button = Reference(retaining: gtk_button_new())
      let connection = button.object.on("clicked") { XCTFail("disconnected") }
      connection.disconnect()
      press(button.object.widget)
      XCTAssertLessThanOrEqual(liveHandlerCount, before)
    }
  }

  func testAControllerLivesAsLongAsItsWidget() {
    MainActor.assumeIsolated {
      weak var area: TextArea?
      weak var choice: Choice?
      let before = liveHandlerCount
      do {
        let made = TextArea(name: "Text")
        let segments = Choice(.segments, name: "Season", ["a", "b"]) { _ in }
        area = made
        choice = segments
        let box = Reference(retaining: column(made.widget, segments.widget))
        XCTAssertNotNil(box.use { _ in area })
      }
      XCTAssertNil(area)
      XCTAssertNil(choice)
      XCTAssertLessThanOrEqual(liveHandlerCount, before)
    }
  }

  func testTimeoutsFireUntilCancelled() {
    MainActor.assumeIsolated {
      let before = liveHandlerCount
      var calls: [String] = []
      let once = Timeout.after(milliseconds: 1) { calls.append("once") }
      let cancelled = Timeout.after(milliseconds: 1) { calls.append("cancelled") }
      cancelled.cancel()
      var dropped: Timeout? = Timeout.after(milliseconds: 1) { calls.append("dropped") }
      XCTAssertEqual(dropped?.isPending, true)
      dropped = nil
      let repeating = Timeout.every(milliseconds: 1) {
        calls.append("again")
        return calls.count < 4
      }
      waitFor("both") { !once.isPending && !repeating.isPending }
      XCTAssertEqual(calls.sorted(), ["again", "again", "again", "once"])
      XCTAssertLessThanOrEqual(liveHandlerCount, before)
    }
  }
}

private final class Witness: Sendable {
  let step = 1
}
