import CGtk
import GtkKit
import WidgetTestSupport
import XCTest

@testable import TrunkApp

/// Where the focus goes when the widget that has it disappears.
final class FocusTests: WidgetTestCase {
  func testAfterARemovalTheRowInItsPlaceHasTheFocus() throws {
    try withList { garden, list, _ in
      let rows = list.children
      rows[1].focus()
      list.remove(rows[1])
      waitFor("the next row") { rows[2].hasFocus }
      list.remove(rows[2])
      waitFor("the last row") { rows[0].hasFocus }
    }
  }

  func testARecreatedRowKeepsTheFocus() throws {
    try withList { garden, list, _ in
      list.children[1].focus()
      for row in list.children { list.remove(row) }
      for name in ["Four", "Five", "Six"] { list.append(FocusTests.row(name)) }
      waitFor("the second row") { list.children[1].hasFocus }
    }
  }

  func testAfterTheLastRemovalTheNextSectionHasTheFocus() throws {
    try withList { garden, list, after in
      list.children[2].focus()
      for row in list.children { list.remove(row) }
      list.visible(false)
      waitFor("the next section") { after.hasFocus }
      after.sensitive(false)
      waitFor("the section before") { garden.window.buttons("Before").first?.hasFocus == true }
    }
  }

  /// Otherwise GTK drops the keys that are pressed before the next frame, also Ctrl+Q.
  func testARemovedWidgetReceivesNoKeys() throws {
    try withList { garden, list, _ in
      list.children[1].focus()
      waitForFrames(1, of: garden.window)
      list.remove(list.children[1])
      XCTAssertNil(garden.window.focusedWidget)
      waitFor("the row in its place") { list.children[1].hasFocus }
    }
  }

  func testARemovedPartOfADialogReceivesNoKeys() throws {
    MainActor.assumeIsolated {
      let (part, content) = (button("Part") {}, column())
      content.append(part)
      let dialog = DialogWindow(over: nil, title: "Steps", content: content)
      defer { dialog.close() }
      dialog.present()
      part.focus()
      content.remove(part)
      XCTAssertNil(dialog.widget.focusedWidget)
    }
  }

  func testTheProgramMayMoveTheFocusElsewhere() throws {
    try withList { garden, list, after in
      let row = list.children[1]
      row.focus()
      list.remove(row)
      after.focus()
      waitForFrames(3, of: garden.window)
      XCTAssertTrue(after.hasFocus)
    }
  }

  /// Otherwise a command such as W would be typed into it.
  func testTheFocusDoesNotGoFromAButtonToATextField() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow()
      defer { garden.close() }
      let (start, field) = (button("Plant a Sprout") {}, entry(name: "Your first name", placeholder: ""))
      let sections = column(column(start), column(field))
      garden.present(sections)
      start.focus()
      waitForFrames(3, of: garden.window)
      start.visible(false)
      waitForFrames(3, of: garden.window)
      XCTAssertNotEqual(garden.window.focusedWidget?.takesLetters, true)
    }
  }

  func testTheFocusReturnsFromAMessage() throws {
    try withList { garden, list, _ in
      let row = list.children[1]
      row.focus()
      waitForFrames(3, of: garden.window)
      let message = garden.context.foot.show("Deleted", button: ("Undo", {}))
      try XCTUnwrap(garden.window.buttons("Undo").first).focus()
      waitForFrames(3, of: garden.window)
      XCTAssertFalse(row.hasFocus)
      message.dismiss()
      waitFor("the row") { row.hasFocus }
      // A row that disappears doesn't hand the focus to a message either.
      garden.context.foot.show("Deleted", button: ("Undo", {}))
      for row in list.children { list.remove(row) }
      waitFor("a section") { garden.window.focusedWidget?.isMapped == true }
      XCTAssertEqual(garden.window.focusedWidget.map { garden.window.buttons("Undo").contains($0) }, false)
    }
  }

  @MainActor private static func row(_ name: String) -> Widget { GtkKit.row(name, action: {}) }

  /// - Parameter body: called with a window, a list of three rows, and the button below it.
  private func withList(_ body: @MainActor (GardenWindow, Widget, Widget) throws -> Void) throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow()
      defer { garden.close() }
      let (list, after) = (boxedList(), button("After") {})
      for name in ["One", "Two", "Three"] { list.append(FocusTests.row(name)) }
      // Without the keeper, GTK moves the focus to this button.
      garden.present(column(button("Before") {}, column(label("Rows"), list), column(after)))
      try body(garden, list, after)
    }
  }
}
