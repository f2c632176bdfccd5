import TrunkKit
import TrunkModel

/// Size, maximised state and view of the window, saved between runs. If it can't be read or written, the defaults
/// apply: losing it does no harm.
struct WindowState {
  var width = 900
  var height = 1040
  var isMaximised = false
  var page = "today"
  /// The reset day on which the view was shown; empty if an earlier version has saved it.
  var day = ""

  /// The view to begin with: a new day begins with Today.
  func page(on today: Day) -> String { day.isEmpty || day == today.description ? page : Route.today.view }

  private static var path: String { Folders.state + "/window.conf" }

  /// Loads what `save` has written.
  static func load() -> WindowState {
    var state = WindowState()
    // An unreadable file only means a window of the usual size.
    guard let file = try? KeyFile(path: path) else { return state }
    func number(_ key: String) -> Int { file["window", key].flatMap { Int($0) } ?? 0 }
    let (width, height) = (number("width"), number("height"))
    if width >= 200, height >= 200, width <= 20_000, height <= 20_000 { (state.width, state.height) = (width, height) }
    state.isMaximised = file["window", "maximised"] == "true"
    if let page = file["window", "view"] { state.page = page }
    state.day = file["window", "day"] ?? ""
    return state
  }

  func save() {
    let file = KeyFile()
    file["window", "width"] = "\(width)"
    file["window", "height"] = "\(height)"
    file["window", "maximised"] = "\(isMaximised)"
    file["window", "view"] = page
    file["window", "day"] = day
    // If this fails, the next window has its earlier size.
    try? file.save(to: WindowState.path)
  }
}
