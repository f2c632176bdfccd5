import CGtk
import GtkKit
import WidgetTestSupport
import XCTest

final class ControlTests: WidgetTestCase {
  func testActionsInvokeTheirHandlers() {
    MainActor.assumeIsolated {
      let group: OpaquePointer = g_simple_action_group_new().cast()
      let reference = Reference(adopting: group)
      var heard: [String] = []
      let plain = group.addAction("plain") { heard.append("plain") }
      let target = group.addAction("target", target: { heard.append("target " + $0) })
      let choice = group.addChoice("choice", choice: "a") { heard.append("choice " + $0) }
      plain.activate()
      target.activate("sprout-1")
      choice.activate("b")
      XCTAssertEqual(heard, ["plain", "target sprout-1", "choice b"])
      choice.choice = "c"
      XCTAssertEqual(heard.count, 3)
      XCTAssertEqual(choice.choice, "c")
      withExtendedLifetime(reference) {}
    }
  }

  func testAChoiceReportsTheUsersSelection() {
    MainActor.assumeIsolated {
      for style in [Choice.Style.segments, .ranges, .chips] {
        var taken: [Int] = []
        let choice = Choice(style, name: "Season", ["a", "b", "c"], selected: 1) { taken.append($0) }
        show(choice.widget) { window in
          let buttons = window.descendants.filter { $0.typeName == "GtkToggleButton" }
          XCTAssertEqual(buttons.map { gtk_toggle_button_get_active($0.cast()) }, [0, 1, 0])
          gtk_toggle_button_set_active(buttons[2].cast(), 1)
          choice.selected = 0
          XCTAssertEqual(taken, [2])
          XCTAssertEqual(buttons.map { gtk_toggle_button_get_active($0.cast()) }, [1, 0, 0])
        }
      }
    }
  }

  func testADropDownReportsTheUsersSelection() {
    MainActor.assumeIsolated {
      let before = liveHandlerCount
      var taken: [Int] = []
      let list = dropDown(name: "Leaf", ["a & b", "<i>c</i>"], selected: 1) { taken.append($0) }
      show(list) { window in
        XCTAssertEqual(window.shownTexts, ["<i>c</i>"])
        gtk_drop_down_set_selected(list.cast(), 0)
        waitFor("the other text") { window.shownTexts == ["a & b"] }
        XCTAssertEqual(taken, [0])
      }
      XCTAssertLessThanOrEqual(liveHandlerCount, before)
    }
  }

  func testAComboRowSelectsAmongItsItems() {
    MainActor.assumeIsolated {
      let row = comboRow("Leaf")
      XCTAssertNil(row.selectedItem)
      row.setItems(["a & b", "<i>c</i>"])
      show(boxedList(row)) { window in
        XCTAssertEqual(row.selectedItem, 0)
        row.selectedItem = 1
        waitFor("the text") { window.shownTexts.contains("<i>c</i>") }
        XCTAssertEqual(row.selectedItem, 1)
      }
    }
  }

  func testAListLeadsToAPageAndBack() {
    MainActor.assumeIsolated {
      let before = liveHandlerCount
      var returns = 0
      let pages = ListDetail(list: label("List"))
      pages.onReturn = { returns += 1 }
      show(pages.widget) { window in
        pages.open(label("Page"))
        XCTAssertFalse(pages.isListShown)
        waitFor("the page") { window.shownTexts == ["Page"] }
        pages.back()
        XCTAssertTrue(pages.isListShown)
        XCTAssertEqual(returns, 1)
        waitFor("the list alone") { window.descendants.filter { $0.typeName == "GtkLabel" }.count == 1 }
        XCTAssertEqual(window.shownTexts, ["List"])
      }
      XCTAssertLessThanOrEqual(liveHandlerCount, before)
    }
  }

  func testTheFirstVariantThatFitsIsShown() {
    MainActor.assumeIsolated {
      for (width, text) in [(600, "wide"), (200, "narrow")] {
        let variants = firstThatFits()
        variants.addVariant(label("wide").size(width: 400))
        variants.addVariant(label("narrow").size(width: 100))
        show(variants, width: width) { window in
          waitFor(text) { window.shownTexts == [text] }
        }
      }
    }
  }

  func testClosingDialogsStartsAtTheTop() {
    MainActor.assumeIsolated {
      weak var kept: DialogWindow?
      var closed: [String] = []
      let below: Widget = adw_window_new()
      do {
        let dialog = DialogWindow(
          over: below, title: "Water", closeTitle: "Close", dismissTitle: "Dismiss", content: label("text"))
        let upper = DialogWindow(
          over: dialog.widget, title: "Sure?", closeTitle: "Close", dismissTitle: "Dismiss", content: label("text"))
        kept = dialog
        dialog.widget.on("destroy") { closed.append("dialog") }
        upper.widget.on("destroy") { closed.append("upper") }
        dialog.present()
        upper.present()
        waitFor("the dialogs") { gtk_widget_get_mapped(upper.widget) != 0 }
        XCTAssertEqual(below.openDialog, dialog.widget)
        below.closeDialogs()
        XCTAssertNil(below.openDialog)
      }
      waitFor("the end of the dialogs") { kept == nil }
      XCTAssertEqual(closed, ["upper", "dialog"])
      gtk_window_destroy(below.cast())
    }
  }

  func testADialogFocusesItsFirstFieldAndNotItsClosingButton() {
    MainActor.assumeIsolated {
      let below: Widget = adw_window_new()
      let form = column(dropDown(name: "Format", ["PDF", "Markdown"]) { _ in })
      let dialog = DialogWindow(
        over: below, title: "Export", closeTitle: "Cancel", dismissTitle: "Dismiss", content: form)
      dialog.present()
      waitFor("the dialog") { gtk_widget_get_mapped(dialog.widget) != 0 }
      XCTAssertEqual(dialog.widget.focusedWidget.map { form.contains($0) }, true)
      below.closeDialogs()
      gtk_window_destroy(below.cast())
    }
  }

  func testColoursFollowTheScheme() {
    MainActor.assumeIsolated {
      let before = liveHandlerCount
      do {
        let sheet = StyleSheet()
        let text = Reference(retaining: label("text"))
        StyleSheet.scheme = ADW_COLOR_SCHEME_FORCE_LIGHT
        let light = text.use { $0.widget.color("wood") }
        StyleSheet.scheme = ADW_COLOR_SCHEME_FORCE_DARK
        let dark = text.use { $0.widget.color("wood") }
        XCTAssertEqual((light.red * 255).rounded(), 0x6b)
        XCTAssertEqual((dark.red * 255).rounded(), 0xc8)
        StyleSheet.scheme = ADW_COLOR_SCHEME_DEFAULT
        withExtendedLifetime(sheet) {}
      }
      XCTAssertLessThanOrEqual(liveHandlerCount, before)
    }
  }

  func testEveryWidgetFitsANarrowWindow() {
    MainActor.assumeIsolated {
      let long = String(repeating: "word ", count: 100)
      let parts = [
        label(long), paragraph(long), sectionHeader(long, note: long), row(long, long, end: button("Water") {}),
        entry(name: "Entry", placeholder: long), searchEntry(name: long) {}, entryRow(long),
        TextArea(name: "Text", placeholder: long).widget,
        Choice(.chips, name: "Filter", [String](repeating: "Cultivated 41", count: 6)) { _ in }.widget,
        Choice(.segments, name: "Season", ["2 weeks", "1 month", "3 months", "6 months", "1 year"]) { _ in }.widget,
        emptyState(icon: "edit-find-symbolic", title: long, hint: long),
      ]
      for (position, part) in parts.enumerated() {
        var minimum: gint = 0
        gtk_widget_measure(part, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, nil, nil, nil)
        XCTAssertLessThanOrEqual(minimum, 328, "part \(position)")
        withExtendedLifetime(Reference(retaining: part)) {}
      }
    }
  }
}
