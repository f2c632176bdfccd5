import CGtk
import CShim
import GtkKit
import SpellKit
import WidgetTestSupport
import XCTest

/// These need the dictionary `hunspell-en-us`.
final class SpellMarksTests: WidgetTestCase {
  func testMisspeltWordsAreUnderlinedDuringTyping() {
    withArea { area, buffer in
      type("A gardn and a hous", into: buffer)
      waitFor("the mark") { marked(in: buffer) == ["gardn"] }
      // The word that is being typed isn't marked until it ends.
      type(" ", into: buffer)
      waitFor("the second mark") { marked(in: buffer) == ["gardn", "hous"] }
      // When a word becomes correct, its mark disappears.
      moveCursor(to: 6, in: buffer)
      type("e", into: buffer)
      waitFor("one mark less") { marked(in: buffer) == ["hous"] }
      XCTAssertEqual(area.text, "A garden and a hous ")
    }
  }

  func testTheWordIsMarkedOnceTheCursorLeavesIt() {
    withArea { _, buffer in
      type("hous gardn", into: buffer)
      waitFor("the mark") { marked(in: buffer) == ["hous"] }
      moveCursor(to: 0, in: buffer)
      waitFor("both marks") { marked(in: buffer) == ["hous", "gardn"] }
    }
  }

  func testTheMenuReplacesAWordAndUndoBringsItBack() {
    withArea { area, buffer in
      type("beautifuly ", into: buffer)
      waitFor("the mark") { marked(in: buffer) == ["beautifuly"] }
      XCTAssertEqual(menu(of: area), [])
      moveCursor(to: 3, in: buffer)
      waitFor("the suggestions") { menu(of: area).contains("beautifully") }
      XCTAssertEqual(menu(of: area).last, "Add")
      activate("spelling.replace", "beautifully", on: view(of: area))
      XCTAssertEqual(area.text, "beautifully ")
      waitFor("no mark") { marked(in: buffer) == [] }
      gtk_text_buffer_undo(buffer)
      XCTAssertEqual(area.text, "beautifuly ")
    }
  }

  func testAWordAddedToTheDictionaryIsNotMarked() {
    withArea { area, buffer in
      type("treeish treeish ", into: buffer)
      waitFor("the marks") { marked(in: buffer) == ["treeish", "treeish"] }
      moveCursor(to: 3, in: buffer)
      waitFor("the menu") { menu(of: area).contains("Add") }
      activate("spelling.add", nil, on: view(of: area))
      waitFor("no marks") { marked(in: buffer) == [] }
      XCTAssertEqual(area.text, "treeish treeish ")
    }
  }

  func testAFieldThatIsClosedDuringACheckIsReleased() {
    MainActor.assumeIsolated {
      let before = liveHandlerCount
      for _ in 0..<3 {
        let area = checked()
        show(area.widget) { _ in area.text = String(repeating: "gardn ", count: 300) }
      }
      // The wait itself has a handler.
      waitFor("the handlers are gone") { liveHandlerCount <= before + 1 }
    }
  }
}

@MainActor private func checked() -> TextArea {
  let area = TextArea(name: "Entry")
  area.checkSpelling(
    with: SpellChecker(languages: ["en_US"]), texts: SpellMenuTexts(add: "Add", noSuggestions: "None"))
  return area
}

private func withArea(_ body: @escaping @MainActor (TextArea, UnsafeMutablePointer<GtkTextBuffer>) -> Void) {
  MainActor.assumeIsolated {
    let area = checked()
    show(area.widget) { _ in body(area, gtk_text_view_get_buffer(view(of: area).cast())) }
  }
}

@MainActor private func view(of area: TextArea) -> Widget {
  area.widget.descendants.first { $0.typeName == "GtkTextView" } ?? area.widget
}

@MainActor private func type(_ text: String, into buffer: UnsafeMutablePointer<GtkTextBuffer>) {
  gtk_text_buffer_insert_at_cursor(buffer, text, -1)
}

@MainActor private func moveCursor(to place: Int, in buffer: UnsafeMutablePointer<GtkTextBuffer>) {
  var iter = GtkTextIter()
  gtk_text_buffer_get_iter_at_offset(buffer, &iter, gint(place))
  gtk_text_buffer_place_cursor(buffer, &iter)
}

@MainActor private func activate(_ action: String, _ target: String?, on view: Widget) {
  XCTAssertNotEqual(gtk_widget_activate_action_variant(view, action, target.map { g_variant_new_string($0) }), 0)
}

/// The underlined words.
@MainActor private func marked(in buffer: UnsafeMutablePointer<GtkTextBuffer>) -> [String] {
  var words: [String] = []
  var (iter, start) = (GtkTextIter(), GtkTextIter())
  gtk_text_buffer_get_start_iter(buffer, &iter)
  repeat {
    if gtk_text_iter_starts_tag(&iter, nil) != 0 { start = iter }
    if gtk_text_iter_ends_tag(&iter, nil) != 0, let word = gtk_text_iter_get_text(&start, &iter) {
      words.append(String(cString: word))
      g_free(word)
    }
  } while gtk_text_iter_forward_to_tag_toggle(&iter, nil) != 0
  return words
}

/// The labels of the context menu's own part.
@MainActor private func menu(of area: TextArea) -> [String] {
  func labels(_ model: UnsafeMutablePointer<GMenuModel>) -> [String] {
    (0..<g_menu_model_get_n_items(model)).flatMap { position -> [String] in
      if let section = g_menu_model_get_item_link(model, position, "section") {
        return Reference(adopting: section).use { labels($0.cast()) }
      }
      guard let value = g_menu_model_get_item_attribute_value(model, position, "label", nil) else { return [] }
      defer { g_variant_unref(value) }
      return [String(cString: g_variant_get_string(value, nil))]
    }
  }
  return gtk_text_view_get_extra_menu(view(of: area).cast()).map(labels) ?? []
}
