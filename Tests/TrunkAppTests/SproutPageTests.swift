import CGtk
import GtkKit
import TreePicture
import TrunkKit
import TrunkModel
import WidgetTestSupport
import XCTest

@testable import TrunkApp

final class SproutPageTests: WidgetTestCase {
  func testTheShootLeadsToItsEntries() throws {
    try withPage(Seeds.entries(40, daysApart: 2)) { garden, shoot in
      waitFor("the first part") { garden.cards.count == 30 }
      shoot.focus()
      type("key", "Left", into: SproutPageTests.title)
      waitFor("the latest entry") { garden.markedCards == [0] && garden.isInSight(garden.cards[0]) }
      garden.picture("sprout-marked")
      type("key", "Left", into: SproutPageTests.title)
      waitFor("the one before it") { garden.markedCards == [1] }
      type("key", "Home", into: SproutPageTests.title)
      waitFor("the first entry") { garden.markedCards == [48] }
      waitFor("it on the screen") { garden.isInSight(garden.cards[48]) }
      XCTAssertTrue(shoot.isMapped && garden.isInSight(shoot), "the shoot stays")
      XCTAssertFalse(garden.isInSight(garden.cards[0]))
      type("key", "End", into: SproutPageTests.title)
      waitFor("the latest entry") { garden.markedCards == [0] && garden.isInSight(garden.cards[0]) }
      type("key", "Escape", into: SproutPageTests.title)
      waitFor("no mark") { garden.markedCards.isEmpty }
    }
  }

  func testPointingAtALeafShowsItsWordsAndAClickMarksItsCard() throws {
    try withPage { garden, shoot in
      waitFor("the entries") { garden.cards.count == 9 }
      let leaf = try garden.leaf(4, of: shoot)
      try movePointer(to: shoot, leaf.x, leaf.y, in: SproutPageTests.title)
      waitFor("the words") {
        garden.context.foot.pointed == "22 October 2026, 09:30 · Four slow kilometres in the rain."
      }
      XCTAssertEqual(garden.markedCards, [], "the page doesn't move under the pointer")
      try movePointer(to: shoot, leaf.x, leaf.y, in: SproutPageTests.title, then: "click", "1")
      waitFor("the card") { garden.markedCards == [4] }
      movePointerAway()
      waitFor("nothing") { garden.context.foot.pointed == nil }
      XCTAssertEqual(garden.markedCards, [4])
    }
  }

  func testAHiddenEntryKeepsItsPlace() throws {
    try withPage { garden, _ in
      waitFor("the entries") { garden.cards.count == 9 }
      let model = garden.context.model
      let seqs = model.garden.timeline().filter { $0.sproutID == "sprout-run" && $0.kind == .watering }.map(\.seq)
      try awaited("the mark") { try await model.setHidden(true, entry: seqs[1]) }
      waitFor("the card") { garden.cards.count == 9 && garden.cards[1].shownTexts.contains("Hidden on this computer") }
      garden.picture("sprout-hidden")
      garden.press("Show", in: garden.cards[1])
      waitFor("its words") { !garden.texts.contains("Hidden on this computer") }
      XCTAssertEqual(model.hidden, [])
    }
  }

  func testSoilIsAShareInWords() throws {
    try withPage { garden, _ in
      XCTAssertFalse(garden.texts.contains("Soil"), "it is behind a link")
      garden.press("Details")
      waitFor("the details") { garden.texts.contains("about two thirds") }
      XCTAssertEqual(garden.texts.filter { Double($0) != nil || $0.contains("8") && !$0.contains("2026") }, [])
      EditDialog(garden.context, "sprout-run").present()
      let dialog = try garden.dialog("Edit the Sprout")
      XCTAssertTrue(dialog.shownTexts.contains("Firm"), "\(dialog.shownTexts)")
      XCTAssertEqual(dialog.shownTexts.filter { Double($0) != nil }, [])
      garden.present(SproutPage(garden.context, sproutID: "sprout-minuet") {}.widget)
      XCTAssertFalse(garden.texts.contains("Soil"), "it was given back")
    }
  }

  func testEntriesCanGoAwayBelowThePointer() throws {
    try MainActor.assumeIsolated {
      let window = try GardenWindow(Seeds.demo)
      defer { window.close() }
      gtk_window_set_title(window.window.cast(), SproutPageTests.title)
      let garden = window.context.model.garden
      let sprouts = try ["sprout-run", "sprout-letter"].map { try XCTUnwrap(garden.sprout(id: $0)) }
      let slider = ShootSlider()
      var shown: [Int?] = []
      slider.onSelect = { shown.append($0) }
      slider.show(sprouts[0], garden.items(garden.waterings(of: sprouts[0])), in: garden, now: GardenWindow.now)
      window.present(column(slider.widget))
      waitForFrames(3, of: slider.widget)
      let leaf = try window.leaf(7, of: slider.widget)
      try movePointer(to: slider.widget, leaf.x, leaf.y, in: SproutPageTests.title)
      waitFor("the entry") { slider.selected == 7 }
      slider.show(sprouts[1], garden.items(garden.waterings(of: sprouts[1])), in: garden, now: GardenWindow.now)
      XCTAssertNil(slider.selected)
      XCTAssertEqual(shown, [7, nil])
      movePointerAway()
    }
  }

  private static let title = "The sprout"

  private func withPage(_ more: [Event] = [], _ body: @MainActor (GardenWindow, Widget) throws -> Void) throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(Seeds.demo + more, height: 600)
      defer { garden.close() }
      gtk_window_set_title(garden.window.cast(), SproutPageTests.title)
      garden.present(SproutPage(garden.context, sproutID: "sprout-run") {}.widget)
      let shoot = garden.window.descendants.first { gtk_widget_has_css_class($0, "shoot-slider") != 0 }
      try body(garden, XCTUnwrap(shoot))
    }
  }
}

extension GardenWindow {
  /// The cards of entries, from top to bottom.
  fileprivate var cards: [Widget] {
    window.descendants.filter { gtk_widget_has_css_class($0, "card") != 0 && $0.isMapped }
  }

  /// The positions of the cards that are marked.
  fileprivate var markedCards: [Int] {
    cards.enumerated().filter { gtk_widget_has_css_class($0.element, "marked") != 0 }.map(\.offset)
  }

  /// Whether all of a part of the page can be seen.
  fileprivate func isInSight(_ part: Widget) -> Bool {
    var (x, y) = (0.0, 0.0)
    gtk_widget_translate_coordinates(part, context.foot.widget, 0, 0, &x, &y)
    let (height, page) = (Double(part.shownHeight), Double(context.foot.widget.shownHeight - Foot.height))
    return height > 0 && y >= 0 && y + height <= page
  }

  /// The middle of a leaf on the shoot of the sprout `sprout-run`.
  fileprivate func leaf(_ position: Int, of shoot: Widget) throws -> (x: Double, y: Double) {
    let garden = context.model.garden
    let leaflet = TreeState.Leaflet(
      try XCTUnwrap(garden.sprout(id: "sprout-run")), garden, garden.zone.dayKey(GardenWindow.now))
    let picture = SproutPicture(
      leaflet, width: Double(shoot.width), height: Double(shoot.shownHeight), palette: Palette(.light, yearShare: nil))
    return (picture.waterings[position].x, picture.waterings[position].y)
  }
}
