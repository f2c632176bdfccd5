import CGtk
import GtkKit
import WidgetTestSupport
import XCTest

final class ListTests: WidgetTestCase {
  func testAListCreatesOnlyVisibleRows() {
    MainActor.assumeIsolated {
      let store = ListStore((0..<10_000).map { "Sprout \($0)" })
      var made = 0
      var activated: [String] = []
      let list = listView(store, name: "Sprouts") {
        made += 1
        return TextRow()
      } activate: {
        activated.append($0)
      }
      show(scrolled(list)) { window in
        waitFor("rows") { window.shownTexts.contains("Sprout 0") }
        XCTAssertLessThan(made, 500)
        store.replace(0..<1, with: ["First"])
        waitFor("the change") { window.shownTexts.contains("First") }
        press(item: 3, of: list)
        XCTAssertEqual(activated, ["Sprout 3"])
      }
    }
  }

  /// A list that got the focus before its items were laid out forgot which one was at the top.
  func testAListKeepsAnItemAtTheTopThatWasFocusedBeforeItsLayout() {
    MainActor.assumeIsolated {
      let store = ListStore<String>()
      let list = listView(store, name: "Sprouts", row: { TextRow() }, activate: { _ in })
      show(scrolledList(list)) { _ in
        waitForFrames(1, of: list)
        store.append((0..<50).map { "Sprout \($0)" })
        list.focusItem(0)
        waitForFrames(1, of: list)
        for number in 1...20 {
          store.replace(0..<0, with: ["Older \(number)", "Oldest \(number)"])
          waitForFrames(1, of: list)
        }
        let row = list.children.first { $0.shownTexts == ["Sprout 0"] }
        XCTAssertEqual(row.map { top(of: $0, in: list) } ?? .infinity, 0, accuracy: 12, "apart from its padding")
      }
    }
  }

  func testHeadingsDontTakeTheFocus() {
    MainActor.assumeIsolated {
      let store = ListStore((0..<50).map { $0.isMultiple(of: 10) ? "Heading \($0)" : "Sprout \($0)" })
      let list = listView(
        store, name: "Sprouts", row: { TextRow() }, activate: { _ in }, canActivate: { !$0.hasPrefix("Heading") })
      show(column(button("Before") {}, tabStop(list, in: scrolledList(list)))) { window in
        waitFor("rows") { window.shownTexts.contains("Sprout 1") }
        XCTAssertEqual(list.children.filter { $0.isFocusable && $0.shownTexts.first?.first == "H" }, [])
        // The window may have focused its button by itself.
        for _ in 0..<2 where !list.containsFocus { gtk_widget_child_focus(window, GTK_DIR_TAB_FORWARD) }
        XCTAssertEqual(list.focusedChild?.shownTexts, ["Sprout 1"], "Tab leads to the first row below a heading")
        XCTAssertTrue(list.focusRow())
      }
    }
  }

  func testValuesAreFreedWithTheStore() {
    MainActor.assumeIsolated {
      weak var value: Value?
      do {
        let store = ListStore<Value>()
        let made = Value()
        value = made
        store.append(made)
        XCTAssertTrue(store[0] === made)
        XCTAssertEqual(store.count, 1)
      }
      XCTAssertNil(value)
    }
  }

  func testAnUpdateChangesOnlyWhatDiffers() {
    MainActor.assumeIsolated {
      let store = ListStore(["a", "b", "c", "d"])
      var changes: [Int] = []
      store.model.onPosition("items-changed") { changes.append($0) }
      for items in [
        ["a", "b", "c", "d"], ["a", "x", "c", "d"], ["a", "x", "c", "d", "e"], ["c", "d", "e"], [], ["a", "a"],
        ["a", "a", "a"], ["a"],
      ] {
        store.update(to: items)
        XCTAssertEqual(store.items, items)
      }
      XCTAssertEqual(changes, [1, 4, 0, 0, 0, 2, 1])
    }
  }
}

/// How far below the top of its list a row begins, in pixels.
@MainActor private func top(of row: Widget, in list: Widget) -> Double {
  var (x, y) = (0.0, 0.0)
  return gtk_widget_translate_coordinates(row, list, 0, 0, &x, &y) != 0 ? y : .infinity
}

@MainActor private final class TextRow: ListRow {
  let widget = label("")

  func show(_ item: String) -> String {
    widget.setText(item)
    return item
  }
}

private final class Value {}
