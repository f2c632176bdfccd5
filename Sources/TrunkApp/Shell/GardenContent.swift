import Gardening
import GtkKit
import Localization

/// Everything in the window that shows one garden. Signing in or out puts another content into the same window.
final class GardenContent {
  let widget: Widget
  let session: Session
  /// The views under their names in `MainWindow.pageNames`.
  let stack: OpaquePointer = adw_view_stack_new().cast()

  /// Called when another view is shown.
  var onPage: (() -> Void)?

  private var views: [(name: String, title: String, widget: Widget)] = []
  private let today: TodayView
  private let garden: GardenView
  private let greeting: GreetingHeader
  private let meters: Meters
  private let banner: SyncBanner
  private let dayWatch: DayWatch
  private var commands: WindowCommands?

  /// Below this many pixels the header says less.
  private static let narrowWidth: CInt = 600

  /// The view that is shown.
  var page: String {
    get { adw_view_stack_get_visible_child_name(stack).map { String(cString: $0) } ?? "" }
    set { adw_view_stack_set_visible_child_name(stack, newValue) }
  }

  /// What the view is called.
  var title: String { views.first { $0.name == page }?.title ?? "" }

  /// - Parameter page: the view to begin with, if there is one of that name.
  init(
    gardener: Gardener, synchroniser: Synchroniser, settings: Settings, window: Widget, toaster: Toaster, page: String
  ) {
    widget = column()
    session = Session(
      gardener: gardener, synchroniser: synchroniser, settings: settings, window: window, toaster: toaster,
      scope: widget)
    today = TodayView(session)
    garden = GardenView(session)
    greeting = GreetingHeader(session)
    meters = Meters(session)
    banner = SyncBanner(session)
    dayWatch = DayWatch(session)
    add(today.widget, name: "today", icon: "trunk-today-symbolic")
    add(garden.widget, name: "garden", icon: "trunk-garden-symbolic")
    if MainWindow.pageNames.contains(page) { self.page = page }
    layOut()
    stack.onChange(of: "visible-child-name") { [weak self] in self?.showPage() }
    showPage()
    commands = WindowCommands(session, search: { [weak self] in self?.search() }) { [weak self] in self?.open($0) }
    widget.keeps(self)
  }

  /// Adapts to the width of the window.
  func fit(width: gint) { greeting.isNarrow = width < GardenContent.narrowWidth }

  /// Where the keyboard begins: otherwise it would be the first button of the header.
  func beginFocus() {
    // In the garden it would be the search, which takes the letters that are commands.
    if page == "today" { gtk_widget_child_focus(today.widget, GTK_DIR_TAB_FORWARD) }
  }

  /// Says what was found while the garden was opened. These notices stay until they are dismissed.
  func showOpeningNotices() {
    let problems = session.settings.problem.map { [plainWords($0)] } ?? []
    let notices = session.gardener.openingNotices(isLoading: session.isAwaitingGarden)
    for notice in notices + problems { session.toaster.show(notice, seconds: 0) }
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
    // Else each change is laid out in the hidden view too, to know how large it would be.
    adw_view_stack_set_hhomogeneous(stack, 0)
    adw_view_stack_set_vhomogeneous(stack, 0)
    let top = clamp(
      column(spacing: 14, greeting.widget, banner.widget, meters.widget).margin(top: 6, bottom: 8, start: 18, end: 18),
      width: 900)
    widget.append(top, stack.widget.expandDown())
  }

  private func showPage() {
    greeting.isFolded = page != "today"
    // The stack hides its other pages from the eye, but not from screen readers.
    for view in views { view.widget.concealed(view.name != page) }
    onPage?()
  }

  private func search() {
    page = "garden"
    garden.focusSearch()
  }

  /// Shows a sprout's page; going back from it leads to where it was opened.
  private func open(_ sproutID: String) {
    let origin = page
    garden.open(sproutID) { [weak self] in self?.page = origin }
    page = "garden"
  }
}
