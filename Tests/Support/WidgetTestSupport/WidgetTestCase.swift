import CGtk
import GtkKit
import XCTest

/// A test case for widgets. It initializes GTK, and its tests run the main loop with `waitFor`.
///
/// The class isn't isolated to the main actor, because XCTest doesn't find such classes. It still runs the methods on
/// the main thread.
open class WidgetTestCase: XCTestCase {
  open override class func setUp() {
    super.setUp()
    MainActor.assumeIsolated {
      isReady = isReady || (gtk_init_check() != 0 && MainQueue.attach() && initializeAdwaita())
    }
    XCTAssertTrue(MainActor.assumeIsolated { isReady }, "GTK needs a display")
  }

  @MainActor private static var isReady = false

  @MainActor private static func initializeAdwaita() -> Bool {
    adw_init()
    return true
  }
}

/// Runs the main loop until a condition is true; fails the test after a minute.
/// - Parameter what: names what the test waits for in the message of a failure.
@MainActor public func waitFor(
  _ what: String, file: StaticString = #filePath, line: UInt = #line, _ condition: () -> Bool
) {
  let wake = Timeout.every(milliseconds: 20) { true }
  defer { wake.cancel() }
  let deadline = g_get_monotonic_time() + 60_000_000
  while !condition() {
    guard g_get_monotonic_time() < deadline else {
      return XCTFail("waited a minute for " + what, file: file, line: line)
    }
    g_main_context_iteration(nil, 1)
  }
}

/// Runs the main loop until more frames of a widget's window are painted. By then, a change that must not happen would
/// have happened.
@MainActor public func waitForFrames(
  _ count: Int = 10, of widget: Widget, file: StaticString = #filePath, line: UInt = #line
) {
  var left = count
  widget.onFrame {
    left -= 1
    widget.redraw()
    return left > 0
  }
  widget.redraw()
  waitFor("\(count) frames", file: file, line: line) { left == 0 }
}

/// Shows a widget in a window until `body` returns.
/// - Parameters:
///   - width: the default width of the window, in pixels.
///   - height: the default height of the window, in pixels.
@MainActor public func show(_ child: Widget, width: Int = 400, height: Int = 600, _ body: (Widget) -> Void) {
  let window: Widget = gtk_window_new()
  gtk_window_set_default_size(window.cast(), gint(width), gint(height))
  gtk_window_set_child(window.cast(), child)
  gtk_window_present(window.cast())
  waitFor("the window") { gtk_widget_get_mapped(window) != 0 && gtk_widget_get_width(child) > 0 }
  body(window)
  gtk_window_destroy(window.cast())
}

extension Widget {
  /// All widgets below this one, each before its own children.
  @MainActor public var descendants: [Widget] {
    var found: [Widget] = []
    var child = gtk_widget_get_first_child(self)
    while let next = child {
      found += [next] + next.descendants
      child = gtk_widget_get_next_sibling(next)
    }
    return found
  }

  /// The texts of the visible labels below this widget, from top to bottom.
  @MainActor public var shownTexts: [String] {
    descendants.filter { $0.typeName == "GtkLabel" && gtk_widget_get_mapped($0) != 0 }
      .map { withoutIsolates(String(cString: gtk_label_get_text($0.cast()))) }
  }

  /// The name of the widget's GType, such as `GtkLabel`.
  @MainActor public var typeName: String {
    String(cString: g_type_name_from_instance(cast()))
  }
}

/// Returns the text without directional isolates, which enclose numbers in text of any direction.
public func withoutIsolates(_ text: String) -> String {
  String(text.unicodeScalars.filter { !("\u{2066}"..."\u{2069}").contains($0) })
}

/// Presses a button.
@MainActor public func press(_ button: Widget) {
  var value = GValue()
  g_value_init(&value, gtk_button_get_type())
  g_value_set_object(&value, button)
  g_signal_emitv(&value, g_signal_lookup("clicked", gtk_button_get_type()), 0, nil)
  g_value_unset(&value)
}

/// Activates an item of a list view.
@MainActor public func press(item position: guint, of list: Widget) {
  gtk_widget_activate_action_variant(list, "list.activate-item", g_variant_new_uint32(position))
}
