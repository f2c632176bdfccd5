import GtkKit
import SyncEngine
import TrunkAccount
import TrunkKit

/// The part of the window that shows one garden. Signing in or out replaces it.
final class GardenPane {
  let widget: Widget
  let context: WindowContext
  let navigator = Navigator()

  /// Called when another view is shown.
  var onPage: (() -> Void)?

  // The views are `nil` until they are needed.
  private var today: TodayView?
  private(set) var tree: TreeView?
  private var garden: GardenView?
  private(set) var journal: JournalView?
  private(set) var search: SearchPage?
  /// The day and the sync in the header bar.
  let status: HeaderStatus
  private let clockWatch: ClockWatch
  private var commands: WindowCommands?
  private var isNarrow = false
  private var isWide = false
  private var isRoomy = false
  private var width = 0

  /// The width in pixels from which the header bar shows the drops and the sun.
  private static let roomyWidth = 720

  /// The width in pixels below which Today shows less.
  private static let narrowWidth = 600

  /// The minimum width in pixels at which a page fits beside its list: a window of 900 pixels, less its frame.
  private static let wideWidth = 880

  /// The name of the visible view, or of the one from which the search was opened.
  var page: String { navigator.home.view }

  /// The title of the visible view.
  var title: String { navigator.view.viewTitle }

  /// - Parameter page: the view to show first, if there is one with this name.
  init(
    model: GardenModel, accountModel: AccountModel, settings: Settings, unsavedDrafts: UnsavedDrafts, window: Widget,
    foot: Foot, page: String
  ) {
    widget = column()
    context = WindowContext(
      model: model, accountModel: accountModel, settings: settings, unsavedDrafts: unsavedDrafts, window: window,
      foot: foot, scope: widget)
    status = HeaderStatus(context)
    clockWatch = ClockWatch(context)
    context.followStore()
    context.followServerClock()
    registerViews()
    if let route = Route(view: page) { navigator.open(route) }
    widget.append(navigator.stack.widget.vexpand())
    navigator.stack.widget.onChange(of: "visible-child-name") { [weak self] in self?.showPage() }
    showPage()
    navigator.onPlace = { [weak self] in self?.showSentence() }
    commands = WindowCommands(context, navigator) { [weak self] in self?.open(.today) }
    _ = TroubleNotices(context)
    addKeys()
    widget.keeps(self)
    context.follow(widget) { [weak self] in self?.showSentence() }
  }

  func fit(width: Int) {
    // Large texts need more room.
    let room = Int(Double(width) / textScale)
    isNarrow = room < GardenPane.narrowWidth
    isWide = room >= GardenPane.wideWidth
    self.width = width
    isRoomy = room >= GardenPane.roomyWidth
    fitViews()
    showHeader()
  }

  private func showHeader() {
    status.show(navigator.view, hasRoom: isRoomy)
  }

  /// Shows the sentence about the page in the foot, and with the whole tree the link to its other form.
  private func showSentence() {
    let (garden, now) = (context.model.garden, context.model.now)
    let place = navigator.place
    context.foot.sentence =
      context.model.awaitsInitialSync ? "" : garden.sentence(on: place, at: now, resting: context.settings.restDays)
    context.foot.link = place == .tree ? tree?.toggle : nil
  }

  private func fitViews() {
    today?.isNarrow = isNarrow
    today?.width = width
    tree?.isNarrow = isNarrow
    tree?.width = width
    garden?.isNarrow = isNarrow
    garden?.width = width
    garden?.isWide = isWide
    journal?.width = width
  }

  /// Builds the views that were not needed yet, so that switching to them takes no time. Call it after the first frame.
  func buildViews() {
    let task = Task { [navigator] in await navigator.buildAll() }
    widget.on("destroy") { task.cancel() }
  }

  /// Sets the initial focus in Today and on the tree, where it would otherwise be on the first button of the header.
  func beginFocus() {
    if [.today, .tree].contains(navigator.view) { focusView() }
  }

  /// Shows a view as it was left, or the root of the view that is open already. Moves the focus to its content, so that
  /// the arrow keys and W, S, H and N work.
  func open(_ view: Route) {
    if navigator.view == view { showRoot() } else { navigator.open(view) }
    focusView()
  }

  /// Shows the whole tree, the newest entry, or the top of the view that is open.
  func showRoot() {
    navigator.leavePages()
    switch navigator.view {
    case .today: today?.showRoot()
    case .tree: tree?.showRoot()
    case .garden: garden?.showRoot()
    case .journal: journal?.showRoot()
    default: break
    }
  }

  private func addKeys() {
    widget.onKey { [weak self] press in
      guard let self else { return false }
      switch (press.key, press.modifiers) {
      case (.escape, []): return goUp()
      case (.left, .alt): navigator.back()
      default: return false
      }
      return true
    }
    // The button of a mouse that leads back.
    widget.onClick(button: 8) { [weak self] _, _, _ in self?.navigator.back() }
  }

  /// Shows the place one level up.
  /// - Returns: whether there is one. A list beside its page is a root, too.
  private func goUp() -> Bool {
    switch navigator.view {
    case .garden where garden?.isListFocused == true, .journal where journal?.isListFocused == true: return false
    default: break
    }
    guard navigator.goUp(in: context.model.garden) else {
      // The newest entry beside the journal's list was not opened by the user, so it has nothing above it but the list.
      return navigator.view == .journal && journal?.focusListBesidePage() == true
    }
    if navigator.place == .tree { tree?.showRoot() }
    return true
  }

  /// Moves the focus to the content of the visible view.
  private func focusView() {
    switch navigator.view {
    case .today: today?.focus()
    case .tree: tree?.focus()
    case .garden: garden?.focusList()
    case .journal: journal?.focusList()
    default: break
    }
  }

  /// Opens addresses of pages and files.
  func open(_ addresses: [String]) { commands?.links.open(addresses) }
}

extension GardenPane {
  private func registerViews() {
    register(.today) { pane in
      let today = TodayView(pane.context)
      pane.today = today
      return today.widget
    }
    register(.tree) { pane in
      let tree = TreeView(pane.context)
      pane.tree = tree
      pane.navigator.connect(tree)
      return tree.widget
    }
    register(.garden) { pane in
      let garden = GardenView(pane.context)
      pane.garden = garden
      pane.navigator.connect(garden)
      return garden.widget
    }
    register(.journal) { pane in
      let journal = JournalView(pane.context)
      pane.journal = journal
      pane.navigator.connect(journal)
      return journal.widget
    }
    register(.search()) { pane in
      let search = SearchPage(pane.context)
      pane.search = search
      pane.navigator.connect(search)
      return search.widget
    }
  }

  private func register(_ route: Route, build: @escaping (GardenPane) -> Widget) {
    navigator.register(route) { [weak self] in
      guard let self else { return bin() }
      defer { fitViews() }
      return build(self)
    }
  }

  private func showPage() {
    navigator.build(navigator.view)
    showHeader()
    navigator.stack.concealHiddenViews()
    showSentence()
    onPage?()
    // The stack is about to move the focus to the first widget of the view.
    Task { [weak self] in self?.keepLettersFree() }
  }

  /// Moves the focus from the garden's search field to its page or list, so that the keys W, S, H and N work in every
  /// view.
  private func keepLettersFree() {
    guard widget.isMapped, navigator.view == .garden, context.window.focusedWidget?.takesLetters == true else { return }
    garden?.focusContent()
  }
}

extension WindowContext {
  /// Says that this computer's clock differs from the server's: once for each difference, and until it is dismissed.
  fileprivate func followServerClock() {
    let (accountModel, foot) = (accountModel, foot)
    var told: ClockDifference?
    follow(scope, sync: true) {
      let difference = accountModel.status.clockDifference
      defer { told = difference }
      guard let difference, difference.isNews(after: told) else { return }
      foot.show(difference.message(), seconds: 0)
    }
  }
}
