import CGtk
import Foundation
import GtkKit
import TreePicture
import TrunkKit
import TrunkModel
import WidgetTestSupport
import XCTest

@testable import TrunkApp

final class GardenViewTests: WidgetTestCase {
  func testPictures() throws {
    try MainActor.assumeIsolated {
      try Look.forEach { garden, name, _ in
        let view = GardenView(garden.context)
        garden.present(view.widget)
        waitFor("the rows") { garden.texts.contains("Learn the cello prelude") }
        garden.picture("garden-" + name)
        for (id, text) in [
          ("run", "Ready to harvest"), ("minuet", "Continue the Leaf"), ("prelude", "Water"),
        ] {
          view.open("sprout-" + id)
          waitFor("the page") { garden.texts.contains(text) }
          garden.picture("sprout-\(id)-" + name)
        }
        XCTAssertLessThanOrEqual(minimumWidth(of: view.widget), 360)
      }
    }
  }

  func testFiltersSearchAndOrder() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(Seeds.demo)
      defer { garden.close() }
      let view = GardenView(garden.context)
      garden.present(view.widget)
      waitFor("the rows") { garden.titles.count == 4 }
      XCTAssertEqual(
        garden.titles,
        [
          "Ten kilometres without stopping", "Learn the cello prelude", "A letter to someone every week",
          "Grow herbs on the balcony",
        ])
      XCTAssertTrue(garden.texts.contains("Voice · practice · 3 months, firm · leaf “Bach, slowly”"))
      XCTAssertTrue(garden.texts.contains("Core · movement · 3 months, firm"), "\(garden.texts)")
      garden.choose("Harvested 2")
      waitFor("the harvested") { garden.titles == ["2026", "Read one long novel", "The minuet in G, by heart"] }
      XCTAssertTrue(garden.texts.contains("Flourished"))

      garden.choose("All 7")
      garden.search("BACH Prelúde")
      waitFor("what was found") { garden.titles == ["Learn the cello prelude"] }
      XCTAssertTrue(garden.texts.contains("All 1"))
      garden.search("violin")
      waitFor("nothing") { garden.texts.contains("Nothing found") }
      XCTAssertTrue(garden.texts.contains { $0.contains("“violin”") })
      garden.press("Clear the Search")
      waitFor("all of them") { garden.titles.count == 7 }
      // Other sprouts grow, so the list doesn't say that nothing is growing.
      garden.choose("Growing 4")
      garden.search("novel")
      waitFor("a way to the match") { garden.texts.contains("Nothing found here") }
      XCTAssertFalse(garden.texts.contains("Nothing is growing"))
      garden.press("1 in Harvested · Show")
      waitFor("the match") { garden.titles == ["2026", "Read one long novel"] }
      garden.search("voice")
      waitFor("the others") { garden.titles == ["2026", "The minuet in G, by heart"] }
      garden.search("gavotte")
      waitFor("the filters with matches") { garden.texts.contains("1 in Uprooted · Show") }
      XCTAssertEqual(garden.texts.filter { $0.hasSuffix(" · Show") }, ["1 in Uprooted · Show"])
      garden.choose("All 1")
      garden.search("")
      waitFor("all of them again") { garden.titles.count == 7 }
      garden.sort(by: 2)
      waitFor("the order") { garden.titles.first == "A gavotte" }

      garden.search("violin")
      waitFor("nothing") { garden.titles.isEmpty }
      // The choices are kept when the view is left and shown again.
      view.open("sprout-run")
      waitFor("the page") { garden.texts.contains("Ready to harvest") }
      view.back()
      waitFor("the list") { garden.texts.contains("Nothing found") }
    }
  }

  func testHarvestsAreGroupedByYear() throws {
    try MainActor.assumeIsolated {
      let older = [
        Seeds.event(
          .sproutPlanted(
            .init(
              sproutID: "sprout-swim", twigID: "branch-0-twig-4", title: "Swim a mile", season: .oneMonth,
              environment: .fertile, soilCost: 3, leafID: "leaf-swim")), daysAgo: 740, 800),
        Seeds.event(
          .sproutHarvested(.init(sproutID: "sprout-swim", result: 1, capacityGained: 0.1, reflection: nil)),
          daysAgo: 700, 801),
      ]
      let garden = try GardenWindow(Seeds.demo + older)
      defer { garden.close() }
      garden.present(GardenView(garden.context).widget)
      garden.choose("Harvested 3")
      waitFor("the harvests") {
        garden.titles == ["2026", "Read one long novel", "The minuet in G, by heart", "2024", "Swim a mile"]
      }
      XCTAssertTrue(garden.texts.contains("2 harvests") && garden.texts.contains("1 harvest"))
      // By title, years would not be in order.
      garden.sort(by: 2)
      waitFor("the order") { garden.titles.count == 3 }
      XCTAssertEqual(garden.titles.first, "Read one long novel")
    }
  }

  func testARowShowsTheResultOfASprout() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(Seeds.demo)
      defer { garden.close() }
      var index = SproutIndex()
      index.update(to: garden.context.model.garden)
      let now = garden.context.model.now
      let entries = index.find("", .cultivated, by: .harvest, at: now).entries
      let row = GardenRow()
      XCTAssertEqual(
        entries.map { row.show(GardenItem($0, in: garden.context.model.garden, at: now)) },
        [
          "Read one long novel, Brain · reading · 1 month, fertile, Flourished",
          "The minuet in G, by heart, Voice · practice · 3 months, fertile · leaf “Bach, slowly”, Bloomed",
        ])
    }
  }

  func testTheFiltersAreOnOneLineInANarrowWindow() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(Seeds.demo, width: 360)
      defer { garden.close() }
      garden.present(GardenView(garden.context).widget)
      waitFor("the rows") { garden.titles.count == 4 }
      let chips = ["All 7", "Growing 4", "Harvested 2", "Uprooted 1"].flatMap { garden.window.buttons($0) }
      XCTAssertEqual(chips.count, 4)
      @MainActor func place(_ chip: Widget) -> (x: Double, y: Double) {
        var (x, y) = (0.0, 0.0)
        gtk_widget_translate_coordinates(chip, garden.window, 0, 0, &x, &y)
        return (x, y)
      }
      XCTAssertEqual(Set(chips.map { place($0).y }).count, 1)
      // Focusing a filter beyond the edge scrolls it into view.
      let last = try XCTUnwrap(chips.last)
      XCTAssertGreaterThan(place(last).x, 300)
      last.focus()
      waitFor("the last filter in sight") { place(last).x + Double(last.width) <= 360 }
    }
  }

  func testEachResultAndEachWateringShowsInTheSignOfASprout() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow()
      defer { garden.close() }
      let sign = SproutSign()
      garden.present(sign.widget)
      @MainActor func picture(_ stage: TreeState.Stage, waterings: Int) throws -> [UInt8] {
        var leaflet = TreeState.Leaflet(sproutID: "a", season: .oneMonth, stage: stage, waterings: [], age: 20)
        leaflet.waterings = (0..<waterings).map { .init(share: Float($0) / 30, day: Int32($0), hasWords: true) }
        sign.show(leaflet)
        return try XCTUnwrap(pixels(of: sign.widget))
      }
      let results = try (1...5).map { try picture(.harvested(result: $0), waterings: 3) }
      XCTAssertEqual(Set(results).count, 5)
      for stage in [TreeState.Stage.growing(progress: 0.7), .ready, .uprooted, .harvested(result: 4)] {
        XCTAssertEqual(Set(try [0, 1, 2, 10].map { try picture(stage, waterings: $0) }).count, 4)
      }
    }
  }

  func testEmptyStatesOfferTheNextStep() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow()
      defer { garden.close() }
      let view = GardenView(garden.context)
      garden.present(view.widget)
      waitFor("the empty garden") { garden.texts.contains("Nothing planted yet") }
      garden.press("Plant Your First Sprout")
      XCTAssertEqual(garden.commands, ["plant"])
      XCTAssertTrue(garden.fields.isEmpty)

      _ = try awaited("planting") { [model = garden.context.model] in
        var form = GardenModel.PlantForm(twig: .twig(branch: 0, twig: 0))
        form.title = "A first <b>one</b> & more"
        return try await model.plant(form)
      }
      waitFor("the row") { garden.titles == ["A first <b>one</b> & more"] }
      for (filter, text) in [
        ("Harvested 0", "No harvest yet"), ("Uprooted 0", "Nothing was uprooted"),
      ] {
        garden.choose(filter)
        waitFor(text) { garden.texts.contains(text) }
        garden.press("Show All Sprouts")
        waitFor("all") { garden.titles.count == 1 }
      }
    }
  }

  func testARowOpensItsSprout() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(Seeds.demo)
      defer { garden.close() }
      garden.present(GardenView(garden.context).widget)
      waitFor("the rows") { garden.titles.count == 4 }
      let list = try XCTUnwrap(garden.lists.first)
      press(item: 1, of: list)
      XCTAssertEqual(garden.commands, ["sprout::sprout-prelude"])
    }
  }

  func testThePageShowsWhatTheStoreHas() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(Seeds.demo)
      defer { garden.close() }
      let view = GardenView(garden.context)
      garden.present(view.widget)
      var returns = 0
      view.onReturn = { returns += 1 }
      view.open("sprout-minuet")
      waitFor("the page") { garden.texts.contains("Bloomed") }
      for text in [
        "The minuet in G, by heart", "Voice · practice", "Leaf “Bach, slowly”",
        "Planted on 18 October 2025, for three months, on fertile ground · harvested on 25 January",
        "Bloomed", "I played it for my sister, and my hands knew more than I did.",
        "You wrote nothing about this sprout.",
      ] { XCTAssertTrue(garden.texts.contains(text), text) }
      XCTAssertFalse(garden.texts.contains("Water"))
      garden.press("Continue the Leaf")
      view.back()
      XCTAssertEqual(returns, 1)

      view.open("sprout-run")
      waitFor("the journal") { garden.texts.contains("17 November 2026, 09:30") }
      garden.press("Details")
      XCTAssertTrue(garden.texts.contains("a calm, even hour"))
      let dates = garden.texts.filter { $0.contains(":30") || $0.hasSuffix(":42") || $0.hasSuffix(":42 at night") }
      XCTAssertEqual(dates.count, 9)
      XCTAssertEqual(dates.last, "25 August 2026, 09:30")
      for button in ["Harvest", "Water", "Edit", "Uproot"] { garden.press(button) }
      XCTAssertEqual(
        garden.commands,
        [
          "continue-leaf::leaf-bach", "harvest::sprout-run", "water::sprout-run", "edit::sprout-run",
          "uproot::sprout-run",
        ])

      _ = try awaited("watering") { [model = garden.context.model] in
        try await model.water("sprout-run", text: "Five, and no stop.", question: "How far?")
      }
      waitFor("the new entry") { garden.texts.contains("Five, and no stop.") }
      XCTAssertTrue(garden.texts.contains("10 entries"))
      XCTAssertTrue(garden.texts.contains("Watered today"))
    }
  }

  func testAnUnknownSproutShowsAnError() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(Seeds.demo)
      defer { garden.close() }
      let view = GardenView(garden.context)
      garden.present(view.widget)
      view.open("sprout-none")
      waitFor("the message") { garden.texts.contains("This sprout is not in the garden.") }
    }
  }

  func testAThousandEntriesAreReadInBatches() throws {
    try MainActor.assumeIsolated {
      let entries = Seeds.entries(1000, daysApart: 0.08)
      let garden = try GardenWindow(Seeds.demo + entries)
      defer { garden.close() }
      let view = GardenView(garden.context)
      garden.present(view.widget)
      view.open("sprout-run")
      waitFor("the newest") { garden.texts.contains("Entry 999") }
      XCTAssertFalse(garden.texts.contains("Entry 900"))
      for _ in 0..<4 {
        let count = garden.texts.count
        garden.press("Earlier entries")
        waitFor("earlier ones") { garden.texts.count > count }
      }
      XCTAssertTrue(garden.texts.contains("Entry 900"))
      XCTAssertFalse(garden.texts.contains("Entry 800"))
    }
  }

  func testTenThousandRows() throws {
    try MainActor.assumeIsolated {
      let twigs = Node.twigs.map(\.id)
      let events = (0..<10_000).map { number in
        Seeds.event(
          .sproutPlanted(
            .init(
              sproutID: "sprout-\(number)", twigID: twigs[number % 64],
              title: number == 7 ? String(repeating: "long ", count: 200_000) : "Sprout \(number)", season: .oneYear,
              environment: .fertile, soilCost: 0, leafID: "leaf-1")), daysAgo: 100 - Double(number) / 100, number)
      }
      let garden = try GardenWindow(events)
      defer { garden.close() }
      let view = GardenView(garden.context)
      garden.present(view.widget)
      waitFor("the rows") { garden.titles.contains("Sprout 0") }
      XCTAssertLessThan(garden.titles.count, 500)
      XCTAssertLessThanOrEqual(garden.titles.map(\.count).max() ?? 0, oneLineLimit + 1)
      let start = g_get_monotonic_time()
      garden.search("9999")
      waitFor("the one") { garden.titles == ["Sprout 9999"] }
      garden.search("")
      waitFor("all") { garden.titles.count > 1 }
      print("10,000 rows: search and back \((g_get_monotonic_time() - start) / 1000) ms, of which 300 are waiting")
      garden.sort(by: 1)
      waitFor("the order") { garden.titles.first == "Sprout 9999" }
    }
  }
}

@MainActor func minimumWidth(of widget: Widget) -> Int {
  var minimum: gint = 0
  gtk_widget_measure(widget, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, nil, nil, nil)
  return Int(minimum)
}

extension GardenWindow {
  /// The titles of the rows in sight, from top to bottom.
  var titles: [String] {
    let rows = lists.flatMap(\.descendants).filter {
      $0.typeName == "GtkListItemWidget" && gtk_widget_get_mapped($0) != 0
    }
    let placed = rows.compactMap { row -> (Double, String)? in
      var (x, y) = (0.0, 0.0)
      guard gtk_widget_translate_coordinates(row, window, 0, 0, &x, &y) != 0, let title = row.shownTexts.first
      else { return nil }
      return (y, title)
    }
    return placed.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// The long lists, without those of drop-downs.
  var lists: [Widget] {
    window.descendants.filter { $0.typeName == "GtkListView" && gtk_widget_has_css_class($0, "rows") != 0 }
  }

  var fields: [Widget] {
    window.descendants.filter { $0.typeName == "GtkSearchEntry" && gtk_widget_get_mapped($0) != 0 }
  }

  func search(_ text: String) {
    fields.first?.text = text
  }

  func choose(_ chip: String, file: StaticString = #filePath, line: UInt = #line) {
    let button = window.descendants.first { $0.typeName == "GtkToggleButton" && $0.shownTexts == [chip] }
    guard let button else { return XCTFail("no choice \(chip)", file: file, line: line) }
    gtk_toggle_button_set_active(button.cast(), 1)
  }

  func sort(by position: guint) {
    let dropDown = window.descendants.first { $0.typeName == "GtkDropDown" && gtk_widget_get_mapped($0) != 0 }
    if let dropDown { gtk_drop_down_set_selected(dropDown.cast(), position) }
  }

  /// Presses the visible button with this text.
  func press(_ title: String, in window: Widget? = nil, file: StaticString = #filePath, line: UInt = #line) {
    let button = (window ?? self.window).descendants.first {
      $0.typeName == "GtkButton" && gtk_widget_get_mapped($0) != 0 && $0.shownTexts.contains(title)
    }
    guard let button else { return XCTFail("no button \(title)", file: file, line: line) }
    WidgetTestSupport.press(button)
  }
}
