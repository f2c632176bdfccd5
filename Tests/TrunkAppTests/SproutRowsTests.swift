import CGtk
import GtkKit
import TrunkModel
import WidgetTestSupport
import XCTest

@testable import TrunkApp

final class SproutRowsTests: WidgetTestCase {
  func testALongLeafLeavesRoomForTheNote() throws {
    try MainActor.assumeIsolated {
      let made = [
        Seeds.event(
          .leafCreated(
            .init(leafID: "leaf", twigID: "branch-0-twig-0", name: "Everything about slow running in winter")),
          daysAgo: 3, 0),
        Seeds.event(
          .sproutPlanted(
            .init(
              sproutID: "run", twigID: "branch-0-twig-0", title: "Run", season: .oneMonth, environment: .firm,
              soilCost: 5, leafID: "leaf", bloomWither: nil, bloomBudding: nil, bloomFlourish: nil)), daysAgo: 2, 1),
      ]
      let window = try GardenWindow(made, width: 360)
      defer { window.close() }
      let view = TodayView(window.context)
      view.isNarrow = true
      window.present(view.widget)
      let note = try XCTUnwrap(
        window.window.descendants.first { label in
          label.typeName == "GtkLabel"
            && String(cString: gtk_label_get_text(label.cast())).hasSuffix("planted 2 days ago")
        })
      waitFor("the layout") { gtk_widget_get_width(note) > 0 }
      XCTAssertEqual(pango_layout_is_ellipsized(gtk_label_get_layout(note.cast())), 0)
    }
  }

  func testALongTitleIsWhole() throws {
    try MainActor.assumeIsolated {
      let title = "Play the whole prelude from memory, slowly, for a friend"
      let made = Seeds.event(
        .sproutPlanted(
          .init(
            sproutID: "prelude", twigID: "branch-0-twig-0", title: title, season: .oneMonth, environment: .firm,
            soilCost: 5, leafID: "leaf", bloomWither: nil, bloomBudding: nil, bloomFlourish: nil)), daysAgo: 2, 1)
      let window = try GardenWindow([made], width: 360)
      defer { window.close() }
      let view = TodayView(window.context)
      view.isNarrow = true
      window.present(view.widget)
      let labels = window.window.descendants.filter {
        $0.typeName == "GtkLabel" && $0.isMapped && String(cString: gtk_label_get_text($0.cast())) == title
      }
      XCTAssertFalse(labels.isEmpty)
      for label in labels {
        waitFor("the layout") { label.width > 0 }
        XCTAssertEqual(pango_layout_is_ellipsized(gtk_label_get_layout(label.cast())), 0)
      }
    }
  }

  func testRowsThatStayAreKeptInTheirOrderWithTheirFocus() throws {
    try MainActor.assumeIsolated {
      let window = try GardenWindow(Seeds.demo)
      defer { window.close() }
      let garden = window.context.model.garden
      let sprouts = Array(garden.sprouts.prefix(4))
      let rows = SproutRows()
      @MainActor func show(_ shown: [(Int, String)]) -> [Widget] {
        rows.show(
          shown.map { SproutRows.Item(sprout: sprouts[$0], kind: $1, note: $1) { label("") } }, in: garden,
          now: GardenWindow.now)
        return (0..<shown.count).compactMap { gtk_list_box_get_row_at_index(rows.list.cast(), gint($0))?.widget }
      }
      let first = show([(0, "due"), (1, "due"), (2, "due")])
      window.present(rows.widget)
      gtk_widget_grab_focus(first[1])

      // The first sprout was watered: it gets a new row below the others.
      let second = show([(1, "due"), (2, "due"), (0, "done")])
      XCTAssertEqual(Array(second.prefix(2)), Array(first.suffix(2)))
      XCTAssertEqual(gtk_widget_get_focus_child(rows.list), first[1])

      // The other rows in another order, with one between them.
      let third = show([(2, "due"), (3, "due"), (1, "due")])
      XCTAssertEqual([third[0], third[2]], [first[2], first[1]])
      XCTAssertEqual(gtk_widget_get_focus_child(rows.list), first[1])
      XCTAssertNil(gtk_list_box_get_row_at_index(rows.list.cast(), 3))

      // The focused row disappears: the last one gets the focus.
      let fourth = show([(2, "due"), (3, "due")])
      XCTAssertEqual(fourth, Array(third.prefix(2)))
      XCTAssertEqual(gtk_widget_get_focus_child(rows.list), fourth[1])
      XCTAssertEqual(show([]), [])
      XCTAssertEqual(gtk_widget_get_visible(rows.widget), 0)
    }
  }

  func testTheFocusFollowsASproutThatNeedsWaterAgain() throws {
    try MainActor.assumeIsolated {
      let window = try GardenWindow(Seeds.demo)
      defer { window.close() }
      let garden = window.context.model.garden
      let sprouts = Array(garden.sprouts.prefix(3))
      let (rows, other) = (SproutRows(), button("Other") {})
      @MainActor func show(_ shown: [(Int, String)]) {
        rows.show(
          shown.map { SproutRows.Item(sprout: sprouts[$0], kind: $1, note: $1) { label("") } }, in: garden,
          now: GardenWindow.now)
      }
      show([(1, "due"), (2, "due"), (0, "done")])
      window.present(column(rows.widget, other))
      gtk_widget_grab_focus(rows.row(2))
      // The watering was undone.
      show([(0, "due"), (1, "due"), (2, "due")])
      XCTAssertEqual(rows.row(0)?.hasFocus, true)
      // The sprout is watered again: the next one gets the focus.
      show([(1, "due"), (2, "due"), (0, "done")])
      XCTAssertEqual(rows.row(0)?.hasFocus, true)
      other.focus()
      show([(2, "due"), (1, "done"), (0, "done")])
      XCTAssertTrue(other.hasFocus, "rows that change don't take the focus from elsewhere")
    }
  }

  func testTheListIsOneStopOfTheTabKey() throws {
    try MainActor.assumeIsolated {
      let window = try GardenWindow(Seeds.demo)
      defer { window.close() }
      let garden = window.context.model.garden
      let (rows, before, after) = (SproutRows(), button("Before") {}, button("After") {})
      rows.show(
        garden.sprouts.prefix(3).map { SproutRows.Item(sprout: $0, kind: "due", note: "") { button("Water") {} } },
        in: garden, now: GardenWindow.now)
      let page = column(before, rows.widget, after)
      window.present(page)
      let waters = window.window.buttons("Water")
      before.focus()
      @MainActor func move(_ direction: GtkDirectionType, to widget: Widget?, line: UInt = #line) {
        gtk_widget_child_focus(page, direction)
        XCTAssertEqual(window.window.focusedWidget, widget, line: line)
      }
      move(GTK_DIR_TAB_FORWARD, to: rows.row(0))
      move(GTK_DIR_TAB_FORWARD, to: after)
      move(GTK_DIR_TAB_BACKWARD, to: rows.row(0))
      move(GTK_DIR_RIGHT, to: waters.first)
      move(GTK_DIR_LEFT, to: rows.row(0))
      rows.row(1)?.focus()
      move(GTK_DIR_RIGHT, to: waters[1])
      move(GTK_DIR_TAB_FORWARD, to: after)
      move(GTK_DIR_TAB_BACKWARD, to: rows.row(1))
      move(GTK_DIR_TAB_BACKWARD, to: before)
    }
  }
}

extension SproutRows {
  @MainActor fileprivate func row(_ position: gint) -> Widget? {
    gtk_list_box_get_row_at_index(list.cast(), position)?.widget
  }
}
