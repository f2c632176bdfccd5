import GtkKit
import Localization
import TrunkAccount
import TrunkKit

/// The part of the window that shows one garden. Signing in or out replaces it.
final class GardenContent {
  let widget: Widget
  let context: WindowContext
  /// The views, under their names in `MainWindow.pageNames`.
  let stack: OpaquePointer = adw_view_stack_new().cast()

  /// Called when another view is shown.
  var onPage: (() -> Void)?

  private var views: [(name: String, title: String, widget: Widget)] = []
  private let today: TodayView
  private let garden: GardenView
  private let greeting: GreetingHeader
  private let meters: Meters
  private let banner: SyncBanner
  private let clockWatch: ClockWatch
  private var commands: WindowCommands?

  /// The width in pixels below which the header shows less.
  private static let narrowWidth: CInt = 600

  /// The name of the visible view.
  var page: String {
    get { adw_view_stack_get_visible_child_name(stack).map { String(cString: $0) } ?? "" }
    set { adw_view_stack_set_visible_child_name(stack, newValue) }
  }

  /// The title of the visible view.
  var title: String { views.first { $0.name == page }?.title ?? "" }

  /// - Parameter page: the view to show first, if there is one with this name.
  init(
    model: GardenModel, accountModel: AccountModel, settings: Settings, window: Widget, toaster: Toaster, page: String
  ) {
    widget = column()
    context = WindowContext(
      model: model, accountModel: accountModel, settings: settings, window: window, toaster: toaster,
      scope: widget)
    today = TodayView(context)
    garden = GardenView(context)
    greeting = GreetingHeader(context)
    meters = Meters(context)
    banner = SyncBanner(context)
    clockWatch = ClockWatch(context)
    context.followStore()
    add(today.widget, name: "today", icon: "trunk-today-symbolic")
    add(garden.widget, name: "garden", icon: "trunk-garden-symbolic")
    if MainWindow.pageNames.contains(page) { self.page = page }
    layOut()
    stack.onChange(of: "visible-child-name") { [weak self] in self?.showPage() }
    showPage()
    commands = WindowCommands(context, search: { [weak self] in self?.search() }) { [weak self] in self?.open($0) }
    widget.keeps(self)
  }

  func fit(width: gint) { greeting.isNarrow = width < GardenContent.narrowWidth }

  /// Sets the initial focus, which would otherwise be on the first button of the header.
  func beginFocus() {
    // In the garden view the first widget is the search field, which would take the single-letter shortcuts.
    if page == "today" { gtk_widget_child_focus(today.widget, GTK_DIR_TAB_FORWARD) }
  }

  /// Shows the problems that were found when the garden was opened. These notices stay until they are dismissed.
  func showOpeningNotices() {
    let problems = context.settings.problem.map { [plainWords($0)] } ?? []
    let notices = context.model.openingNotices(isLoading: context.isAwaitingGarden)
    for notice in notices + problems { context.toaster.show(notice, seconds: 0) }
  }
}

extension GardenContent {
  private func add(_ view: Widget, name: String, icon: String) {
    let title = MainWindow.title(ofPage: name)
    views.append((name, title, view))
    adw_view_stack_add_titled(stack, view, name, title)
    adw_view_stack_page_set_icon_name(adw_view_stack_get_page(stack, view), icon)
  }

  private func layOut() {
    // Otherwise each change is also laid out in the hidden view, to measure it.
    adw_view_stack_set_hhomogeneous(stack, 0)
    adw_view_stack_set_vhomogeneous(stack, 0)
    let top = clamp(
      column(spacing: 14, greeting.widget, banner.widget, meters.widget).margin(top: 6, bottom: 8, start: 18, end: 18),
      width: 900)
    widget.append(top, stack.widget.expandDown())
  }

  private func showPage() {
    greeting.isFolded = page != "today"
    // The stack hides its other pages visually, but not from screen readers.
    for view in views { view.widget.concealed(view.name != page) }
    onPage?()
  }

  private func search() {
    page = "garden"
    garden.focusSearch()
  }

  /// Shows a sprout's page; going back returns to the view it was opened from.
  private func open(_ sproutID: String) {
    let origin = page
    garden.open(sproutID) { [weak self] in self?.page = origin }
    page = "garden"
  }
}
