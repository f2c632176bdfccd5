import GtkKit
import Localization

/// The running program: one instance for each session, its commands and its window.
public final class Application {
  /// The id of the desktop entry, the bus name and the settings.
  static let id = "garden.trunk.trunk"

  /// The `GtkApplication`, which has the `app.` commands.
  let object: OpaquePointer

  private let reference: Reference
  private var styleSheet: StyleSheet?
  private var window: MainWindow?

  public init() {
    object = adw_application_new(Self.id, G_APPLICATION_DEFAULT_FLAGS).cast()
    reference = Reference(adopting: object)
    object.on("startup") { [weak self] in self?.startUp() }
    object.on("activate") { [weak self] in self?.activate() }
  }

  /// Runs until the last window is closed or `app.quit`, and returns the exit code.
  public func run(arguments: [String]) -> Int32 {
    var copies: [UnsafeMutablePointer<CChar>?] = arguments.map { g_strdup($0) }
    defer { copies.forEach { g_free($0) } }
    return g_application_run(object.cast(), Int32(copies.count), &copies)
  }

  private func startUp() {
    if let display = gdk_display_get_default() {
      styleSheet = StyleSheet(on: display)
    }
    gtk_window_set_default_icon_name(Self.id)
    object.addAction("quit") { [object] in g_application_quit(object.cast()) }
    object.addAction("about") { [weak self] in self?.showAbout() }
    object.setKeys(["<Control>q"], for: "app.quit")
    for (position, page) in MainWindow.pageNames.enumerated() {
      object.setKeys(["<Control>\(position + 1)"], for: "win.view::\(page)")
    }
  }

  /// Shows the window; a second launch comes here too and raises it.
  private func activate() {
    let window = window ?? makeWindow()
    gtk_window_present(window.widget.cast())
  }

  private func makeWindow() -> MainWindow {
    let made = MainWindow(application: object)
    window = made
    made.widget.on("destroy") { [weak self] in self?.window = nil }
    FirstFrame.measureIfAsked(made.widget, application: object)
    return made
  }

  private func showAbout() {
    let about: Widget = adw_about_window_new()
    adw_about_window_set_application_name(about.cast(), tr("Trunk"))
    adw_about_window_set_application_icon(about.cast(), Self.id)
    adw_about_window_set_version(about.cast(), "0.1.0")
    adw_about_window_set_license_type(about.cast(), GTK_LICENSE_GPL_3_0)
    if let window { gtk_window_set_transient_for(about.cast(), window.widget.cast()) }
    gtk_window_present(about.cast())
  }
}
