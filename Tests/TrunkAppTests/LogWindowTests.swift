import CGtk
import Foundation
import GtkKit
import TrunkKit
import TrunkModel
import WidgetTestSupport
import XCTest

@testable import TrunkApp

final class LogWindowTests: WidgetTestCase {
  func testPictures() throws {
    try MainActor.assumeIsolated {
      try Look.forEach { garden, name, width in
        garden.present(label(""))
        for (title, present) in garden.logs {
          present()
          let log = try garden.dialog(title)
          waitFor("the lines") { log.shownTexts.contains { $0.contains("November 2026") } }
          gtk_window_set_default_size(log.cast(), gint(min(width, 600)), 700)
          garden.picture("log-\(title)-" + name, of: log)
          gtk_window_destroy(log.cast())
        }
      }
    }
  }

  func testTheSoilLogIsNewestFirst() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(Seeds.demo)
      defer { garden.close() }
      garden.present(label(""))
      SoilLog(garden.context).present()
      let log = try garden.dialog("Soil")
      waitFor("the lines") { log.shownTexts.contains("November 2026") }
      XCTAssertEqual(
        Array(log.rowTexts.prefix(4)),
        [
          ["November 2026"],
          ["Watered “Grow herbs on the balcony”", "21 November, 07:06", "+0.05", "0.70 / 11.80"],
          ["Watered “A letter to someone every week”", "20 November, 09:30", "+0.05", "0.65 / 11.80"],
          ["Watered “Learn the cello prelude”", "17 November, 09:30", "+0.05", "0.60 / 11.80"],
        ])
      // The open log follows changes.
      _ = try awaited("the sun") { [model = garden.context.model] in
        try await model.shine(.twig(branch: 0, twig: 6), text: "Rest.", question: nil)
      }
      waitFor("the new line") { log.shownTexts.contains("The sun has shone on “sleep”") }
    }
  }

  func testTheLogsLeadToTheirEntries() throws {
    try MainActor.assumeIsolated {
      let entries = Seeds.entries(200, daysApart: 0.3)
      let garden = try GardenWindow(Seeds.demo + entries)
      defer { garden.close() }
      garden.present(label(""))
      JournalLog(garden.context, .water).present()
      let log = try garden.dialog("Water")
      let newest = [
        "21", "Sat", "What grew while you looked away?", "Without words", "Grow herbs on the balcony · Hands · tending",
      ]
      let seq = try XCTUnwrap(garden.context.model.garden.timeline(TimelineFilter(kinds: [.watering])).first?.seq)
      // Below the month. Rows that were just added have no place until the next frame.
      waitFor("the newest") { log.rowTexts.dropFirst().first == newest }
      let list = try XCTUnwrap(log.descendants.first { $0.typeName == "GtkListView" })
      func count() -> Int { Int(g_list_model_get_n_items(gtk_list_view_get_model(list.cast()).map { $0.cast() })) }
      XCTAssertLessThan(count(), 80)
      let scrolled = try XCTUnwrap(gtk_widget_get_ancestor(list, gtk_scrolled_window_get_type()))
      let adjustment = gtk_scrolled_window_get_vadjustment(scrolled.widget.cast())
      waitFor("all entries") {
        gtk_adjustment_set_value(adjustment, gtk_adjustment_get_upper(adjustment))
        return count() > entries.count
      }
      press(item: 0, of: list)
      XCTAssertEqual(garden.commands, [])
      press(item: 1, of: list)
      XCTAssertEqual(garden.commands, ["entry::\(seq)"])
      JournalLog(garden.context, .sun).present()
      let sun = try garden.dialog("Sun")
      waitFor("the lines") { sun.shownTexts.contains("October 2026") }
      press(item: 1, of: try XCTUnwrap(sun.descendants.first { $0.typeName == "GtkListView" }))
      let shone = try XCTUnwrap(garden.context.model.garden.timeline(TimelineFilter(kinds: [.reflection])).first?.seq)
      XCTAssertEqual(garden.commands, ["entry::\(seq)", "entry::\(shone)"])
    }
  }

  func testTheSunLogNamesTheTwig() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(Seeds.demo)
      defer { garden.close() }
      garden.present(label(""))
      JournalLog(garden.context, .sun).present()
      let log = try garden.dialog("Sun")
      waitFor("the lines") { log.shownTexts.contains("October 2026") }
      XCTAssertEqual(
        log.rowTexts.map { [$0.first, $0.last] },
        [
          ["November 2026", "November 2026"], ["13", "Heart · joy"], ["October 2026", "October 2026"],
          ["12", "Breath · nature"],
        ])
    }
  }

  func testEmptyLogsOfferTheNextStep() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow()
      defer { garden.close() }
      garden.present(label(""))
      for ((title, present), button) in zip(garden.logs, ["Plant a Sprout", "Water", "Shine"]) {
        present()
        garden.press(button, in: try garden.dialog(title))
      }
      XCTAssertEqual(garden.commands, ["plant", "water::", "shine"])
    }
  }
}

extension GardenWindow {
  fileprivate var logs: [(String, () -> Void)] {
    let context = context
    return [
      ("Soil", { SoilLog(context).present() }), ("Water", { JournalLog(context, .water).present() }),
      ("Sun", { JournalLog(context, .sun).present() }),
    ]
  }
}

extension Widget {
  /// What the rows of a long list show, from top to bottom.
  @MainActor fileprivate var rowTexts: [[String]] {
    let rows = descendants.filter { $0.typeName == "GtkListItemWidget" && gtk_widget_get_mapped($0) != 0 }
    let placed = rows.map { row in
      var (x, y) = (0.0, 0.0)
      gtk_widget_translate_coordinates(row, self, 0, 0, &x, &y)
      return (y, row.shownTexts)
    }
    return placed.sorted { $0.0 < $1.0 }.map(\.1)
  }
}
