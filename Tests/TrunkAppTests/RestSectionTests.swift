import CGtk
import GtkKit
import TrunkKit
import TrunkModel
import WidgetTestSupport
import XCTest

@testable import TrunkApp

final class RestSectionTests: WidgetTestCase {
  /// The tests' day is 21 November 2026.
  private static let rest = RestPeriod("2026-11-19/2026-11-29")

  func testRestIsAddedAndEndedInPreferences() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(Seeds.demo)
      defer { garden.close() }
      garden.present(column(GreetingHeader(garden.context).widget, Meters(garden.context).widget))
      PreferencesDialog(garden.context, page: .reminders).present()
      let dialog = try garden.dialog("Preferences")
      let from = try XCTUnwrap(dialog.field("Rest from (like 2026-12-20)"))
      let to = try XCTUnwrap(dialog.field("Rest until"))
      XCTAssertEqual(from.text, "2026-11-21")
      garden.press("Add Rest", in: dialog)
      waitFor("the error") { dialog.shownTexts.contains("Write a date like 2026-11-21.") }
      XCTAssertTrue(gtk_widget_is_ancestor(try XCTUnwrap(gtk_root_get_focus(dialog.cast())), to) != 0)
      to.text = "2026-11-20"
      garden.press("Add Rest", in: dialog)
      waitFor("the order") { dialog.shownTexts.contains("This is before the first day.") }
      to.text = "2026-11-29"
      waitFor("the length") {
        dialog.shownTexts.contains("21 November – 29 November 2026 · 9 days")
      }
      garden.press("Add Rest", in: dialog)
      waitFor("the row") { dialog.shownTexts.contains("9 days, resting now") }
      let restsInTooltips = {
        garden.window.descendants.contains { widget in
          gtk_widget_get_tooltip_text(widget).map { String(cString: $0).contains("The garden rests until 29") } ?? false
        }
      }
      waitFor("the meters", restsInTooltips)
      garden.press("End Rest", in: dialog)
      waitFor("the end") { !restsInTooltips() }
      XCTAssertEqual(garden.context.settings.restDays, RestDays())
    }
  }

  func testADayIsChosenFromACalendar() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(Seeds.demo)
      defer { garden.close() }
      garden.present(label(""))
      PreferencesDialog(garden.context, page: .reminders).present()
      let dialog = try garden.dialog("Preferences")
      let to = try XCTUnwrap(dialog.field("Rest until"))
      let button = try XCTUnwrap(
        dialog.descendants.first {
          gtk_widget_get_tooltip_text($0).map { String(cString: $0) } == "Choose the Last Day"
        })
      let popover = try XCTUnwrap(gtk_menu_button_get_popover(button.cast()))
      let calendar = try XCTUnwrap(gtk_popover_get_child(popover.cast()))
      gtk_menu_button_popup(button.cast())
      waitFor("the calendar") { gtk_widget_get_mapped(popover.cast()) != 0 }
      XCTAssertEqual(to.text, "")
      for (month, day, text) in [(12, 1, "2026-12-01"), (12, 31, "2026-12-31")] {
        let date = try XCTUnwrap(g_date_time_new_local(2026, gint(month), gint(day), 12, 0, 0))
        XCTAssertTrue(gtk_widget_get_mapped(popover.cast()) != 0, "It closed while months were browsed.")
        gtk_calendar_select_day(calendar.cast(), date)
        g_date_time_unref(date)
        waitFor("the day") { to.text == text }
      }
      waitFor("the end") { gtk_widget_get_mapped(popover.cast()) == 0 }
    }
  }

  func testABadDateIsNamedAndKept() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(Seeds.demo)
      defer { garden.close() }
      garden.present(label(""))
      try garden.context.settings.changeRaw("rest", "periods") { _ in "soon;2026-11-01/2026-11-02" }
      PreferencesDialog(garden.context, page: .reminders).present()
      let dialog = try garden.dialog("Preferences")
      waitFor("the error") { dialog.shownTexts.contains { $0.hasPrefix("“soon” in “") } }
      let remove = try XCTUnwrap(
        dialog.descendants.first {
          gtk_widget_get_tooltip_text($0).map { String(cString: $0) }
            == "Remove the rest of 1 November – 2 November 2026"
        })
      press(remove)
      waitFor("the removal") { garden.context.settings.restDays.periods.isEmpty }
      XCTAssertEqual(garden.context.settings.restDays.unreadable, ["soon"])
    }
  }

  func testPictures() throws {
    try MainActor.assumeIsolated {
      for (name, width, scheme) in Look.all {
        StyleSheet.scheme = scheme
        let garden = try GardenWindow(Seeds.demo, width: width, height: 900)
        defer { garden.close() }
        try garden.context.settings.changeRestDays { days in
          for period in [Self.rest, RestPeriod("2026-08-01/2026-08-16"), RestPeriod("2026-12-24")] {
            if let period { days.add(period) }
          }
        }
        let journal = JournalView(garden.context)
        garden.present(journal.widget)
        garden.picture("rest-journal-" + name)
        garden.present(
          column(
            GreetingHeader(garden.context).widget, Meters(garden.context).widget,
            TreeView(garden.context).widget.vexpand()))
        garden.picture("rest-tree-" + name)
        PreferencesDialog(garden.context, page: .reminders).present()
        let dialog = try garden.dialog("Preferences")
        gtk_window_set_default_size(dialog.cast(), gint(min(width, 600)), 900)
        let end = try XCTUnwrap(dialog.buttons("Add Rest").first)
        end.focus()
        garden.picture("rest-preferences-" + name, of: dialog)
        XCTAssertLessThanOrEqual(minimumWidth(of: dialog), 360)
      }
      StyleSheet.scheme = ADW_COLOR_SCHEME_DEFAULT
    }
  }
}
