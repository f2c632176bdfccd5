import Garden
import Gardening
import GtkKit
import Localization

/// The window: header bar with the view switcher, greeting and meters, the views, and the switcher below them where
/// the window is narrow.
final class MainWindow {
  /// The views in the order of the switcher, as `win.view` knows them.
  static let pageNames = ["today", "garden"]

  /// What a view is called.
  static func title(ofPage name: String) -> String {
    switch name {
    case "garden": trc("view", "Garden")
    default: tr("Today")
    }
  }

  /// The `AdwApplicationWindow`, which has the `win.` commands.
  let widget: Widget
  let session: Session

  private let stack: OpaquePointer = adw_view_stack_new().cast()
  private let switcher: Widget = adw_view_switcher_title_new()
  private var views: [(name: String, title: String, widget: Widget)] = []
  private let today: TodayView
  private let garden: GardenView
  private let greeting: GreetingHeader
  private let meters: Meters
  private let banner: SyncBanner
  private let dayWatch: DayWatch
  private var commands: WindowCommands?
  /// An invisible strip as wide as the window: the only widget that GTK 4.8 tells its size.
  private let widthProbe = drawing(width: 0, height: 0)

  /// Below this many pixels the header says less.
  private static let narrowWidth: CInt = 600

  /// The view that is shown.
  var page: String {
    get { adw_view_stack_get_visible_child_name(stack).map { String(cString: $0) } ?? "" }
    set { adw_view_stack_set_visible_child_name(stack, newValue) }
  }

  init(application: OpaquePointer, gardener: Gardener, synchroniser: Synchroniser, settings: Settings) {
    let state = WindowState.load()
    widget = applicationWindow(application)
    gtk_window_set_title(widget.cast(), tr("Trunk"))
    gtk_window_set_default_size(widget.cast(), gint(state.width), gint(state.height))
    if state.isMaximised { gtk_window_maximize(widget.cast()) }
    widget.size(width: 340, height: 294)
    session = Session(
      gardener: gardener, synchroniser: synchroniser, settings: settings, window: widget,
      toaster: Toaster(closeName: tr("Dismiss")))
    today = TodayView(session)
    garden = GardenView(session)
    greeting = GreetingHeader(session)
    meters = Meters(session)
    banner = SyncBanner(session)
    dayWatch = DayWatch(session)

    add(today.widget, name: "today", icon: "trunk-today-symbolic")
    add(garden.widget, name: "garden", icon: "trunk-garden-symbolic")
    if MainWindow.pageNames.contains(state.page) { page = state.page }
    layOut()
    if !state.isMaximised { fit(width: gint(clamping: state.width)) }
    let view = widget.addChoice("view", choice: page) { [weak self] in self?.page = $0 }
    stack.onChange(of: "visible-child-name") { [weak self] in
      guard let self else { return }
      view.choice = page
      showPage()
    }
    showPage()
    commands = WindowCommands(session, search: { [weak self] in self?.search() }) { [weak self] in self?.open($0) }
    tellFocus(of: widget, to: synchroniser)
    widget.on("map") { [weak self] in self?.beginFocus() }
    widget.onQuestion("close-request") { [weak self] in
      self?.keepState()
      self?.widget.closeDialogs()
      return false
    }
    widget.keeps(self)
    sayWhatHappenedAtOpening()
  }

  /// What the keyboard begins with: else it is the first button of the header, which shows so as soon as a key is pressed.
  private func beginFocus() {
    // Where the garden is shown it would be the search, which takes the letters that are commands.
    if page == "today" { gtk_widget_child_focus(today.widget, GTK_DIR_TAB_FORWARD) }
  }

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
    adw_view_switcher_title_set_stack(switcher.cast(), stack)
    let bottom: Widget = adw_view_switcher_bar_new()
    adw_view_switcher_bar_set_stack(bottom.cast(), stack)
    let (switcher, bar) = (switcher, Reference(retaining: bottom))
    // The size is being given out just now: without movement the bar would be laid out before it was measured.
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
    let top = clamp(
      column(spacing: 14, greeting.widget, banner.widget, meters.widget).margin(top: 6, bottom: 8, start: 18, end: 18),
      width: 900)
    session.toaster.setContent(column(widthProbe, top, stack.widget.expandDown()))
    adw_application_window_set_content(widget.cast(), column(header, session.toaster.widget.expandDown(), bottom))
    // The size is being given out just now: what changes it has to wait for the next turn of the loop.
    widthProbe.on("resize") { [weak self] in
      Task { if let self { self.fit(width: gtk_widget_get_width(self.widthProbe)) } }
    }
  }

  private func fit(width: gint) {
    greeting.isNarrow = width < MainWindow.narrowWidth
  }

  private func showPage() {
    greeting.isFolded = page != "today"
    // Shown in place of the switcher where the window is narrow.
    adw_view_switcher_title_set_title(switcher.cast(), views.first { $0.name == page }?.title)
    // The stack hides its other pages from the eye, but not from screen readers.
    for view in views { view.widget.concealed(view.name != page) }
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

  /// Keeps size and view for the next window.
  func keepState() {
    var state = WindowState()
    var (width, height): (gint, gint) = (0, 0)
    gtk_window_get_default_size(widget.cast(), &width, &height)
    (state.width, state.height) = (Int(width), Int(height))
    state.isMaximised = gtk_window_is_maximized(widget.cast()) != 0
    state.page = page
    state.save()
  }

  /// Notices stay until they are dismissed; toasts come one after the other.
  private func sayWhatHappenedAtOpening() {
    let problems = session.settings.problem.map { [plainWords($0)] } ?? []
    let notices = session.gardener.openingNotices(isLoading: session.synchroniser.isLoading)
    for notice in notices + problems { session.toaster.show(notice, seconds: 0) }
  }
}

private func mainMenu() -> [MenuEntry] {
  [
    .section([
      .item(tr("Plant a Sprout…"), action: "win.plant", key: "n"),
      .item(tr("Note an Idea…"), action: "win.seedling"),
      .item(tr("Water…"), action: "win.water::", key: "w"),
      .item(tr("Shine…"), action: "win.shine", key: "s"),
      .item(tr("Undo"), action: "win.undo", key: "<Control>z"),
    ]),
    .section([
      .item(tr("Import…"), action: "win.import"),
      .item(tr("Export…"), action: "win.export"),
    ]),
    .section([
      .item(tr("Account"), action: "win.account"),
      .item(tr("Sync Now"), action: "win.sync-now"),
    ]),
    .section([
      .item(tr("Preferences"), action: "win.preferences"),
      .item(tr("Keyboard Shortcuts"), action: "win.shortcuts"),
      .item(tr("About Trunk"), action: "win.about"),
      .item(tr("Quit"), action: "app.quit"),
    ]),
  ]
}
