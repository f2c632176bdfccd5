import GtkKit
import Localization
import TrunkAccount
import TrunkKit

/// The part of the window that shows one garden. Signing in or out replaces it.
final class GardenContent {
  let widget: Widget
  let context: WindowContext
  let navigator = Navigator()

  /// Called when another view is shown.
  var onPage: (() -> Void)?

  // The views are `nil` until they are needed.
  private var today: TodayView?
  private var tree: TreeView?
  private var garden: GardenView?
  private var journal: JournalView?
  private(set) var search: SearchPage?
  private let top = bin()
  private let greeting: GreetingHeader
  private let meters: Meters
  private let banner: SyncBanner
  private let clockWatch: ClockWatch
  private var commands: WindowCommands?
  private var isNarrow = false
  private var isWide = false

  /// The width in pixels below which the header shows less.
  private static let narrowWidth = 600

  /// The width in pixels from which a page has room beside its list.
  private static let wideWidth = 900

  /// The name of the visible view, or of the one from which the search was opened.
  var page: String { navigator.home.view }

  /// The title of the visible view.
  var title: String { MainWindow.title(ofPage: navigator.view.view) }

  /// - Parameter page: the view to show first, if there is one with this name.
  init(
    model: GardenModel, accountModel: AccountModel, settings: Settings, unsavedDrafts: UnsavedDrafts, window: Widget,
    toaster: Toaster, page: String
  ) {
    widget = column()
    context = WindowContext(
      model: model, accountModel: accountModel, settings: settings, unsavedDrafts: unsavedDrafts, window: window,
      toaster: toaster, scope: widget)
    greeting = GreetingHeader(context)
    meters = Meters(context)
    banner = SyncBanner(context)
    clockWatch = ClockWatch(context)
    context.followStore()
    registerViews()
    if let route = Route(view: page) { navigator.open(route) }
    layOut()
    navigator.stack.widget.onChange(of: "visible-child-name") { [weak self] in self?.showPage() }
    showPage()
    commands = WindowCommands(context, navigator)
    widget.keeps(self)
  }

  func fit(width: Int) {
    isNarrow = width < GardenContent.narrowWidth
    isWide = width >= GardenContent.wideWidth
    greeting.isNarrow = isNarrow
    fitViews()
    foldMeters()
  }

  private func fitViews() {
    tree?.isNarrow = isNarrow
    garden?.isNarrow = isNarrow
    garden?.isWide = isWide
    journal?.isNarrow = isNarrow
  }

  /// In a narrow window, the meters take a single line in views other than Today, so that lists get the space.
  private func foldMeters() { meters.isFolded = isNarrow && navigator.view != .today }

  /// Builds the views that were not needed yet, so that switching to them takes no time. Call it after the first frame.
  func buildViews() { Task { [navigator] in await navigator.buildAll() } }

  /// Sets the initial focus, which would otherwise be on the first button of the header.
  func beginFocus() {
    // In the garden view the first widget is the search field, which would take the single-letter shortcuts.
    switch navigator.view {
    case .today: today?.widget.focusFirst()
    case .tree: tree?.focus()
    default: break
    }
  }

  /// Shows the problems that were found when the garden was opened. These notices stay until they are dismissed.
  func showOpeningNotices() {
    let problems = context.settings.problem.map { [plainWords($0)] } ?? []
    let notices = context.model.openingNotices(awaitsInitialSync: context.awaitsInitialSync)
    for notice in notices + problems { context.toaster.show(notice, seconds: 0) }
  }
}

extension GardenContent {
  private func registerViews() {
    register(.today) { content in
      let today = TodayView(content.context)
      content.today = today
      return today.widget
    }
    register(.tree) { content in
      let tree = TreeView(content.context)
      content.tree = tree
      content.navigator.connect(tree)
      return tree.widget
    }
    register(.garden) { content in
      let garden = GardenView(content.context)
      content.garden = garden
      content.navigator.connect(garden)
      return garden.widget
    }
    register(.journal) { content in
      let journal = JournalView(content.context)
      content.journal = journal
      content.navigator.connect(journal)
      return journal.widget
    }
    register(.search()) { content in
      let search = SearchPage(content.context)
      content.search = search
      content.navigator.connect(search)
      return search.widget
    }
  }

  private func register(_ route: Route, build: @escaping (GardenContent) -> Widget) {
    navigator.register(route) { [weak self] in
      guard let self else { return bin() }
      defer { fitViews() }
      return build(self)
    }
  }

  private func layOut() {
    top.setChild(
      clamp(
        column(spacing: 8, greeting.widget, banner.widget, meters.widget)
          .margin(top: 4, bottom: 4, start: 18, end: 18),
        width: 900))
    widget.append(top, navigator.stack.widget.expandDown())
  }

  private func showPage() {
    navigator.build(navigator.view)
    greeting.isFolded = navigator.view != .today
    foldMeters()
    // Results of a search start at the top, without the greeting.
    top.visible(navigator.view != .search())
    navigator.stack.concealHiddenViews()
    onPage?()
    // The stack is about to move the focus to the first widget of the view.
    Task { [weak self] in self?.keepLettersFree() }
  }

  /// Moves the focus from the garden's search field to its list, so that the keys W, S, H and N work in every view.
  private func keepLettersFree() {
    guard navigator.view == .garden, context.window.focusedWidget?.takesLetters == true else { return }
    garden?.focusList()
  }
}
