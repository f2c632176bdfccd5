import CGtk
import GtkKit
import TrunkKit
import TrunkModel
import WidgetTestSupport
import XCTest

@testable import TrunkApp

/// Today in a garden without sprouts.
final class FirstPlantingTests: WidgetTestCase {
  func testThePartsFollowWhatIsFilledIn() throws {
    try withToday { today, window in
      today.focus()
      let title = try XCTUnwrap(window.window.field("What will you grow?"))
      XCTAssertTrue(title.containsFocus)
      XCTAssertTrue(window.texts.contains("What do you want to grow?"))
      let meters = window.window.descendants.filter { gtk_widget_has_css_class($0, "meter") != 0 }
      XCTAssertTrue(meters.allSatisfy { !$0.isMapped })
      @MainActor func shows(place: Bool, details: Bool, line: UInt = #line) {
        XCTAssertEqual(window.window.field("Where")?.isMapped, place, line: line)
        XCTAssertEqual(window.window.buttons("Plant").isEmpty, !details, line: line)
        XCTAssertEqual(window.texts.contains("one month"), details, line: line)
      }
      window.picture("first-run")
      shows(place: false, details: false)
      title.text = "P"
      waitForFrames(2, of: title)
      shows(place: true, details: false)
      window.window.choosePlace("practice")
      waitForFrames(2, of: title)
      shows(place: true, details: true)
      window.picture("first-run-place")
      // What is shown stays.
      window.window.field("Where")?.text = "sleep"
      title.text = ""
      waitForFrames(2, of: title)
      shows(place: true, details: true)
    }
  }

  func testATwigThatIsPickedOnTheTreeShowsTheRest() throws {
    try withToday { today, window in
      today.focus()
      let tree = try XCTUnwrap(window.window.descendants.first { $0.typeName == "GtkDrawingArea" && $0.isFocusable })
      waitForFrames(2, of: tree)
      tree.focus()
      type("key", "3", "key", "Right", "key", "Return", into: "Trunk")
      waitFor("the place") { window.window.field("Where")?.text == "Voice · practice" }
      XCTAssertFalse(window.texts.contains("Choose a twig."))
      type("key", "ctrl+Return", into: "Trunk")
      waitFor("the question") { window.texts.contains("Give it a name first.") }
      XCTAssertEqual(window.window.field("What will you grow?")?.containsFocus, true)
    }
  }

  func testLettersOnTheTreeGoIntoTheFields() throws {
    try withToday { today, window in
      today.focus()
      let tree = try XCTUnwrap(window.window.descendants.first { $0.typeName == "GtkDrawingArea" && $0.isFocusable })
      waitForFrames(2, of: tree)
      for (text, field) in [("Swim", "What will you grow?"), ("prac", "Where")] {
        tree.focus()
        type("type", text, into: "Trunk")
        waitFor(field) { window.window.field(field)?.text == text }
      }
      waitFor("the places") { window.window.foundPlaces.first?.shownTexts.first == "Voice · practice" }
    }
  }

  func testPlantingShowsTheNewRowWithTheFocus() throws {
    try withToday { today, window in
      today.focus()
      type("type", "Learn the first Bach suite", into: "Trunk")
      waitFor("the title") { window.window.field("What will you grow?")?.text == "Learn the first Bach suite" }
      type("key", "Return", into: "Trunk")
      waitFor("the question") { window.texts.contains { $0.hasPrefix("Where does it grow?") } }
      type("type", "prac", into: "Trunk")
      waitFor("the places") { window.window.foundPlaces.first?.shownTexts.first == "Voice · practice" }
      type("key", "Return", "key", "ctrl+Return", into: "Trunk")
      waitFor("the row") { window.texts.contains("Learn the first Bach suite") && window.texts.contains("Your tree") }
      XCTAssertFalse(window.texts.contains("What do you want to grow?"))
      XCTAssertEqual(window.context.model.garden.sprouts.map(\.twigID), [Node(path: "VOICE/practice")?.id])
      waitFor("the focus") {
        window.window.focusedWidget?.shownTexts.first == "Learn the first Bach suite"
      }
      // Undoing brings the form back, with what was written.
      try awaited("the undo") { [model = window.context.model] in _ = try await model.undo() }
      waitFor("the form") { window.window.field("What will you grow?")?.text == "Learn the first Bach suite" }
      XCTAssertTrue(window.texts.contains("This is a draft from earlier."))
      XCTAssertFalse(window.texts.contains("Unfinished"), "the form continues its own draft")
    }
  }

  func testKeepingTheIdeaLeavesAnEmptyForm() throws {
    try withToday { today, window in
      today.focus()
      // Notices of the window stay while the form is filled in.
      window.context.foot.show("Recovered from the backup.", seconds: 0)
      window.window.field("What will you grow?")?.text = "Sail around the world"
      window.window.choosePlace("practice")
      waitFor("the season") { !window.window.buttons("Plant").isEmpty }
      XCTAssertTrue(window.texts.contains("Recovered from the backup."))
      type("key", "alt+5", into: "Trunk")
      waitFor("the note") { !window.window.buttons("Keep It as a Seedling").isEmpty }
      window.press("Keep It as a Seedling", in: window.window)
      waitFor("the seedling") { window.context.model.garden.seedlings.map(\.title) == ["Sail around the world"] }
      waitFor("an empty form") { window.window.field("What will you grow?")?.text == "" }
      let title = try XCTUnwrap(window.window.field("What will you grow?"))
      XCTAssertTrue(gtk_widget_is_sensitive(title) != 0)
      XCTAssertTrue(title.containsFocus)
    }
  }

  func testASproutFromElsewhereEndsTheFormAndKeepsItsDraft() throws {
    try withToday { today, window in
      today.focus()
      type("type", "Swim", into: "Trunk")
      waitFor("the title") { window.window.field("What will you grow?")?.text == "Swim" }
      try awaited("the planting") { [model = window.context.model] in
        var form = GardenModel.PlantForm(twig: .twig(branch: 0, twig: 1))
        form.title = "Sleep well"
        _ = try await model.plant(form)
      }
      waitFor("the row") { window.texts.contains("Sleep well") }
      waitFor("the draft") { window.texts.contains("Plant “Swim”") }
      // What is typed now must not become a name.
      waitFor("the focus") { window.window.focusedWidget != nil }
      XCTAssertNotEqual(window.window.field("Your first name")?.containsFocus, true)
    }
  }

  func testASecondDraftIsACard() throws {
    try withToday { today, window in
      today.focus()
      type("type", "Swim", into: "Trunk")
      waitFor("the title") { window.window.field("What will you grow?")?.text == "Swim" }
      let model = window.context.model
      try awaited("the planting") {
        var form = GardenModel.PlantForm(twig: .twig(branch: 0, twig: 1))
        form.title = "Sleep well"
        _ = try await model.plant(form)
      }
      waitFor("the draft") { window.texts.contains("Plant “Swim”") }
      try awaited("the undo") { _ = try await model.undoLast() }
      // Here the clock stands still, so either may be the newer one.
      waitFor("one in the form, the other one as a card") {
        let (own, titles) = (window.window.field("What will you grow?")?.text ?? "", ["Swim", "Sleep well"])
        return titles.contains(own)
          && titles.allSatisfy { window.texts.contains("Plant “\($0)”") == ($0 != own) }
      }
    }
  }

  func testTheFormFitsEachWidth() throws {
    for width in [360, 759, 1000, 1500] {
      try withToday(width: width) { today, window in
        today.isNarrow = width < 600
        let tree = try XCTUnwrap(window.window.descendants.first { $0.typeName == "GtkDrawingArea" && $0.isFocusable })
        waitFor("the tree") { tree.shownHeight >= 260 && tree.width >= 260 }
        let title = try XCTUnwrap(window.window.field("What will you grow?"))
        let (one, other) = (place(of: title, in: window), place(of: tree, in: window))
        XCTAssertEqual(other.x > one.x + Double(title.width), width >= 760, "beside at \(width)")
        XCTAssertLessThanOrEqual(other.x + Double(tree.width), Double(width))
        window.picture("first-run-\(width)")
        title.text = "Swim"
        window.window.choosePlace("practice")
        waitFor("the rest") { !window.window.buttons("Plant").isEmpty }
        waitForFrames(3, of: title)
        let field = place(of: try XCTUnwrap(window.window.field("Where")), in: window)
        let (chosen, plant) = (
          place(of: tree, in: window), place(of: try XCTUnwrap(window.window.buttons("Plant").first), in: window)
        )
        XCTAssertEqual(chosen.y > field.y && chosen.y < plant.y, width < 760, "between at \(width)")
        window.picture("first-run-place-\(width)")
      }
    }
  }

  private func withToday(
    width: Int = 1000, _ body: @MainActor (TodayView, GardenWindow) throws -> Void
  ) throws {
    try MainActor.assumeIsolated {
      let window = try GardenWindow(width: width, height: 800)
      defer { window.close() }
      gtk_window_set_title(window.window.cast(), "Trunk")
      let today = TodayView(window.context)
      window.present(today.widget)
      try body(today, window)
    }
  }
}
