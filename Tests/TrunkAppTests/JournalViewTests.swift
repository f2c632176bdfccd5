import CGtk
import GtkKit
import TrunkKit
import TrunkModel
import WidgetTestSupport
import XCTest

@testable import TrunkApp

final class JournalViewTests: WidgetTestCase {
  func testAnEntryIsShownFromItsStart() throws {
    try MainActor.assumeIsolated {
      let long = Array(repeating: "The left hand knew the way.", count: 60).joined(separator: "\n")
      let made = [0.3, 0.2, 0.1].enumerated().map { number, daysAgo in
        Seeds.event(
          .sproutWatered(.init(sproutID: "sprout-run", content: long + " \(number)", prompt: nil)), daysAgo: daysAgo,
          900 + number)
      }
      let garden = try GardenWindow(Seeds.demo + made, height: 500)
      defer { garden.close() }
      let items = garden.context.model.garden.timeline(TimelineFilter()).filter(\.isEntry)
      let page = EntryPage(garden.context, items.map(JournalLine.item), at: 0) {}
      garden.present(page.widget)
      let scroller = try XCTUnwrap(page.widget.descendants.first { $0.typeName == "GtkScrolledWindow" })
      let adjustment = try XCTUnwrap(gtk_scrolled_window_get_vadjustment(scroller.cast()))
      waitFor("the text") { gtk_adjustment_get_upper(adjustment) > 1000 }
      scroller.scroll(by: 600)
      XCTAssertEqual(gtk_adjustment_get_value(adjustment), 600)
      let earlier = try XCTUnwrap(
        page.widget.descendants.first { gtk_widget_get_tooltip_text($0).map { String(cString: $0) } == "Earlier entry" }
      )
      press(earlier)
      waitFor("the start of the earlier entry") { gtk_adjustment_get_value(adjustment) == 0 }
    }
  }

  func testTheLineFitsIntoANarrowWindow() throws {
    try withDemo(JournalView.init, width: 360) { garden, view in
      waitFor("the month") { garden.texts.contains("Nov 2026") }
      XCTAssertLessThanOrEqual(minimumWidth(of: view.widget), 360)
      XCTAssertEqual(garden.strips, [])
      let parts = try ["Previous month", "Next month"].map { try XCTUnwrap(garden.descendants(tip: $0).first) }
      let filter = try XCTUnwrap(garden.window.buttons("Filter…").first)
      let middles = (parts + [filter]).map { button in
        var (x, y) = (0.0, 0.0)
        gtk_widget_translate_coordinates(button, garden.window, 0, Double(button.shownHeight) / 2, &x, &y)
        return y
      }
      XCTAssertLessThanOrEqual((middles.max() ?? 0) - (middles.min() ?? 0), 1, "\(middles)")
    }
  }

  func testTheTwelveMonthsFitAboveTheListBesideAnEntry() throws {
    try withDemo(JournalView.init, width: 1200) { garden, _ in
      waitFor("the month") { garden.month == "Nov 2026" }
      XCTAssertEqual(garden.strips.count, 1)
      let filter = try XCTUnwrap(garden.window.buttons("Filter…").first)
      XCTAssertLessThanOrEqual(place(of: filter, in: garden).x + Double(filter.width), 600)
    }
  }

  func testTheLineAlwaysShowsTheMonthOfTheTopmostRow() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow((1...400).map(Seeds.reflection(daysAgo:)), height: 600)
      defer { garden.close() }
      let view = JournalView(garden.context)
      garden.present(view.widget)
      waitFor("the rows") { garden.texts.contains("Entry 1") }
      XCTAssertEqual(garden.texts.filter { $0 == "November 2026" }.count, 1, "the newest month has no second heading")
      XCTAssertEqual(garden.strips.count, 1)
      let months = ["October 2026", "September 2026"]
      for month in months {
        waitFor(month) {
          view.scroll(by: 120)
          waitForFrames(of: view.widget)
          return garden.month == month
        }
      }
      try garden.press(tip: "Next month")
      waitFor("the month after") { garden.month == "October 2026" && garden.texts.contains("Entry 21") }
      for month in ["September 2026", "August 2026"] {
        try garden.press(tip: "Previous month")
        waitFor(month) { garden.month == month }
      }
      // The arrow keys do the same in the twelve months.
      garden.strips.first?.focus()
      gtk_window_set_title(garden.window.cast(), "The journal")
      type("key", "Right", into: "The journal")
      waitFor("the month after") { garden.month == "September 2026" }
    }
  }

  func testTheDaysOpenInPlaceUntilTheUserGoesSomewhere() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow((1...100).map(Seeds.reflection(daysAgo:)))
      defer { garden.close() }
      gtk_window_set_title(garden.window.cast(), "The journal")
      let view = JournalView(garden.context)
      garden.present(view.widget)
      waitFor("the rows") { garden.texts.contains("Entry 1") }
      view.focusList()
      type("key", "c", into: "The journal")
      waitFor("the days") { garden.texts.contains("2026") && garden.window.focusedWidget?.typeName == "GtkDrawingArea" }
      garden.picture("journal-days")
      type("key", "Escape", into: "The journal")
      waitFor("no days") { !garden.texts.contains("2026") }
      XCTAssertEqual(garden.window.focusedWidget?.typeName, "GtkListItemWidget")
      // The newest day, the same one a month before, and two days and a week before that.
      type("key", "c", "Page_Up", "Left", "Left", "Up", into: "The journal")
      waitFor("the month") { garden.month == "October 2026" }
      type("key", "Return", into: "The journal")
      waitFor("the day") { garden.lists.first.map { isAtTop("Entry 41", of: $0) } ?? false }
      XCTAssertFalse(garden.texts.contains("2026"))
      type("key", "c", into: "The journal")
      waitFor("the days") { garden.texts.contains("2026") }
      view.showRoot()
      XCTAssertFalse(garden.texts.contains("2026"), "the newest entry is somewhere else")
    }
  }

  func testAWideWindowHasAnEntryBesideTheList() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(Seeds.demo, width: 1300)
      defer { garden.close() }
      let view = JournalView(garden.context)
      view.width = 1300
      var opened: [Route] = []
      view.onOpen = { opened.append($0) }
      garden.present(view.widget)
      waitFor("the newest entry") { garden.texts.contains { $0.hasPrefix("21 November 2026") } }
      let list = try XCTUnwrap(garden.lists.first)
      XCTAssertTrue(list.isMapped)
      XCTAssertEqual(opened, [], "the list is still the place")
      XCTAssertEqual(list.children.filter { gtk_widget_has_css_class($0, "open") != 0 }.count, 1)
      let row = try XCTUnwrap(list.children.first { $0.shownTexts.contains("To Miriam, about the old bridge.") })
      row.focus()
      gtk_widget_activate(row)
      waitFor("the other entry") { garden.texts.contains { $0.hasPrefix("20 November 2026") } }
      XCTAssertEqual(opened.count, 1)
      XCTAssertTrue(list.containsFocus, "the arrow keys lead on")
      garden.picture("journal-split")
      // A narrow window shows the list, unless the user has opened the page.
      view.back()
      waitFor("the newest entry") { garden.texts.contains { $0.hasPrefix("21 November 2026") } }
      view.width = 900
      waitFor("the list alone") { !garden.texts.contains { $0.hasPrefix("21 November 2026") } }
      XCTAssertTrue(list.isMapped)
    }
  }

  func testAllRowsAppearAndStayWhenAnEntryIsAdded() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow((1...50).map(Seeds.reflection(daysAgo:)))
      defer { garden.close() }
      garden.present(JournalView(garden.context).widget)
      @MainActor func row(_ text: String) -> Widget? {
        garden.window.descendants.first {
          $0.typeName == "GtkLabel" && withoutIsolates(String(cString: gtk_label_get_text($0.cast()))) == text
        }
      }
      waitFor("the last row") { row("Entry 50") != nil }
      let older = row("Entry 30")
      let newest = Seeds.reflection(daysAgo: 0)
      try awaited("the new entry") { _ = try await garden.context.model.importEvents([newest]) }
      waitFor("the new row") { row("Entry 0") != nil }
      XCTAssertNotNil(older)
      XCTAssertEqual(row("Entry 30"), older, "a row of an equal line was replaced")
    }
  }

  func testTheNamesInARowLeadToTheirPages() throws {
    try withJournal { garden, list in
      let title = "The journal"
      gtk_window_set_title(garden.window.cast(), title)
      let label = try XCTUnwrap(garden.label("Learn the cello prelude · Bach, slowly · Voice · practice"))
      waitFor("the layout") { label.width > 0 }
      for (word, address) in [
        ("Learn", "sprout/sprout-prelude"), ("Bach", "leaf/leaf-bach"), ("Voice", "twig/branch-2-twig-0"),
      ] {
        let count = garden.commands.count
        try click(word, of: label, in: title)
        waitFor("the page of \(word)") { garden.commands.count > count }
        XCTAssertEqual(garden.commands.last, "open-link::trunk://" + address)
      }
      XCTAssertEqual(garden.commands.count, 3, "a link opened more than its page: \(garden.commands)")
      XCTAssertTrue(list.isMapped, "a link opened the entry")
      // The rest of the line belongs to the row.
      let quiet = try XCTUnwrap(garden.label("planted “A letter to someone every week”: 3 months, fertile"))
      waitFor("the layout") { quiet.width > 0 }
      try click("fertile", of: quiet, in: title)
      waitFor("the sprout") { garden.commands.count > 3 }
      XCTAssertEqual(garden.commands.dropFirst(3), ["sprout::sprout-letter"])
    }
  }

  func testTheQuestionInARowLeadsToAllEntriesWithIt() throws {
    try withJournal { garden, _ in
      let title = "The journal"
      gtk_window_set_title(garden.window.cast(), title)
      let label = try XCTUnwrap(garden.label(JournalViewTests.question))
      waitFor("the layout") { label.width > 0 }
      XCTAssertEqual(gtk_accessible_get_accessible_role(label.cast()), GTK_ACCESSIBLE_ROLE_LINK)
      let address = Route.search("\"\(JournalViewTests.question)\"").address
      try click("sounded", of: label, in: title)
      waitFor("the search") { !garden.commands.isEmpty }
      gtk_widget_activate_action_variant(label, "row.activate", nil)
      XCTAssertEqual(garden.commands, ["open-link::" + address, "open-link::" + address])
      movePointerAway()
    }
  }

  func testAQuestionThatNoAddressCanHoldIsNoLink() throws {
    try MainActor.assumeIsolated {
      let question = String(repeating: "Why? ", count: 900)
      let made = Seeds.event(
        .sproutWatered(.init(sproutID: "sprout-run", content: "Because", prompt: question)), daysAgo: 0.05, 950)
      let garden = try GardenWindow(Seeds.demo + [made])
      defer { garden.close() }
      garden.present(JournalView(garden.context).widget)
      waitFor("the entry") { garden.texts.contains("Because") }
      let label = try XCTUnwrap(garden.label(question))
      XCTAssertEqual(gtk_widget_get_focusable(label), 0)
      gtk_widget_activate_action_variant(label, "row.activate", nil)
      XCTAssertEqual(garden.commands, [])
    }
  }

  func testTheListIsOneStopAndRightLeadsToItsLinks() throws {
    try withJournal { garden, list in
      let question = try XCTUnwrap(garden.label(JournalViewTests.question))
      let label = try XCTUnwrap(garden.label("Learn the cello prelude · Bach, slowly · Voice · practice"))
      let row = try XCTUnwrap(list.children.first { $0.contains(label) })
      list.parent?.parent?.parent?.focusFirst()
      XCTAssertEqual(garden.window.focusedWidget?.typeName, "GtkListItemWidget", "Tab leads to a row, not to its links")
      row.focus()
      list.moveInsideRow(GTK_DIR_RIGHT)
      XCTAssertTrue(question.hasFocus)
      list.moveInsideRow(GTK_DIR_RIGHT)
      XCTAssertTrue(label.hasFocus)
      for address in ["sprout/sprout-prelude", "leaf/leaf-bach", "twig/branch-2-twig-0"] {
        XCTAssertEqual(gtk_label_get_current_uri(label.cast()).map { String(cString: $0) }, "trunk://" + address)
        list.moveInsideRow(GTK_DIR_RIGHT)
      }
      for _ in 0..<4 { list.moveInsideRow(GTK_DIR_LEFT) }
      XCTAssertTrue(row.hasFocus)
      label.focus()
      for direction in [GTK_DIR_TAB_FORWARD, GTK_DIR_TAB_BACKWARD] {
        gtk_widget_child_focus(garden.window, direction)
        XCTAssertEqual(garden.window.focusedWidget.map { list.contains($0) }, false)
        label.focus()
      }
    }
  }

  func testTheFocusStaysInTheListWhenAllRowsAreReplaced() throws {
    try withJournal { garden, list in
      garden.window.showFocus()
      var places: [String] = []
      garden.window.onChange(of: "focus-widget") { places.append(garden.window.focusedWidget?.typeName ?? "") }
      garden.press("Filter…")
      let dialog = try garden.dialog("Filter the Journal")
      let kinds = try XCTUnwrap(dialog.pick("Show"))
      for (position, kind) in [(2, "Sun"), (1, "Water"), (3, "Harvest"), (0, "Everything")] {
        XCTAssertTrue(list.focusRow(), kind)
        let before = list.shownTexts
        kinds.selectedItem = position
        waitFor("the entries of \(kind)") { list.shownTexts != before }
        waitForFrames(3, of: garden.window)
        XCTAssertTrue(list.containsFocus, kind)
        XCTAssertFalse(places.contains("GtkLabel"), "\(kind): not even for a frame does a link have it: \(places)")
      }
    }
  }

  func testARowShowsTheNewTitleOfItsSprout() throws {
    try withJournal { garden, _ in
      try awaited("the edit") { [model = garden.context.model] in
        try await model.edit("sprout-letter", title: "A letter a week")
      }
      waitFor("the title") { garden.texts.contains { $0.hasPrefix("A letter a week · ") } }
    }
  }

  /// The page of the newest entry about the prelude, which isn't on the screen yet.
  private func withEntryPage(_ body: @MainActor (GardenWindow, EntryPage) throws -> Void) throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(Seeds.demo)
      defer { garden.close() }
      let items = garden.context.model.garden.timeline(TimelineFilter()).filter(\.isEntry)
      let index = try XCTUnwrap(items.firstIndex { $0.sproutID == "sprout-prelude" })
      try body(garden, EntryPage(garden.context, items.map(JournalLine.item), at: index) {})
    }
  }

  func testTheEntryPageLinksToItsQuestionSproutLeafAndTwig() throws {
    try withEntryPage { garden, page in
      garden.present(page.widget)
      let question = JournalViewTests.question
      waitFor("the entry") { garden.texts.contains(question) }
      for link in [question, "Learn the cello prelude", "Leaf “Bach, slowly”", "Voice · practice"] {
        garden.press(link)
      }
      XCTAssertEqual(
        garden.commands,
        ["find::\"\(question)\"", "sprout::sprout-prelude", "leaf::leaf-bach", "twig::branch-2-twig-0"])
    }
  }

  func testAnEntryIsHiddenAndShownAgain() throws {
    try withEntryPage { garden, page in
      let view = JournalView(garden.context)
      garden.present(column(page.widget, view.widget))
      @MainActor func isHidden(in widget: Widget) -> Bool { widget.shownTexts.contains("Hidden on this computer") }
      waitFor("the entry") { page.widget.shownTexts.contains("Hide This Entry") }
      waitFor("the journal") { view.widget.shownTexts.contains { $0.hasPrefix("Learn the cello prelude · ") } }
      garden.press("Hide This Entry", in: page.widget)
      waitFor("the page without words") { isHidden(in: page.widget) }
      XCTAssertFalse(page.widget.shownTexts.contains(JournalViewTests.question))
      waitFor("the journal without them") { isHidden(in: view.widget) }
      garden.picture("hidden-entry")
      garden.press("Show", in: view.widget)
      waitFor("the words") { page.widget.shownTexts.contains(JournalViewTests.question) }
      waitFor("them in the journal") { !isHidden(in: view.widget) }
      garden.press("Hide This Entry", in: page.widget)
      waitFor("the page without words") { isHidden(in: page.widget) }
      garden.press("Undo")
      waitFor("the words") { page.widget.shownTexts.contains(JournalViewTests.question) }
      XCTAssertTrue(page.widget.shownTexts.contains("Hide This Entry"))
    }
  }

  func testTheEntryPageMarksTheLeafOfItsEntry() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(Seeds.demo)
      defer { garden.close() }
      let timeline = garden.context.model.garden.timeline(TimelineFilter()).filter(\.isEntry)
      let run = timeline.filter { $0.sproutID == "sprout-run" }
      let items = run.prefix(2) + [try XCTUnwrap(timeline.first { $0.kind == .reflection })]
      let page = EntryPage(garden.context, items.map(JournalLine.item), at: 0) {}
      garden.present(page.widget)
      @MainActor func shoot() -> Widget? {
        page.widget.descendants.first { gtk_widget_has_css_class($0, "shoot") != 0 && $0.isMapped }
      }
      let earlier = try XCTUnwrap(garden.descendants(tip: "Earlier entry").first)
      waitFor("the latest entry") { garden.texts.contains("17 November 2026, 09:30") }
      let latest = pixels(of: try XCTUnwrap(shoot()))
      garden.picture("entry-shoot")
      press(earlier)
      waitFor("the one before it") { garden.texts.contains("12 November 2026, 09:30") }
      XCTAssertNotEqual(pixels(of: try XCTUnwrap(shoot())), latest, "the mark is on another leaf")
      press(earlier)
      waitFor("the reflection") { garden.texts.contains("13 November 2026, 09:30") }
      XCTAssertNil(shoot())
      XCTAssertLessThanOrEqual(minimumWidth(of: page.widget), 360)
    }
  }

  func testTheListIsAsItWasAfterPaging() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(Seeds.demo + Seeds.entries(60, daysApart: 1), height: 700)
      defer { garden.close() }
      let view = JournalView(garden.context)
      garden.present(view.widget)
      waitFor("the rows") { garden.texts.contains("Entry 59") }
      let list = try XCTUnwrap(garden.lists.first)
      let scrolled = try XCTUnwrap(gtk_widget_get_ancestor(list, gtk_scrolled_window_get_type()))
      let adjustment = try XCTUnwrap(gtk_scrolled_window_get_vadjustment(scrolled.widget.cast()))
      waitFor("all rows") { gtk_adjustment_get_upper(adjustment) > 3000 }
      view.scroll(by: 1200)
      waitFor("the place") { gtk_adjustment_get_value(adjustment) == 1200 }
      let items = garden.context.model.garden.timeline(TimelineFilter()).filter(\.isEntry)
      press(item: 20, of: list)
      waitFor("the page") { garden.descendants(tip: "Earlier entry").first?.isMapped == true }
      for _ in 0..<3 { garden.descendants(tip: "Earlier entry").first.map { press($0) } }
      waitFor("another entry") { garden.texts.contains { $0.hasPrefix("Entry ") } }
      view.back()
      waitFor("the list") { list.isMapped && gtk_adjustment_get_upper(adjustment) > 3000 }
      waitForFrames(of: list)
      // The focus returns to a row, which may have been partly out of sight.
      XCTAssertEqual(gtk_adjustment_get_value(adjustment), 1200, accuracy: 40)
      XCTAssertGreaterThan(items.count, 60)
    }
  }

  func testATwigCanBeChosenOnlyInABranch() throws {
    try withJournal { garden, _ in
      garden.press("Filter…")
      let dialog = try garden.dialog("Filter the Journal")
      let (branch, twig) = (try XCTUnwrap(dialog.pick("Branch")), try XCTUnwrap(dialog.pick("Twig")))
      XCTAssertFalse(twig.isSensitive)
      branch.selectedItem = 3
      XCTAssertTrue(twig.isSensitive)
      branch.selectedItem = 0
      XCTAssertFalse(twig.isSensitive)
    }
  }

  func testPlantingsAndUprootingsCanBeHidden() throws {
    try withJournal { garden, _ in
      XCTAssertTrue(garden.texts.contains { $0.hasPrefix("planted “") })
      garden.press("Filter…")
      let dialog = try garden.dialog("Filter the Journal")
      let row = try XCTUnwrap(
        dialog.descendants.first { $0.typeName == "GtkSwitch" && $0.isMapped }, "plantings and uprootings")
      gtk_switch_set_active(row.cast(), 0)
      waitFor("only entries") { !garden.texts.contains { $0.hasPrefix("planted “") || $0.hasPrefix("uprooted “") } }
      XCTAssertTrue(garden.texts.contains("To Miriam, about the old bridge."))
      XCTAssertTrue(garden.texts.contains("only entries"), "the button says what is filtered")
      garden.press("Show the Whole Journal", in: dialog)
      waitFor("everything") { garden.texts.contains { $0.hasPrefix("planted “") } }
    }
  }

  func testTheFirstLineOfADayHasItsNumeral() throws {
    try MainActor.assumeIsolated {
      let made = Seeds.event(
        .sproutPlanted(
          .init(
            sproutID: "sprout-new", twigID: "branch-1-twig-1", title: "Read aloud", season: .twoWeeks,
            environment: .fertile, soilCost: 2, leafID: "leaf-new")), daysAgo: 0.01, 950)
      let garden = try GardenWindow(Seeds.demo + [made])
      defer { garden.close() }
      garden.present(JournalView(garden.context).widget)
      waitFor("the rows") { garden.texts.contains("What grew while you looked away?") }
      let rows = try XCTUnwrap(garden.lists.first?.children.map(\.shownTexts))
      XCTAssertEqual(rows.first.map { Array($0.prefix(2)) }, ["21", "Sat"])
      XCTAssertTrue(try XCTUnwrap(rows.first).contains { $0.hasPrefix("planted “Read aloud") })
      let entry = try XCTUnwrap(rows.first { $0.contains("What grew while you looked away?") })
      XCTAssertFalse(entry.contains("21"), "the day is printed once")
    }
  }

  func testTheDaysHatchDaysOfRest() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(Seeds.demo)
      defer { garden.close() }
      let days = MonthDays(garden.context)
      garden.present(days.widget)
      days.show([], at: garden.context.today)
      waitForFrames(3, of: days.widget)
      let plain = try XCTUnwrap(pixels(of: days.widget, areWhole: true))
      let rest = try XCTUnwrap(RestPeriod("2026-11-02/2026-11-15"))
      try garden.context.settings.changeRestDays { $0.add(rest) }
      days.show([], at: garden.context.today)
      waitFor("the hatching") { pixels(of: days.widget, areWhole: true).map { $0 != plain } ?? false }
    }
  }

  func testTheWeeksBeginAsInTheLocale() throws {
    try MainActor.assumeIsolated {
      let locale = String(cString: getenv("LC_ALL"))
      defer { setenv("LC_ALL", locale, 1) }
      for (name, first) in [("C.UTF-8", 0), ("en_US.UTF-8", 6)] {
        setenv("LC_ALL", name, 1)
        let garden = try GardenWindow(Seeds.demo, width: 564)
        defer { garden.close() }
        let days = MonthDays(garden.context)
        garden.present(days.widget.halign(.start).size(width: 564))
        days.show([], at: garden.context.today)
        waitFor("the layout") { days.widget.width == 564 && days.widget.shownHeight > 150 }
        // The second week is whole.
        XCTAssertEqual(days.day(at: 20, 24 + 45)?.weekday, Int32(first), name)
        XCTAssertEqual(days.day(at: 540, 24 + 45)?.weekday, Int32((first + 6) % 7), name)
      }
    }
  }

  /// The question of the entry about the prelude.
  private static let question = "Which small thing sounded better than last time?"

  private func withJournal(_ body: @MainActor (GardenWindow, _ list: Widget) throws -> Void) throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(Seeds.demo, height: 2400)
      defer { garden.close() }
      garden.present(column(button("Before") {}, JournalView(garden.context).widget.vexpand()))
      waitFor("the rows") { garden.label("planted “Grow herbs on the balcony”: 6 months, fertile") != nil }
      try body(garden, try XCTUnwrap(garden.window.descendants.first { $0.typeName == "GtkListView" && $0.isMapped }))
    }
  }
}

extension GardenWindow {
  /// The month in the line above the journal.
  fileprivate var month: String? {
    window.descendants.first {
      $0.typeName == "GtkLabel" && $0.isMapped && gtk_widget_has_css_class($0, "journal-month") != 0
        && $0.parent?.parent?.typeName == "GtkButton"
    }.map { String(cString: gtk_label_get_text($0.cast())) }
  }

  /// The twelve months, if they are shown.
  fileprivate var strips: [Widget] {
    window.descendants.filter { $0.isMapped && gtk_widget_has_css_class($0, "month-strip") != 0 }
  }

  /// The widgets with a tooltip.
  func descendants(tip: String) -> [Widget] {
    window.descendants.filter { gtk_widget_get_tooltip_text($0).map { String(cString: $0) } == tip }
  }

  /// The label that shows a text.
  fileprivate func label(_ text: String) -> Widget? {
    window.descendants.first {
      $0.typeName == "GtkLabel" && $0.isMapped
        && withoutIsolates(String(cString: gtk_label_get_text($0.cast()))) == text
    }
  }
}
