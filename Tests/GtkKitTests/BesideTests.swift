import CGtk
import GtkKit
import WidgetTestSupport
import XCTest

final class BesideTests: WidgetTestCase {
  func testTheSecondWidgetIsBesideTheFirstOneWhereThereIsRoom() {
    MainActor.assumeIsolated {
      for (width, isBeside) in [(900, true), (400, false)] {
        let content = drawing(width: 100, height: 700)
        let (first, second) = (scrolled(content), drawing(width: 200, height: 260))
        let box = besideOrBelow(first, second, width: 760, firstWidth: 460, height: 320)
        show(scrolled(box), width: width, height: 500) { _ in
          let place = second.place(in: box)
          XCTAssertEqual(place.x > 0, isBeside)
          XCTAssertEqual(place.y > 0, !isBeside)
          XCTAssertEqual(first.width, isBeside ? 414 : 400)
          // Beside the other one, the first one scrolls; above it, it is as high as its content.
          XCTAssertEqual(gtk_widget_get_height(first), isBeside ? 500 : 700)
          XCTAssertEqual(gtk_widget_get_height(second), isBeside ? 500 : 260)
        }
      }
    }
  }
}

extension Widget {
  @MainActor fileprivate func place(in ancestor: Widget) -> (x: Double, y: Double) {
    var (x, y) = (0.0, 0.0)
    gtk_widget_translate_coordinates(self, ancestor, 0, 0, &x, &y)
    return (x, y)
  }
}
