import GtkKit
import Localization
import TrunkAccount
import TrunkKit
import TrunkModel

/// The window: a header bar with the view switcher, the content of one garden, and a switcher at the bottom if the
/// window is narrow. The window stays when another garden is shown.
final class MainWindow {
  /// The views in the order of the switcher, as in `win.view`.
  static let pageNames = ["today", "garden"]

  /// The title of a view.
  static func title(ofPage name: String) -> String {
    switch name {
    case "garden": trc("view", "Garden")
    default: tr("Today")
    }
  }

  /// The `AdwApplicationWindow`, which has the `win.` commands.
  let widget: Widget
  private(set) var content: GardenContent

  var context: WindowContext { content.context }

  private let settings: Settings
  private let toaster = Toaster(closeName: tr("Dismiss"))
  private let place: Widget = adw_bin_new()
  private let switcher: Widget = adw_view_switcher_title_new()
  private let bar = Reference(retaining: adw_view_switcher_bar_new())
  private var view: Action?
  /// An invisible strip as wide as the window. GTK 4.8 has no other way to observe the window's size.
  private let widthProbe = drawing(width: 0, height: 0)

  init(application: OpaquePointer, model: GardenModel, accountModel: AccountModel, settings: Settings) {
    let state = WindowState.load()
    self.settings = settings
    widget = applicationWindow(application)
    gtk_window_set_title(widget.cast(), tr("Trunk"))
    gtk_window_set_default_size(widget.cast(), gint(state.width), gint(state.height))
    if state.isMaximised { gtk_window_maximize(widget.cast()) }
    widget.size(width: 340, height: 294)
    content = GardenContent(
      model: model, accountModel: accountModel, settings: settings, window: widget, toaster: toaster,
      page: state.page)
    layOut()
    view = widget.addChoice("view", choice: content.page) { [weak self] in self?.content.page = $0 }
    showContent()
    if !state.isMaximised { content.fit(width: gint(clamping: state.width)) }
    WindowCommands.addKeys(to: widget)
    tellFocus(of: widget) { [weak self] in self?.context.accountModel }
    widget.on("map") { [weak self] in self?.content.beginFocus() }
    widget.onQuestion("close-request") { [weak self] in
      self?.keepState()
      self?.widget.closeDialogs()
      return false
    }
    widget.keeps(self)
  }

  /// Shows another garden. The window's size, position, view and focus stay the same.
  func show(_ model: GardenModel, _ accountModel: AccountModel) {
    // The dialogs belong to the old garden.
    widget.closeDialogs()
    let focused = FocusedCommand(in: content.widget, of: widget)
    content = GardenContent(
      model: model, accountModel: accountModel, settings: settings, window: widget, toaster: toaster,
      page: content.page)
    showContent()
    content.fit(width: gtk_widget_get_width(widthProbe))
    if let focused, !focused.focus(in: content.widget) { content.beginFocus() }
  }

  /// Ignores clicks on a garden that is about to be replaced. It looks the same as before, because this takes only a
  /// moment.
  func freeze() { gtk_widget_set_can_target(content.widget, 0) }

  private func showContent() {
    adw_view_switcher_title_set_stack(switcher.cast(), content.stack)
    adw_view_switcher_bar_set_stack(bar.object, content.stack)
    adw_bin_set_child(place.cast(), content.widget)
    content.onPage = { [weak self] in self?.showPage() }
    showPage()
    content.showOpeningNotices()
  }

  private func showPage() {
    view?.choice = content.page
    // Shown in place of the switcher if the window is narrow.
    adw_view_switcher_title_set_title(switcher.cast(), content.title)
  }

  private func layOut() {
    let (switcher, bar) = (switcher, bar)
    // This runs during size allocation: with an animation, the bar would be laid out before it was measured.
    switcher.onChange(of: "title-visible") {
      let isNarrow = adw_view_switcher_title_get_title_visible(switcher.cast())
      Task { adw_view_switcher_bar_set_reveal(bar.object, isNarrow) }
    }
    let header = headerBar(
      title: switcher, start: [iconButton("system-search-symbolic", name: tr("Search"), command: "win.search")],
      end: [
        menuButton("open-menu-symbolic", name: tr("Main menu"), isPrimary: true, mainMenu()),
        iconButton("list-add-symbolic", name: tr("Plant a sprout"), command: "win.plant"),
      ])
    toaster.setContent(column(widthProbe, place.expandDown()))
    adw_application_window_set_content(
      widget.cast(), column(header, toaster.widget.expandDown(), bar.object.widget))
    // This runs during size allocation, so changes to the size must wait for the next turn of the loop.
    widthProbe.on("resize") { [weak self] in
      Task { if let self { self.content.fit(width: gtk_widget_get_width(self.widthProbe)) } }
    }
  }

  /// Saves the window's size and view.
  private func keepState() {
    var state = WindowState()
    var (width, height): (gint, gint) = (0, 0)
    gtk_window_get_default_size(widget.cast(), &width, &height)
    (state.width, state.height) = (Int(width), Int(height))
    state.isMaximised = gtk_window_is_maximized(widget.cast()) != 0
    state.page = content.page
    state.save()
  }
}
