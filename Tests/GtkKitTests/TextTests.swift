import CGtk
import GtkKit
import WidgetTestSupport
import XCTest

final class TextTests: WidgetTestCase {
  /// A label would cut the first paragraph in the middle and go on with the second one.
  func testTheOpeningEndsWithWholeParagraphs() {
    let long = String(repeating: "ten letters ", count: 10)
    XCTAssertEqual(opening("One.\n\nThree.", lines: 3), "One.\n\nThree.")
    XCTAssertEqual(opening("One.\n\nThree.\nFour.", lines: 3), "One.\n\nThree. …")
    XCTAssertEqual(opening("\(long)\nTwo.\nThree.", lines: 4), "\(long)\nTwo. …")
    XCTAssertEqual(opening("\(long)\(long)\nTwo.", lines: 4), "\(long)\(long) …")
    XCTAssertEqual(opening("One.\n \n", lines: 1), "One.")
    XCTAssertEqual(opening("", lines: 1), "")
  }

  func testAMegabyteInALabelIsCut() {
    MainActor.assumeIsolated {
      for piece in ["a", "word ", "\n", "e\u{301}\u{302}\u{303}", "👩‍👩‍👧", "\u{202E}x"] {
        let text = String(repeating: piece, count: 1_000_000 / piece.utf8.count)
        let wide = label(text)
        let shown = String(cString: gtk_label_get_text(wide.cast()))
        XCTAssertEqual(shown.unicodeScalars.count, oneLineLimit + 1)
        XCTAssertFalse(shown.contains("\n"))
        let long = paragraph(text)
        // Without an opportunity for a line break, laying out this much text takes minutes.
        let isOneWord = ["a", "e\u{301}\u{302}\u{303}", "\u{202E}x"].contains(piece)
        XCTAssertEqual(
          String(cString: gtk_label_get_text(long.cast())).unicodeScalars.count,
          (isOneWord ? wordLimit : paragraphLimit) + 1)
        [wide, long].forEach { withExtendedLifetime(Reference(retaining: $0)) {} }
      }
    }
  }

  func testPlacesInALabelAreMarked() {
    MainActor.assumeIsolated {
      let text = paragraph("Bar nine")
      let kept = Reference(retaining: text)
      @MainActor func marks() -> String? {
        gtk_label_get_attributes(text.cast()).map { String(cString: pango_attr_list_to_string($0)) }
      }
      text.highlight { $0 == "Bar nine" ? [0..<3] : [] }
      XCTAssertEqual(marks()?.contains("0 3 background #f8f8dfdfa0a0"), true, marks() ?? "")
      text.highlight { _ in [] }
      XCTAssertEqual(marks(), "")
      withExtendedLifetime(kept) {}
    }
  }

  func testOneCharacterCanBeAMegabyte() {
    let text = "a" + String(repeating: "\u{301}", count: 500_000)
    XCTAssertEqual(text.count, 1)
    XCTAssertEqual(clamped(text, to: 10).unicodeScalars.count, 11)
  }

  func testShortTextStaysAsTyped() {
    for text in ["", "plain & simple", "<b>bold</b>", "_underscore_", "🌱", "a\tb"] {
      XCTAssertEqual(clamped(text), text)
      XCTAssertEqual(oneLine(text), text)
    }
    XCTAssertEqual(oneLine("one\r\ntwo\u{2029}three"), "one  two three")
    XCTAssertEqual(clamped("a\u{0}b"), "a\u{FFFD}b")
  }

  func testEscapedTextIsShownAsTyped() {
    MainActor.assumeIsolated {
      let texts = [
        "plain & simple", "<span size='99999'>x</span>", "&amp;", "a\u{1}b\u{1B}c", "\u{85}", "tab\tand\nline",
      ]
      for text in texts {
        let label = Reference(retaining: gtk_label_new(nil))
        label.use { gtk_label_set_markup($0, escaped(text)) }
        let shown = label.use { String(cString: gtk_label_get_text($0)) }
        let expected = String(
          String.UnicodeScalarView(
            text.unicodeScalars.map {
              $0.properties.generalCategory == .control && !"\t\n".unicodeScalars.contains($0) ? "\u{FFFD}" : $0
            }))
        XCTAssertEqual(shown, expected)
      }
    }
  }

  func testAMessageShowsTypedText() {
    MainActor.assumeIsolated {
      let foot = Foot(closeName: "Dismiss")
      foot.setContent(label("content"))
      var undone = false
      show(foot.widget) { window in
        foot.show("plain & <b>simple", seconds: 0, button: ("Undo_it", { undone = true }))
        waitFor("the message") { window.shownTexts.contains("plain & <b>simple") }
        XCTAssertLessThan(gtk_widget_get_width(window), 1000)
        let button = window.descendants.first { $0.typeName == "GtkButton" && $0.shownTexts == ["Undo_it"] }
        XCTAssertNotNil(button, "\(window.shownTexts)")
        let buttons = window.descendants.filter { $0.typeName == "GtkButton" }
        XCTAssertEqual(buttons.map { gtk_widget_get_focus_on_click($0) }, [0, 0])
        button.map { press($0) }
        waitFor("the end of the message") { window.shownTexts == ["content"] }
        XCTAssertTrue(undone)
      }
    }
  }

  func testALongMessageIsShownInFull() {
    MainActor.assumeIsolated {
      let foot = Foot(closeName: "Dismiss")
      foot.setContent(label("content"))
      show(foot.widget, width: 360) { window in
        let text = String(repeating: "The server can’t be reached. ", count: 6)
        foot.show(text, seconds: 0)
        waitFor("the message") { window.shownTexts.contains(text) }
        let message = window.descendants.first {
          $0.typeName == "GtkLabel" && String(cString: gtk_label_get_text($0.cast())) == text
        }
        guard let message, let layout = gtk_label_get_layout(message.cast()) else { return XCTFail("no label") }
        XCTAssertEqual(pango_layout_is_ellipsized(layout), 0)
        XCTAssertEqual(gtk_widget_get_width(window), 360)
      }
    }
  }

  func testAFocusedMessageStays() {
    MainActor.assumeIsolated {
      let foot = Foot(closeName: "Dismiss")
      let place = button("content") {}
      foot.setContent(place)
      show(foot.widget) { window in
        foot.show("error", seconds: 1)
        let cross = window.descendants.last { $0.typeName == "GtkButton" }
        cross.map { XCTAssertEqual(gtk_widget_grab_focus($0), 1) }
        var isOver = false
        let later = Timeout.after(milliseconds: 1200) { isOver = true }
        waitFor("the time of the message") { isOver }
        withExtendedLifetime(later) {}
        XCTAssertTrue(window.shownTexts.contains("error"))
        XCTAssertEqual(gtk_widget_grab_focus(place), 1)
        waitFor("the end of the message") { !window.shownTexts.contains("error") }
      }
    }
  }

  func testOnlyPersistentMessagesReappearAfterANewerOne() {
    MainActor.assumeIsolated {
      let foot = Foot(closeName: "Dismiss")
      foot.setContent(label("content"))
      show(foot.widget) { window in
        let first = foot.show("first", seconds: 0)
        let second = foot.show("second", seconds: 0)
        foot.show("older")
        let newer = foot.show("newer")
        XCTAssertEqual(window.shownTexts, ["content", "newer"])
        newer.dismiss()
        XCTAssertEqual(window.shownTexts, ["content", "second"])
        foot.show("newest", seconds: 1)
        // A waiting message can be dismissed too.
        second.dismiss()
        XCTAssertEqual(window.shownTexts, ["content", "newest"])
        waitFor("the end of its time") { window.shownTexts == ["content", "first"] }
        foot.show("last").dismiss()
        XCTAssertEqual(window.shownTexts, ["content", "first"])
        first.dismiss()
        XCTAssertEqual(window.shownTexts, ["content"])
      }
    }
  }

  func testRowsShowTypedText() {
    MainActor.assumeIsolated {
      let list = boxedList(row("a & b", "<i>c"), entryRow("d & <e>"), switchRow("f & <g>", isOn: true) { _ in })
      show(list) { window in
        for text in ["a & b", "<i>c", "d & <e>", "f & <g>"] {
          XCTAssertTrue(window.shownTexts.contains(text), text)
        }
      }
    }
  }

  func testATextAreaCountsAndKeepsAllWords() {
    MainActor.assumeIsolated {
      let area = TextArea(name: "Text", placeholder: "A few words", limit: 10, byteLimit: 320)
      var changes = 0
      area.onChange = { changes += 1 }
      show(area.widget) { window in
        XCTAssertEqual(window.shownTexts, ["A few words"])
        area.text = "four words are here"
        XCTAssertEqual(changes, 0)
        XCTAssertTrue(area.isTooLong)
        XCTAssertEqual(area.text, "four words are here")
        let view = window.descendants.first { $0.typeName == "GtkTextView" }
        XCTAssertNotNil(view)
        if let view { gtk_text_buffer_set_text(gtk_text_view_get_buffer(view.cast()), "👩‍👩‍👧", -1) }
        // Replacing a text removes the old one first.
        XCTAssertGreaterThan(changes, 0)
        XCTAssertFalse(area.isTooLong)
        XCTAssertEqual(area.text, "👩‍👩‍👧")
        area.text = "a\u{0}b"
        XCTAssertEqual(area.text, "a\u{FFFD}b")
        area.text = "x" + String(repeating: "\u{301}", count: 2000)
        XCTAssertTrue(area.isTooLong, "one character of 4 kB")
        XCTAssertTrue(window.shownTexts.contains { $0.contains("4.0") }, "\(window.shownTexts)")
      }
    }
  }
}

final class TextPageTests: WidgetTestCase {
  private static let lorem = String(repeating: "Twenty minutes, and then the slow movement. ", count: 11)

  func testAPageEditsTheTextOfItsAreaInLinesThatAreEasyToRead() {
    MainActor.assumeIsolated {
      let area = TextArea(name: "Entry")
      var heard: [String] = []
      area.onChange = { heard.append(area.text) }
      let page = area.page(heading: label("What was new?"), corner: label("")) {}
      show(column(area.widget, page.widget.vexpand()), width: 1400, height: 900) { window in
        let views = window.descendants.filter { $0.typeName == "GtkTextView" }
        XCTAssertEqual(views.count, 2)
        XCTAssertEqual(gtk_text_view_get_buffer(views[0].cast()), gtk_text_view_get_buffer(views[1].cast()))
        gtk_text_buffer_set_text(gtk_text_view_get_buffer(views[1].cast()), TextPageTests.lorem, -1)
        XCTAssertEqual(area.text, TextPageTests.lorem)
        XCTAssertEqual(heard.last, TextPageTests.lorem)
        let length = { firstLineLength(views[1]) }
        waitFor("lines of 55 to 75 characters") { (55...75).contains(length()) }
      }
    }
  }
}

/// The number of characters before the first line is wrapped.
@MainActor private func firstLineLength(_ view: Widget) -> Int {
  var end = GtkTextIter()
  gtk_text_buffer_get_start_iter(gtk_text_view_get_buffer(view.cast()), &end)
  gtk_text_view_forward_display_line_end(view.cast(), &end)
  return Int(gtk_text_iter_get_offset(&end))
}
