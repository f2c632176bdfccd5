import CGtk
import GtkKit
import TrunkKit
import TrunkModel
import WidgetTestSupport
import XCTest

@testable import TrunkApp

final class GardenTabTests: WidgetTestCase {
  func testPictures() throws {
    try MainActor.assumeIsolated {
      for (name, width, scheme) in Look.all {
        StyleSheet.scheme = scheme
        let garden = try GardenWindow(Seeds.demo + GardenTabTests.ideas, width: width, height: 760)
        defer { garden.close() }
        let view = GardenView(garden.context)
        garden.present(view.widget)
        for (tab, text) in [(GardenView.Tab.leaves, "Bach, slowly"), (.seedlings, "Learn to whistle")] {
          view.open(tab)
          waitFor(text) { garden.texts.contains(text) }
          garden.picture("garden-\(tab)-" + name)
          XCTAssertLessThanOrEqual(minimumWidth(of: view.widget), 360)
        }
      }
      StyleSheet.scheme = ADW_COLOR_SCHEME_DEFAULT
    }
  }

  func testALeafHasItsCountsAndOpensItsStory() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(Seeds.demo)
      defer { garden.close() }
      garden.present(GardenView(garden.context).widget)
      garden.choose("Leaves")
      waitFor("the leaves") { garden.titles.contains("Bach, slowly") }
      let bach = try XCTUnwrap(garden.titles.firstIndex(of: "Bach, slowly"))
      XCTAssertTrue(garden.texts.contains("1 harvested · 1 growing · 3 in all"), "\(garden.texts)")
      let list = try XCTUnwrap(garden.lists.first { gtk_widget_get_mapped($0) != 0 })
      press(item: guint(bach), of: list)
      XCTAssertEqual(garden.commands, ["leaf::leaf-bach"])
    }
  }

  func testTheCountsOfAllLeavesAreInTheSamePlace() throws {
    try MainActor.assumeIsolated {
      for (width, isNarrow) in [(360, true), (900, false)] {
        let garden = try GardenWindow(Seeds.demo, width: width)
        defer { garden.close() }
        let view = GardenView(garden.context)
        view.isNarrow = isNarrow
        garden.present(view.widget)
        view.open(.leaves)
        waitFor("the leaves") { garden.texts.contains("Bach, slowly") }
        let rows = garden.lists.first { $0.isMapped }?.children ?? []
        waitFor("the layout") { rows.allSatisfy { $0.width > 0 } }
        let places = rows.compactMap { row -> Bool? in
          let labels = row.descendants.filter { $0.typeName == "GtkLabel" && $0.isMapped }
          guard let name = labels.first, let counts = labels.first(where: hasCounts) else { return nil }
          return isBelow(counts, name)
        }
        XCTAssertEqual(places, Array(repeating: isNarrow, count: 5), "at \(width)")
      }
    }
  }

  func testTheButtonsOfAllSeedlingsAreInTheSamePlace() throws {
    try MainActor.assumeIsolated {
      let short = Seeds.event(
        .seedlingCreated(.init(seedlingID: "tea", twigID: "branch-2-twig-1", title: "Tea", notes: nil)),
        daysAgo: 1, 990)
      for (width, areBelow) in [(360, true), (900, false)] {
        let garden = try GardenWindow(Seeds.demo + GardenTabTests.ideas + [short], width: width)
        defer { garden.close() }
        let view = GardenView(garden.context)
        garden.present(view.widget)
        view.open(.seedlings)
        waitFor("the seedlings") { garden.titles.contains("Tea") }
        let buttons = garden.window.buttons("Plant").filter(\.isMapped)
        waitFor("the layout") { buttons.allSatisfy { $0.width > 0 } }
        let places = buttons.compactMap { button in
          button.parent?.parent?.descendants.first { $0.typeName == "GtkLabel" }.map { isBelow(button, $0) }
        }
        XCTAssertEqual(places, Array(repeating: areBelow, count: 4), "at \(width)")
      }
    }
  }

  func testSeedlingsAreGroupedByBranch() throws {
    try withSeedlings { garden, _ in
      XCTAssertEqual(
        garden.titles, ["Core", "A walk along the river", "Voice", "Learn to whistle", "Sing in a choir"])
      XCTAssertTrue(garden.texts.contains("From its spring to the bridge"))
      for (button, row) in [("Plant", 0), ("Plant", 2)] { WidgetTestSupport.press(garden.window.buttons(button)[row]) }
      XCTAssertEqual(garden.commands, ["plant-seedling::seedling-walk", "plant-seedling::seedling-choir"])
    }
  }

  func testTheSeedlingsOfABranchCanBeHidden() throws {
    try withSeedlings { garden, _ in
      let list = try XCTUnwrap(garden.lists.first { gtk_widget_get_mapped($0) != 0 })
      WidgetTestSupport.press(item: 2, of: list)
      waitFor("only the heading") { garden.titles == ["Core", "A walk along the river", "Voice"] }
      // Another seedling of the branch doesn't show them again.
      _ = try awaited("an idea") { [model = garden.context.model] in
        try await model.createSeedling(on: .twig(branch: 2, twig: 2), title: "Read aloud")
      }
      waitFor("the count") { garden.texts.contains("3") }
      waitFor("the order") { garden.titles == ["Core", "A walk along the river", "Voice"] }
      WidgetTestSupport.press(item: 2, of: list)
      waitFor("all") { garden.titles.count == 6 }
    }
  }

  func testASeedlingIsFoundAlsoFarBelowAndInAHiddenBranch() throws {
    try withSeedlings { garden, view in
      let list = try XCTUnwrap(garden.lists.first { gtk_widget_get_mapped($0) != 0 })
      // GTK has widgets for the first 200 rows only.
      let ideas = (0..<300).map {
        Seeds.event(
          .seedlingCreated(.init(seedlingID: "idea-\($0)", twigID: "branch-2-twig-2", title: "Idea \($0)", notes: nil)),
          daysAgo: 1, 1000 + $0)
      }
      try awaited("many ideas") { [model = garden.context.model] in try await model.importEvents(ideas) }
      waitFor("the count") { garden.texts.contains("302") }
      WidgetTestSupport.press(item: 2, of: list)
      waitFor("only the heading") { garden.titles == ["Core", "A walk along the river", "Voice"] }
      view.focus(onSeedling: "seedling-choir")
      let row = try XCTUnwrap(garden.window.focusedWidget)
      XCTAssertEqual(row.shownTexts.first, "Sing in a choir")
      waitFor("the row in the visible part of the list") {
        var (x, y) = (0.0, 0.0)
        return gtk_widget_get_height(row) > 0 && gtk_widget_translate_coordinates(row, list, 0, 0, &x, &y) != 0
          && y >= 0 && y + Double(gtk_widget_get_height(row)) <= Double(gtk_widget_get_height(list))
      }
      XCTAssertNotEqual(gtk_window_get_focus_visible(garden.window.cast()), 0)
      view.focus(onSeedling: "seedling-none")
      XCTAssertEqual(garden.window.focusedWidget, row)
    }
  }

  func testADeletedSeedlingLeavesTheFocusInTheList() throws {
    try withSeedlings { garden, _ in
      let list = try XCTUnwrap(garden.lists.first { gtk_widget_get_mapped($0) != 0 })
      let button = try XCTUnwrap(list.buttons("Plant").first)
      button.focus()
      for id in ["walk", "whistle"] {
        _ = try awaited("deleting") { [model = garden.context.model] in try await model.deleteSeedling("seedling-" + id)
        }
        waitFor("the rest") { !garden.titles.contains { $0.contains(id) } }
        waitFor("the focus in the list") { garden.window.focusedWidget.map { list.contains($0) } == true }
      }
      XCTAssertEqual(garden.titles, ["Voice", "Sing in a choir"])
    }
  }

  func testTheSeedlingsAreOneStopOfTheTabKey() throws {
    try withSeedlings { garden, _ in
      let list = try XCTUnwrap(garden.lists.first { gtk_widget_get_mapped($0) != 0 })
      let plants = list.buttons("Plant")
      waitFor("the layout") { plants[0].width > 0 }
      let row = try XCTUnwrap(list.children.first { $0.contains(plants[0]) })
      plants[0].focus()
      list.moveInsideRow(GTK_DIR_RIGHT)
      let edit = try XCTUnwrap(garden.window.focusedWidget)
      XCTAssertNotEqual(edit, plants[0])
      XCTAssertTrue(row.contains(edit))
      list.moveInsideRow(GTK_DIR_LEFT)
      XCTAssertTrue(plants[0].hasFocus)
      list.moveInsideRow(GTK_DIR_LEFT)
      XCTAssertTrue(row.hasFocus)
      list.moveInsideRow(GTK_DIR_LEFT)
      XCTAssertTrue(row.hasFocus)
      list.moveInsideRow(GTK_DIR_RIGHT)
      XCTAssertTrue(plants[0].hasFocus)
      for direction in [GTK_DIR_TAB_FORWARD, GTK_DIR_TAB_BACKWARD] {
        plants[1].focus()
        gtk_widget_child_focus(garden.window, direction)
        XCTAssertEqual(garden.window.focusedWidget.map { list.contains($0) }, false)
      }
    }
  }

  func testEmptyTabsOfferTheNextStep() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow()
      defer { garden.close() }
      let view = GardenView(garden.context)
      garden.present(view.widget)
      garden.choose("Leaves")
      waitFor("no leaves") { garden.texts.contains("No leaves yet") }
      garden.press("Plant a Sprout")
      garden.choose("Seedlings")
      waitFor("no ideas") { garden.texts.contains("No seedlings yet") }
      XCTAssertFalse(garden.texts.contains("No leaves yet"))
      garden.press("Note an Idea")
      XCTAssertEqual(garden.commands, ["plant", "seedling"])
    }
  }

  private func withSeedlings(_ body: @MainActor (GardenWindow, GardenView) throws -> Void) throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(Seeds.demo + GardenTabTests.ideas)
      defer { garden.close() }
      let view = GardenView(garden.context)
      garden.present(view.widget)
      view.open(.seedlings)
      waitFor("the seedlings") { garden.titles.count == 5 }
      try body(garden, view)
    }
  }

  @MainActor fileprivate static var ideas: [Event] {
    [
      ("choir", "branch-2-twig-1", "Sing in a choir", nil), ("whistle", "branch-2-twig-0", "Learn to whistle", nil),
      ("walk", "branch-0-twig-0", "A walk along the river", "From its spring to the bridge"),
    ].enumerated().map { number, idea in
      Seeds.event(
        .seedlingCreated(.init(seedlingID: "seedling-" + idea.0, twigID: idea.1, title: idea.2, notes: idea.3)),
        daysAgo: 3 - Double(number), 900 + number)
    }
  }
}

/// Whether a label shows the counts of a leaf.
@MainActor private func hasCounts(_ label: Widget) -> Bool {
  String(cString: gtk_label_get_text(label.cast())).hasSuffix(" in all")
}

/// Whether a widget begins below another one.
@MainActor private func isBelow(_ widget: Widget, _ other: Widget) -> Bool {
  var (x, y) = (0.0, 0.0)
  gtk_widget_translate_coordinates(widget, other, 0, 0, &x, &y)
  return y >= Double(gtk_widget_get_height(other))
}

final class EditSeedlingDialogTests: WidgetTestCase {
  func testAnIdeaIsEdited() {
    withSeedling { fixture, model, seedling in
      EditSeedlingDialog(fixture.context, seedling).present()
      guard let dialog = window("Edit the Seedling") else { return }
      XCTAssertEqual(dialog.field("What could grow?")?.text, "Lighthouse")
      dialog.field("What could grow?")?.text = " "
      dialog.press("Save")
      waitFor("the reason") { dialog.shownTexts.contains("Give it a name first.") }
      dialog.field("What could grow?")?.text = "Visit the lighthouse"
      dialog.textViews.first?.typed = ""
      type("key", "ctrl+Return", into: "Edit the Seedling")
      waitFor("the end of the dialog") { fixture.dialogs.isEmpty }
      fixture.finishWriting()
      XCTAssertEqual(model.garden.seedlings.map(\.title), ["Visit the lighthouse"])
      XCTAssertEqual(model.garden.seedlings.map(\.notes), [""])
    }
  }

  func testUnfinishedNotesStayADraft() {
    withSeedling { fixture, model, seedling in
      @MainActor func edit(_ text: String) -> Widget? {
        EditSeedlingDialog(fixture.context, seedling).present()
        guard let dialog = window("Edit the Seedling") else { return nil }
        waitFor("the notes") { dialog.textViews.first?.typed == text }
        return dialog
      }
      guard let dialog = edit("In autumn") else { return }
      dialog.textViews.first?.typed = "In autumn, by train"
      gtk_window_close(dialog.cast())
      waitFor("the message") { fixture.context.window.shownTexts.contains("Your draft is saved.") }
      guard let second = edit("In autumn, by train") else { return }
      XCTAssertFalse(fixture.context.window.shownTexts.contains("Discard"), "while the draft is being continued")
      gtk_window_close(second.cast())
      waitFor("the message") { fixture.context.window.shownTexts.contains("Discard") }
      fixture.context.window.press("Discard")
      waitFor("the end of the draft") { fixture.draft(.seedlingEdit, about: seedling.id) == nil }
      guard let third = edit("In autumn") else { return }
      third.textViews.first?.typed = "In spring"
      third.field("What could grow?")?.text = "Visit both lighthouses"
      gtk_window_close(third.cast())
      guard let last = edit("In spring") else { return }
      last.press("Save")
      waitFor("the end of the dialog") { fixture.dialogs.isEmpty }
      fixture.finishWriting()
      XCTAssertEqual(model.garden.seedlings.map(\.notes), ["In spring"])
      XCTAssertEqual(model.garden.seedlings.map(\.title), ["Visit both lighthouses"])
      XCTAssertNil(fixture.draft(.seedlingEdit, about: seedling.id))
    }
  }

  func testWhatAnotherDeviceHasChangedIsKept() {
    withSeedling { fixture, model, seedling in
      EditSeedlingDialog(fixture.context, seedling).present()
      guard let dialog = window("Edit the Seedling") else { return }
      _ = result { try await model.editSeedling(seedling.id, notes: "In autumn, by train") }
      dialog.field("What could grow?")?.text = "Visit the lighthouse"
      dialog.press("Save")
      waitFor("the end of the dialog") { fixture.dialogs.isEmpty }
      fixture.finishWriting()
      XCTAssertEqual(model.garden.seedlings.map(\.title), ["Visit the lighthouse"])
      XCTAssertEqual(model.garden.seedlings.map(\.notes), ["In autumn, by train"])
    }
  }

  /// - Parameter test: called with a garden, its model, and its only seedling.
  private func withSeedling(_ test: @MainActor (DialogFixture, GardenModel, Seedling) -> Void) {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      let model = fixture.model
      let id = result {
        try await model.createSeedling(on: .twig(branch: 0, twig: 0), title: "Lighthouse", notes: "In autumn")
      }
      if let seedling = id.flatMap({ model.garden.seedling(id: $0) }) {
        test(fixture, model, seedling)
      } else {
        XCTFail("no seedling")
      }
      fixture.close()
    }
  }
}
