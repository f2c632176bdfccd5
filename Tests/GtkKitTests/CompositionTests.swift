import CGtk
import FakeInputMethod
import WidgetTestSupport
import XCTest

@testable import GtkKit

/// Text that an input method composes is a part of what the user wrote.
final class CompositionTests: WidgetTestCase {
  override func tearDown() {
    fake_input_stop_using()
    super.tearDown()
  }

  func testComposedTextIsAPartOfTheTextOfAnArea() {
    MainActor.assumeIsolated {
      fake_input_use(FAKE_INPUT_DROPS)
      let area = TextArea(name: "Entry", placeholder: "A few words are plenty")
      var seen: [String] = []
      area.onChange = { [weak area] in if let area { seen.append(area.text) } }
      show(area.widget) { _ in
        area.focus()
        XCTAssertTrue(area.compose("shi jie"))
        XCTAssertEqual(area.text, "shi jie")
        XCTAssertFalse(area.showsPlaceholder)
        XCTAssertEqual(area.buffer.text, "", "the input method has not committed it")
        area.compose("")
        XCTAssertEqual(seen, ["shi jie", ""])
        XCTAssertTrue(area.showsPlaceholder)
      }
    }
  }

  func testCommittingComposedTextTakesItOnce() {
    MainActor.assumeIsolated {
      for end in ends {
        fake_input_use(end)
        let area = TextArea(name: "Entry")
        show(area.widget) { _ in
          area.focus()
          fake_input_commit(area.view, "你好")
          area.compose("世界")
          area.view.commitComposedText()
          XCTAssertEqual(area.buffer.text, "你好世界", "\(end)")
          XCTAssertEqual(area.text, "你好世界", "\(end)")
          fake_input_commit_late(area.view)
          XCTAssertEqual(area.text, "你好世界", "\(end)")
          fake_input_commit(area.view, "！")
          XCTAssertEqual(area.text, "你好世界！", "\(end)")
        }
      }
    }
  }

  func testAnotherTextThatIsCommittedLaterIsKept() {
    MainActor.assumeIsolated {
      fake_input_use(FAKE_INPUT_DROPS)
      let area = TextArea(name: "Entry")
      show(area.widget) { _ in
        area.focus()
        area.compose("世界")
        area.view.commitComposedText()
        fake_input_commit(area.view, "，")
        XCTAssertEqual(area.text, "世界，")
      }
    }
  }

  func testComposedTextStaysWhenTheFocusLeaves() {
    MainActor.assumeIsolated {
      for end in ends {
        fake_input_use(end)
        let area = TextArea(name: "Entry")
        let other = button("Water") {}
        show(column(area.widget, other)) { window in
          area.focus()
          area.compose("世界")
          other.focus()
          waitFor("the focus") { window.focusedWidget == other }
          fake_input_commit_late(area.view)
          XCTAssertEqual(area.buffer.text, "世界", "\(end)")
        }
      }
    }
  }

  func testComposedTextStaysWhenTheFieldDisappears() {
    MainActor.assumeIsolated {
      for end in ends {
        fake_input_use(end)
        let area = TextArea(name: "Entry")
        var seen = ""
        area.onChange = { [weak area] in if let area { seen = area.text } }
        show(area.widget) { _ in
          area.focus()
          area.compose("世界")
        }
        XCTAssertEqual(seen, "世界", "\(end)")
      }
    }
  }

  func testComposedTextReplacesTheSelection() {
    MainActor.assumeIsolated {
      fake_input_use(FAKE_INPUT_DROPS)
      let area = TextArea(name: "Entry")
      area.text = "old text"
      show(area.widget) { _ in
        area.focus()
        var (start, end) = (GtkTextIter(), GtkTextIter())
        gtk_text_buffer_get_iter_at_offset(area.buffer, &start, 0)
        gtk_text_buffer_get_iter_at_offset(area.buffer, &end, 3)
        gtk_text_buffer_select_range(area.buffer, &start, &end)
        area.compose("新")
        XCTAssertEqual(area.text, "新 text")
        area.view.commitComposedText()
        XCTAssertEqual(area.buffer.text, "新 text")
      }
    }
  }

  func testANewTextEndsTheComposition() {
    MainActor.assumeIsolated {
      for end in ends {
        fake_input_use(end)
        let area = TextArea(name: "Entry")
        show(area.widget) { _ in
          area.focus()
          area.compose("世界")
          area.text = ""
          fake_input_commit_late(area.view)
          XCTAssertEqual(area.text, "", "\(end)")
        }
      }
    }
  }

  func testComposedTextIsAPartOfTheTextOfAnEntry() throws {
    try MainActor.assumeIsolated {
      for end in ends {
        fake_input_use(end)
        for field in [entry(name: "Title", text: "ab"), entryRow("Title", text: "ab")] {
          let inner = try XCTUnwrap(gtk_editable_get_delegate(field.cast())).widget
          var seen: [String] = []
          field.onTextChange { seen.append(field.text) }
          let other = button("Plant") {}
          show(column(field, other)) { window in
            inner.focus()
            gtk_editable_set_position(field.cast(), 1)
            XCTAssertNotEqual(fake_input_compose(inner, "世界"), 0)
            XCTAssertEqual(field.text, "a世界b")
            XCTAssertEqual(seen.last, "a世界b")
            other.focus()
            waitFor("the focus") { window.focusedWidget == other }
            fake_input_commit_late(inner)
            XCTAssertEqual(String(cString: gtk_editable_get_text(field.cast())), "a世界b", "\(end)")
            field.text = "c"
            XCTAssertEqual(field.text, "c")
          }
        }
      }
    }
  }
}

/// Every way in which an input method ends a composition.
@MainActor private var ends: [FakeInputEnd] { [FAKE_INPUT_DROPS, FAKE_INPUT_COMMITS, FAKE_INPUT_COMMITS_LATE] }

extension TextArea {
  @discardableResult
  fileprivate func compose(_ text: String) -> Bool { fake_input_compose(view, text) != 0 }

  fileprivate var showsPlaceholder: Bool {
    widget.descendants.contains { gtk_widget_has_css_class($0, "placeholder") != 0 && $0.isVisible }
  }
}

final class KeyPauseTests: XCTestCase {
  func testKeysAreIgnoredForASecondAfterTheFirstFrame() {
    MainActor.assumeIsolated {
      let (enter, space) = (guint(GDK_KEY_Return), guint(GDK_KEY_space))
      var pause = KeyPause()
      XCTAssertTrue(pause.ignoresPress(of: space, at: 0), "nothing is on the screen yet")
      pause.released(space)
      pause.start = 5_000_000
      XCTAssertTrue(pause.ignoresPress(of: enter, at: 5_999_999))
      XCTAssertFalse(pause.ignoresPress(of: space, at: 6_000_000))
      XCTAssertTrue(pause.ignoresPress(of: enter, at: 7_000_000), "it is still held")
      pause.released(enter)
      XCTAssertFalse(pause.ignoresPress(of: enter, at: 7_000_001))
    }
  }
}
