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

  private let today: TodayView
  private let tree: TreeView
  private let journal: JournalView
  let search: SearchPage
  private let top = bin()
  private let greeting: GreetingHeader
  private let meters: Meters
  private let banner: SyncBanner
  private let clockWatch: ClockWatch
  private var commands: WindowCommands?

  /// The width in pixels below which the header shows less.
  private static let narrowWidth = 600

  /// The name of the visible view, or of the one from which the search was opened.
  var page: String { navigator.home.view }

  /// The title of the visible view.
  var title: String { MainWindow.title(ofPage: navigator.view.view) }

  /// - Parameter page: the view to show first, if there is one with this name.
  init(
    model: GardenModel, accountModel: AccountModel, settings: Settings, window: Widget, toaster: Toaster, page: String
  ) {
    widget = column()
    context = WindowContext(
      model: model, accountModel: accountModel, settings: settings, window: window, toaster: toaster,
      scope: widget)
    today = TodayView(context)
    tree = TreeView(context)
    let garden = GardenView(context)
    journal = JournalView(context)
    search = SearchPage(context)
    greeting = GreetingHeader(context)
    meters = Meters(context)
    banner = SyncBanner(context)
    clockWatch = ClockWatch(context)
    context.followStore()
    navigator.register(.today, today.widget)
    navigator.register(tree)
    navigator.register(garden)
    navigator.register(.journal, journal.widget)
    navigator.register(search)
    if let route = Route(view: page) { navigator.open(route) }
    layOut()
    navigator.stack.widget.onChange(of: "visible-child-name") { [weak self] in self?.showPage() }
    showPage()
    commands = WindowCommands(context, navigator)
    widget.keeps(self)
  }

  func fit(width: Int) {
    greeting.isNarrow = width < GardenContent.narrowWidth
    tree.isNarrow = width < GardenContent.narrowWidth
    journal.isNarrow = width < GardenContent.narrowWidth
  }

  /// Sets the initial focus, which would otherwise be on the first button of the header.
  func beginFocus() {
    // In the garden view the first widget is the search field, which would take the single-letter shortcuts.
    switch navigator.view {
    case .today: today.widget.focusFirst()
    case .tree: tree.focus()
    default: break
    }
  }

  /// Shows the problems that were found when the garden was opened. These notices stay until they are dismissed.
  func showOpeningNotices() {
    let problems = context.settings.problem.map { [plainWords($0)] } ?? []
    let notices = context.model.openingNotices(isLoading: context.isAwaitingGarden)
    for notice in notices + problems { context.toaster.show(notice, seconds: 0) }
  }
}

extension GardenContent {
  private func layOut() {
    top.setChild(
      clamp(
        column(spacing: 14, greeting.widget, banner.widget, meters.widget)
          .margin(top: 6, bottom: 8, start: 18, end: 18),
        width: 900))
    widget.append(top, navigator.stack.widget.expandDown())
  }

  private func showPage() {
    greeting.isFolded = navigator.view != .today
    // Results of a search start at the top, without the greeting.
    top.visible(navigator.view != .search())
    navigator.stack.concealHiddenViews()
    onPage?()
  }
}
