import GtkKit
import TrunkAccount
import TrunkKit

/// Size, maximised state and view of the window, saved between runs. If it can't be read or written, the defaults
/// apply: losing it does no harm.
struct WindowState {
  var width = 900
  var height = 1040
  var isMaximised = false
  var page = "today"

  private static var path: String { Folders.state + "/window.conf" }

  /// Loads what `save` has written.
  static func load() -> WindowState {
    var state = WindowState()
    guard let file = g_key_file_new() else { return state }
    defer { g_key_file_unref(file) }
    guard g_key_file_load_from_file(file, path, G_KEY_FILE_NONE, nil) != 0 else { return state }
    let (width, height) = (
      g_key_file_get_integer(file, "window", "width", nil), g_key_file_get_integer(file, "window", "height", nil)
    )
    if width >= 200, height >= 200, width <= 20_000, height <= 20_000 {
      (state.width, state.height) = (Int(width), Int(height))
    }
    state.isMaximised = g_key_file_get_boolean(file, "window", "maximised", nil) != 0
    if let page = g_key_file_get_string(file, "window", "view", nil) {
      state.page = String(cString: page)
      g_free(page)
    }
    return state
  }

  func save() {
    guard let file = g_key_file_new() else { return }
    defer { g_key_file_unref(file) }
    g_key_file_set_integer(file, "window", "width", gint(clamping: width))
    g_key_file_set_integer(file, "window", "height", gint(clamping: height))
    g_key_file_set_boolean(file, "window", "maximised", isMaximised.gboolean)
    g_key_file_set_string(file, "window", "view", page)
    g_mkdir_with_parents(Folders.state, 0o700)
    guard let text = g_key_file_to_data(file, nil, nil) else { return }
    defer { g_free(text) }
    g_file_set_contents_full(WindowState.path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0o600, nil)
  }
}
