import CGtk
import GtkKit
import TreePicture
import TrunkKit
import TrunkModel
import VectorGraphics
import WidgetTestSupport
import XCTest

@testable import TrunkApp

final class TreeViewTests: WidgetTestCase {
  func testPictures() throws {
    try MainActor.assumeIsolated {
      try Look.forEach { garden, name, width in
        try garden.context.settings.set(treeForm: .list)
        let view = TreeView(garden.context)
        view.isNarrow = width < 600
        garden.present(view.widget)
        waitFor("the list") { garden.texts.contains("Voice") }
        garden.picture("tree-" + name)
        for (page, route, text) in [
          ("branch", Route.branch(2), "Publication"), ("twig", .twig("branch-2-twig-0"), "Learn the cello prelude"),
          ("leaf", .leaf("leaf-bach"), "The minuet in G, by heart"),
        ] {
          XCTAssertTrue(view.openPage(of: route))
          waitFor(text) { garden.texts.contains(text) }
          garden.picture(page + "-" + name)
        }
        XCTAssertLessThanOrEqual(minimumWidth(of: view.widget), 360)
      }
    }
  }

  func testLongNamesFitIntoANarrowWindow() throws {
    let name = String(repeating: "Donaudampfschifffahrt ", count: 9)
    let planted = Payload.SproutPlanted(
      sproutID: "sprout-long", twigID: "branch-2-twig-1", title: name, season: .oneYear, environment: .firm,
      soilCost: 0,
      leafID: "leaf-long")
    let events = [
      Seeds.event(.nodeUpdated(.init(nodeID: "branch-2-twig-1", label: name, note: name)), daysAgo: 3, 1),
      Seeds.event(.leafCreated(.init(leafID: "leaf-long", twigID: "branch-2-twig-1", name: name + "!")), daysAgo: 2, 2),
      Seeds.event(.sproutPlanted(planted), daysAgo: 1, 3),
    ]
    try withTree(events) { view, garden in
      XCTAssertTrue(view.openPage(of: .twig("branch-2-twig-1")))
      waitFor("the twig") { garden.texts.contains("Growing") }
      XCTAssertLessThanOrEqual(minimumWidth(of: view.widget), 360)
      XCTAssertTrue(view.openPage(of: .leaf("leaf-long")))
      waitFor("the story") { garden.texts.contains { $0.hasPrefix("Planted on") } }
      XCTAssertLessThanOrEqual(minimumWidth(of: view.widget), 360)
    }
  }

  func testThePastFitsIntoANarrowWindow() throws {
    try withTree { view, garden in
      view.switchForm()
      view.isNarrow = true
      view.width = 360
      try garden.press(tip: "Time")
      waitFor("the age") { garden.texts.contains { $0.hasPrefix("The tree is ") } }
      waitFor("the words") { garden.texts.contains { $0.hasPrefix("‹ ") } }
      for part in view.widget.descendants where part.isMapped && minimumWidth(of: part) > 330 {
        print("WIDE", part.typeName, minimumWidth(of: part))
      }
      XCTAssertLessThanOrEqual(minimumWidth(of: view.widget), 360)
    }
  }

  func testABranchExpandsToItsTwigs() throws {
    try withTree { _, garden in
      waitFor("the branches") { garden.rowTitles.count == 8 }
      garden.activate("Voice")
      waitFor("the twigs") { garden.rowTitles.count == 16 }
      XCTAssertEqual(Array(garden.rowTitles[2...4]), ["Voice", "Practice", "Composition"])
      garden.activate("Practice")
      XCTAssertEqual(garden.commands, ["twig::branch-2-twig-0"])
      garden.activate("Voice")
      waitFor("the branches") { garden.rowTitles.count == 8 }
    }
  }

  func testATwigShowsALeafOnceWithItsHistoryAfterGrowingSprouts() throws {
    try withTree { view, garden in
      XCTAssertTrue(view.openPage(of: .twig("branch-2-twig-0")))
      waitFor("the sprouts alone") {
        garden.rowTitles == ["Learn the cello prelude", "A gavotte", "The minuet in G, by heart"]
      }
      XCTAssertTrue(garden.texts.contains("Growing"))
      XCTAssertTrue(garden.texts.contains("Leaf “Bach, slowly”"))
      XCTAssertTrue(garden.texts.contains("3 months, fertile · Bloomed, 25 January 2026"), "\(garden.texts)")
      XCTAssertFalse(garden.texts.contains("Harvested"))
      XCTAssertTrue(view.openPage(of: .twig("branch-1-twig-0")))
      waitFor("the page") { garden.texts.contains("Harvested") }
      XCTAssertFalse(garden.texts.contains("Growing"))
      // The leaf has the name of its only sprout.
      XCTAssertFalse(garden.texts.contains { $0.hasPrefix("Leaf ") })
      XCTAssertTrue(view.openPage(of: .twig("branch-4-twig-7")))
      waitFor("the reflection") { garden.texts.contains { $0.hasPrefix("We laughed at the market") } }
    }
  }

  func testAnIdeaIsNotedOnTheTwig() throws {
    try withTree { view, garden in
      XCTAssertTrue(view.openPage(of: .twig("branch-6-twig-5")))
      waitFor("the page") { garden.texts.contains("Seedlings") }
      let field = try XCTUnwrap(garden.window.descendants.first { $0.typeName == "GtkEntry" && $0.isMapped })
      garden.press("Save Seedling")
      waitFor("the message") { garden.texts.contains("Give it a name first.") }
      field.text = "Write to the council"
      garden.press("Save Seedling")
      waitFor("the seedling") { garden.texts.contains("Write to the council") }
      waitFor("an empty field") { field.text == "" }
      XCTAssertEqual(garden.context.model.garden.seedlings.map(\.twigID), ["branch-6-twig-5"])
      garden.press("Plant")
      let id = try XCTUnwrap(garden.context.model.garden.seedlings.first?.id)
      XCTAssertEqual(garden.commands, ["plant-seedling::" + id])
    }
  }

  func testNameAndNoteAreEditedInPlace() throws {
    try withTree { view, garden in
      XCTAssertTrue(view.openPage(of: .twig("branch-2-twig-0")))
      waitFor("the page") { garden.texts.contains("practice") }
      try garden.press(tip: "Edit Name and Note")
      garden.picture("twig-edit")
      try XCTUnwrap(garden.window.field("Name")).text = "Cello"
      try XCTUnwrap(garden.window.textViews.first).typed = "Bow and strings"
      garden.press("Save")
      waitFor("the name") { garden.texts.contains("Cello") && garden.texts.contains("Bow and strings") }
      XCTAssertFalse(garden.texts.contains("Save"))
    }
  }

  func testANoteFromAnotherDeviceStaysIfOnlyTheNameIsEdited() throws {
    try withTree { view, garden in
      let (model, twig) = (garden.context.model, Node.twig(branch: 2, twig: 0))
      try garden.edit(twig, named: "practice", in: view)
      try awaited("the note") { try await model.update(twig, note: "Bow and strings") }
      try XCTUnwrap(garden.window.field("Name")).text = "Cello"
      garden.press("Save")
      waitFor("the name") { garden.texts.contains("Cello") }
      XCTAssertEqual(model.garden.note(of: twig), "Bow and strings")
    }
  }

  func testAnUnfinishedNoteStaysADraft() throws {
    try withTree { view, garden in
      let (model, twig) = (garden.context.model, Node.twig(branch: 2, twig: 0))
      let original = model.garden.note(of: twig)
      @MainActor func draft() throws -> String? {
        try awaited("the draft") { try await model.unfinished(.node, about: twig.id)?.fields["note"] }
      }
      @MainActor func edit(_ note: String) throws {
        try garden.press(tip: "Edit Name and Note")
        XCTAssertEqual(garden.window.textViews.first?.typed, original)
        try XCTUnwrap(garden.window.textViews.first).typed = note
        garden.press("Cancel")
        waitFor("the end of saving") { garden.context.unsavedDrafts.isEmpty }
        XCTAssertEqual(try draft(), note)
      }
      XCTAssertTrue(view.openPage(of: .twig(twig.id)))
      waitFor("the page") { garden.texts.contains("practice") }
      try edit("Scales")
      waitFor("the message") { garden.texts.contains("Your draft is saved.") }
      let revision = model.draftRevision
      garden.press("Discard")
      waitFor("the end of the draft") { model.draftRevision > revision }
      XCTAssertNil(try draft())

      try edit("Bow and strings")
      try garden.press(tip: "Edit Name and Note")
      waitFor("the note") { garden.window.textViews.first?.typed == "Bow and strings" }
      garden.press("Save")
      waitFor("the saved note") { garden.texts.contains("Bow and strings") }
      XCTAssertNil(try draft())
    }
  }

  func testAnUnfinishedNameStaysADraft() throws {
    try withTree { view, garden in
      let (model, twig) = (garden.context.model, Node.twig(branch: 2, twig: 0))
      try garden.edit(twig, named: "practice", in: view)
      try XCTUnwrap(garden.window.field("Name")).text = "Cello"
      garden.press("Cancel")
      waitFor("the message") { garden.texts.contains("Your draft is saved.") }
      // What another device has changed in the meantime stays.
      try awaited("the note") { try await model.update(twig, note: "Bow and strings") }
      try garden.press(tip: "Edit Name and Note")
      waitFor("the name") { garden.window.field("Name")?.text == "Cello" }
      garden.press("Save")
      waitFor("the saved name") { garden.texts.contains("Cello") }
      XCTAssertEqual(model.garden.note(of: twig), "Bow and strings")
      XCTAssertNil(try awaited("the draft") { try await model.unfinished(.node, about: twig.id) })
    }
  }

  func testANoteSavedBeforeItsDraftWasReadContainsTheDraft() throws {
    try withTree { view, garden in
      let (model, twig) = (garden.context.model, Node.twig(branch: 2, twig: 0))
      XCTAssertTrue(view.openPage(of: .twig(twig.id)))
      waitFor("the page") { garden.texts.contains("practice") }
      try awaited("the draft") { try await model.save(DraftContent("Bow and strings", .node, about: twig.id)) }
      try garden.press(tip: "Edit Name and Note")
      // The draft is read in the main loop, which hasn't run since.
      try XCTUnwrap(garden.window.field("Name")).text = "Cello"
      garden.press("Save")
      waitFor("the name") { garden.texts.contains("Cello") }
      XCTAssertEqual(model.garden.note(of: twig), "Bow and strings")
    }
  }

  func testTheOriginalNameCanBeRestored() throws {
    let renamed = Payload.NodeUpdated(nodeID: "branch-2-twig-0", label: "Cello", note: "Bow and strings")
    try withTree([Seeds.event(.nodeUpdated(renamed), daysAgo: 1, 1)]) { view, garden in
      XCTAssertTrue(view.openPage(of: .twig("branch-2-twig-0")))
      waitFor("the page") { garden.texts.contains("Cello") }
      try garden.press(tip: "Edit Name and Note")
      garden.press("Restore Original")
      waitFor("the original") { garden.texts.contains("practice") }
      XCTAssertEqual(garden.context.model.garden.isChanged(.twig(branch: 2, twig: 0)), false)
    }
  }

  func testALeafIsReadFromItsFirstPlantingToItsLastEntry() throws {
    try withTree { view, garden in
      XCTAssertTrue(view.openPage(of: .leaf("leaf-bach")))
      waitFor("the story") { garden.texts.contains { $0.hasPrefix("The crossing at bar nine") } }
      let story = [
        "Bach, slowly", "3 sprouts since 18 October 2025", "The minuet in G, by heart",
        "Harvested on 25 January 2026: Bloomed", "I played it for my sister, and my hands knew more than I did.",
        "A gavotte", "Uprooted on 14 February 2026", "Learn the cello prelude",
        "Which small thing sounded better than last time?",
        "The crossing at bar nine finally stopped scratching. Slow bow, less arm.",
      ]
      XCTAssertEqual(garden.texts.filter(story.contains), story)
      garden.press("Voice · practice")
      garden.press("A gavotte")
      garden.press("Continue the Leaf")
      XCTAssertEqual(
        garden.commands, ["twig::branch-2-twig-0", "sprout::sprout-gavotte", "continue-leaf::leaf-bach"])
    }
  }

  func testALongStoryIsReadInBatches() throws {
    let entries = Seeds.entries(100, daysApart: 0.5)
    try withTree(entries) { view, garden in
      XCTAssertTrue(view.openPage(of: .leaf("leaf-run")))
      waitFor("the beginning") { garden.texts.contains("Entry 3") }
      XCTAssertFalse(garden.texts.contains("Entry 60"))
      while !garden.texts.contains("Entry 99") {
        let count = garden.texts.count
        garden.press("Read On")
        waitFor("the next part") { garden.texts.count > count }
      }
    }
  }

  func testAMarkOnAZoomedLimbLeadsToItsEntry() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(Seeds.demo)
      defer { garden.close() }
      let canvas = TreeCanvas(garden.context)
      garden.present(canvas.widget)
      waitFor("the tree") { canvas.scene != nil }
      @MainActor func show(_ entry: EntryMark.Entry, on branch: Int) throws -> Point {
        canvas.enter(branch)
        waitFor("the limb") { canvas.zoom?.isRunning == false && canvas.painted?.camera == canvas.camera }
        XCTAssertNil(canvas.marks, "they are looked for when the pointer moves")
        let marks = try XCTUnwrap(canvas.scene).picture.entryMarks(of: branch)
        return canvas.camera.place(of: try XCTUnwrap(marks.first { $0.entry == entry }).center)
      }
      let leaf = try show(.watering(sproutID: "sprout-run", position: 3), on: 0)
      canvas.hover(leaf)
      waitFor("the words") {
        garden.context.foot.pointed
          == "11 October 2026, 09:30 · Slept badly, ran anyway. The river was high and brown and somehow that helped."
      }
      garden.picture("tree-leaf")
      canvas.click(leaf)
      let lichen = try show(.reflection(age: 0), on: 5)
      canvas.hover(lichen)
      waitFor("the words") {
        garden.context.foot.pointed == "12 October 2026, 09:30 · Fog in the valley, and one heron."
      }
      garden.picture("tree-lichen")
      canvas.click(lichen)
      let journal = garden.context.model.garden.journal
      let run = try XCTUnwrap(garden.context.model.garden.sprout(id: "sprout-run"))
      let harvested = try XCTUnwrap(garden.context.model.garden.sprouts.first { $0.harvest != nil })
      let leaflet = try show(.harvest(sproutID: harvested.id), on: try XCTUnwrap(harvested.node?.branch))
      canvas.hover(leaflet)
      let day = Formats.dateAndTime(try XCTUnwrap(harvested.harvest).at)
      waitFor("the words") { garden.context.foot.pointed?.hasPrefix(day) == true }
      garden.picture("tree-leaflet")
      canvas.click(leaflet)
      let seqs = [
        journal[Int(run.waterings[3])].seq, try XCTUnwrap(journal.first { $0.sprout == nil }).seq,
        try XCTUnwrap(harvested.harvest).seq,
      ]
      XCTAssertEqual(garden.commands, seqs.map { "entry::\($0)" })
      canvas.leave()
      waitFor("the whole tree") { canvas.camera == .whole }
      canvas.hover(try XCTUnwrap(canvas.scene).picture.entryMarks(of: 0)[2].center)
      XCTAssertEqual(canvas.hovered?.sproutID, "sprout-run", "a whole shoot in the whole tree")
    }
  }

  func testEscapeClearsTheChoiceOnTheWholeTree() throws {
    try withPicture { picture, garden in
      gtk_window_set_title(garden.window.cast(), "The tree")
      let before = pixels(of: picture)
      picture.focus()
      type("key", "Right", into: "The tree")
      waitFor("a branch") { garden.context.foot.pointed?.hasPrefix("Core") == true }
      type("key", "Escape", into: "The tree")
      waitFor("no choice") { garden.context.foot.pointed == nil }
      XCTAssertEqual(pixels(of: picture), before)
    }
  }

  func testWhenLimbsWereLastTendedIsOffAtFirst() throws {
    try withPicture { picture, garden in
      let before = pixels(of: picture)
      XCTAssertEqual(garden.context.settings.showsLastTended, false)
      try garden.context.settings.set(showsLastTended: true)
      waitFor("the explanation") { garden.texts.contains { $0.hasPrefix("Below each name") } }
      XCTAssertNotEqual(pixels(of: picture), before)
      garden.picture("tree-tended")
      XCTAssertTrue(Settings(folder: garden.folder.path + "/config").showsLastTended)
    }
  }

  func testSeasonsCanBeTurnedOff() throws {
    try withPicture { picture, garden in
      // It is November.
      let before = pixels(of: picture)
      PreferencesDialog(garden.context).present()
      let dialog = try garden.dialog("Preferences")
      let toggle = try XCTUnwrap(dialog.descendants.first { $0.typeName == "GtkSwitch" && $0.isMapped })
      gtk_switch_set_active(toggle.cast(), 0)
      waitFor("the setting") { !garden.context.settings.hasSeasons }
      let summer = pixels(of: picture)
      XCTAssertNotEqual(summer, before)
      gtk_switch_set_active(toggle.cast(), 1)
      waitFor("the setting") { garden.context.settings.hasSeasons }
      XCTAssertEqual(pixels(of: picture), before)
    }
  }

  func testAYearInGrowthShowsWhatHappenedInIt() throws {
    try MainActor.assumeIsolated {
      try Look.forEach { garden, name, _ in
        let view = TreeView(garden.context)
        garden.present(view.widget)
        XCTAssertTrue(view.openPage(of: .year(2026)))
        waitFor("the entries") { garden.texts.contains("To Read Again") }
        garden.picture("year-" + name)
        // Words come first, and no soil: what was planted is folded.
        XCTAssertFalse(garden.texts.contains { $0.contains("soil") })
        let title = try XCTUnwrap(garden.texts.first { $0.hasSuffix(" plantings") })
        XCTAssertFalse(garden.texts.contains("Grow herbs on the balcony"), "\(garden.texts)")
        garden.activate(title)
        waitFor("what was planted") { garden.texts.contains("Grow herbs on the balcony") }
        XCTAssertLessThanOrEqual(minimumWidth(of: view.widget), 360)
        try garden.press(tip: "Previous year")
        waitFor("2025") { garden.texts.contains("2025") && !garden.texts.contains("2026") }
      }
    }
  }

  func testAYearWithoutEventsShowsAMessage() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow()
      defer { garden.close() }
      let view = TreeView(garden.context)
      garden.present(view.widget)
      XCTAssertTrue(view.openPage(of: .year(2026)))
      waitFor("the page") { garden.texts.contains { $0.hasPrefix("Nothing was planted") } }
      garden.picture("year-empty")
    }
  }

  private func withPicture(_ body: @MainActor (Widget, GardenWindow) throws -> Void) throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(Seeds.demo)
      defer { garden.close() }
      try garden.context.settings.set(treeForm: .picture)
      garden.present(TreeView(garden.context).widget)
      let picture = try XCTUnwrap(
        garden.window.descendants.first { $0.typeName.hasSuffix("DrawingArea") && $0.isMapped && $0.width > 100 })
      try body(picture, garden)
    }
  }

  private func withTree(_ events: [Event] = [], _ body: @MainActor (TreeView, GardenWindow) throws -> Void) throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(Seeds.demo + events)
      defer { garden.close() }
      try garden.context.settings.set(treeForm: .list)
      let view = TreeView(garden.context)
      garden.present(view.widget)
      try body(view, garden)
    }
  }
}

extension GardenWindow {
  /// The visible rows of boxed lists.
  private var rows: [Widget] {
    window.descendants.filter { ["AdwActionRow", "AdwPreferencesRow"].contains($0.typeName) && $0.isMapped }
  }

  /// Their titles, from top to bottom.
  var rowTitles: [String] { rows.map { String(cString: adw_preferences_row_get_title($0.cast())) } }

  /// Presses the row with this title.
  func activate(_ title: String, file: StaticString = #filePath, line: UInt = #line) {
    let row = rows.first { String(cString: adw_preferences_row_get_title($0.cast())) == title }
    guard let row else { return XCTFail("no row \(title) among \(rowTitles)", file: file, line: line) }
    gtk_widget_activate(row)
  }

  /// Presses the visible button with this tooltip.
  func press(tip: String) throws {
    let button = window.descendants.first { widget in
      widget.typeName == "GtkButton" && widget.isMapped
        && gtk_widget_get_tooltip_text(widget).map { String(cString: $0) } == tip
    }
    WidgetTestSupport.press(try XCTUnwrap(button, tip))
  }
}

extension GardenWindow {
  /// Opens the form for the name and the note on the page of a twig.
  fileprivate func edit(_ twig: Node, named name: String, in view: TreeView) throws {
    XCTAssertTrue(view.openPage(of: .twig(twig.id)))
    waitFor("the page") { texts.contains(name) }
    try press(tip: "Edit Name and Note")
  }
}
