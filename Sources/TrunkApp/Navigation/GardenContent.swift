import GtkKit
import Localization
import TrunkAccount
import TrunkKit

/// The part of the window that shows one garden. Signing in or out replaces it.
final class GardenContent {
  let widget: Widget
  let context: WindowContext
  /// The views, under their names in `MainWindow.pageNames`.
  let stack = ViewStack()

  /// Called when another view is shown.
  var onPage: (() -> Void)?

  private let today: TodayView
  private let garden: GardenView
  private let journal: JournalView
  private let greeting: GreetingHeader
  private let meters: Meters
  private let banner: SyncBanner
  private let clockWatch: ClockWatch
  private var commands: WindowCommands?

  /// The width in pixels below which the header shows less.
  private static let narrowWidth = 600

  /// The name of the visible view.
  var page: String {
    get { stack.shown }
    set { stack.shown = newValue }
  }

  /// The title of the visible view.
  var title: String { MainWindow.title(ofPage: page) }

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
    journal = JournalView(context)
    greeting = GreetingHeader(context)
    meters = Meters(context)
    banner = SyncBanner(context)
    clockWatch = ClockWatch(context)
    context.followStore()
    let views = [(today.widget, "today"), (garden.widget, "garden"), (journal.widget, "journal")]
    for (view, name) in views {
      stack.add(view, name: name, title: MainWindow.title(ofPage: name), icon: "trunk-\(name)-symbolic")
    }
    if MainWindow.pageNames.contains(page) { self.page = page }
    layOut()
    stack.widget.onChange(of: "visible-child-name") { [weak self] in self?.showPage() }
    showPage()
    commands = WindowCommands(context, search: { [weak self] in self?.search() }) { [weak self] in self?.open($0) }
    widget.keeps(self)
  }

  func fit(width: Int) {
    greeting.isNarrow = width < GardenContent.narrowWidth
    journal.isNarrow = width < GardenContent.narrowWidth
  }

  /// Sets the initial focus, which would otherwise be on the first button of the header.
  func beginFocus() {
    // In the garden view the first widget is the search field, which would take the single-letter shortcuts.
    if page == "today" { today.widget.focusFirst() }
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
    let top = clamp(
      column(spacing: 14, greeting.widget, banner.widget, meters.widget).margin(top: 6, bottom: 8, start: 18, end: 18),
      width: 900)
    widget.append(top, stack.widget.expandDown())
  }

  private func showPage() {
    greeting.isFolded = page != "today"
    stack.concealHiddenViews()
    onPage?()
  }

  private func search() {
    if page == "journal" { return journal.focusSearch() }
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
