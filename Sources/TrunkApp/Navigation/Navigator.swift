import GtkKit
import TrunkKit
import TrunkModel

/// Opens routes, and goes back from the search and from pages to the places from which they were opened.
final class Navigator {
  /// The views, one of which is shown.
  let stack = ViewStack()

  /// Called when another place is shown.
  var onPlace: (() -> Void)?

  /// The view that is shown, or the search.
  var view: Route { stack.shown == Route.search().view ? .search() : Route(view: stack.shown) ?? .today }

  /// The view that is shown, or from which the search was opened.
  var home: Route { view == .search() ? searchOrigin : view }

  /// The place that is shown: a view, or a page in it.
  var place: Route { trails[stack.shown]?.page ?? view }

  private weak var garden: GardenView?
  private weak var tree: TreeView?
  private weak var journal: JournalView?
  private weak var search: SearchPage?
  private var searchOrigin = Route.today
  /// Builds the views that were not needed yet, by name.
  private var builders: [String: () -> Void] = [:]
  /// The views that show pages, by name. Each has a separate way back, because its page stays open while another view
  /// is shown.
  private var trails: [String: Trail] = [:]

  private struct Trail {
    weak var view: (any PagedView)?
    /// The page that is open.
    var page: Route?
    /// The places from which the page and those before it were opened, the latest last. Without any, `back` stays in
    /// the view.
    var origins: [Route] = []
  }

  /// Registers a view under the name of its route. It is built when it is needed, or by `buildAll`: the window appears
  /// sooner without the others.
  /// - Parameter build: connects the view to this navigator and returns its widget.
  func register(_ route: Route, build: @escaping () -> Widget) {
    let (name, place) = (route.view, bin())
    builders[name] = { place.setChild(build()) }
    guard route != .search() else { return stack.add(place, name: name) }
    stack.add(place, name: name, title: route.viewTitle, icon: "trunk-\(name)-symbolic")
  }

  /// Builds a view that was not needed yet.
  func build(_ route: Route) { builders.removeValue(forKey: route.view)?() }

  /// Builds the views that were not needed yet, one at a time while the main loop is idle. Cancel it when the stack is
  /// destroyed.
  func buildAll() async {
    for name in builders.keys.sorted() {
      await Timeout.untilIdle()
      guard !Task.isCancelled else { return }
      builders.removeValue(forKey: name)?()
    }
  }

  /// Connects the view that shows the garden's list and the pages of sprouts.
  func connect(_ garden: GardenView) {
    follow(garden, name: Route.garden.view)
    self.garden = garden
  }

  /// Connects the view that shows the tree and the pages of branches, twigs and leaves.
  func connect(_ tree: TreeView) {
    self.tree = tree
    tree.onBack = { [weak self] in self?.back() }
    follow(tree, name: Route.tree.view)
  }

  /// Connects the view that shows the journal's list and the pages of entries.
  func connect(_ journal: JournalView) {
    self.journal = journal
    follow(journal, name: Route.journal.view)
  }

  /// Connects the search.
  func connect(_ search: SearchPage) {
    search.onLeave = { [weak self] in self?.back() }
    self.search = search
  }

  private func follow(_ view: any PagedView, name: String) {
    trails[name] = Trail(view: view)
    view.onReturn = { [weak self] in self?.pageWasLeft(in: name) }
    view.onOpen = { [weak self] page in
      if self?.trails[name]?.page == nil { self?.trails[name]?.origins = [] }
      self?.trails[name]?.page = page
      self?.onPlace?()
    }
  }

  /// Shows a route. The page of an object that doesn't exist leads to its view.
  func open(_ route: Route) {
    build(route)
    defer { onPlace?() }
    switch route {
    case .today, .tree, .garden, .journal:
      stack.shown = route.view
    case .search(let text):
      searchOrigin = home
      stack.shown = route.view
      search?.open(text)
    case .seedlings:
      // Going back from the list must not lead to the place from which a sprout was opened.
      trails[route.view]?.origins = []
      garden?.open(.seedlings)
      stack.shown = route.view
    case .seedling(let id):
      open(.seedlings)
      // The stack has moved the focus by now.
      garden?.focus(onSeedling: id)
    case .entry, .page, .sprout, .branch, .twig, .leaf, .year:
      openPage(route)
    }
  }

  /// Shows the place one level above a page.
  /// - Returns: whether there is one.
  func goUp(in garden: Garden) -> Bool {
    guard let above = placeAbove(in: garden) else { return false }
    if above.isPage {
      openPage(above)
      onPlace?()
    } else if above != .journal || journal?.focusListBesidePage() != true {
      stack.shown = above.view
      leavePages()
    }
    return true
  }

  /// Leaves the pages over the view that is shown.
  func leavePages() {
    trails[stack.shown]?.origins = []
    trails[stack.shown]?.view?.back()
  }

  /// Shows the tree, and in its picture the limb of a branch.
  func showTree(of branch: Int?) {
    open(.tree)
    leavePages()
    tree?.showLimb(branch)
  }

  /// Shows the tree with the strip of its days.
  func showTime() {
    open(.tree)
    leavePages()
    tree?.openTime()
  }

  /// Shows the tree, and plays how it grew in a year.
  func showGrowth(in year: Int32) {
    open(.tree)
    leavePages()
    tree?.play(year)
  }

  /// Shows the newest entry up to a day in the journal.
  func openJournal(at day: Day) {
    open(.journal)
    leavePages()
    journal?.openList(at: day)
  }

  /// Goes back from the search or a page to the place from which it was opened.
  func back() {
    defer { onPlace?() }
    guard view != .search() else {
      stack.shown = searchOrigin.view
      return
    }
    guard let trail = trails[stack.shown], trail.page != nil else { return }
    // Replace this page by the previous one without showing the view in between.
    if let origin = trail.origins.last, origin.isPage, origin.view == stack.shown {
      trails[stack.shown]?.origins.removeLast()
      if show(origin) { return }
    }
    trail.view?.back()
  }
}

extension Navigator {
  /// An entry that was opened in the journal is below its list, and otherwise below its sprout.
  private func placeAbove(in garden: Garden) -> Route? {
    if case .entry = place, trails[stack.shown]?.origins.isEmpty == true { return .journal }
    return garden.place(above: place)
  }

  private func openPage(_ route: Route) {
    let (origin, name) = (place, route.view)
    if origin != route, show(route) {
      if origin == Route(view: name) {
        trails[name]?.origins = []
      } else {
        trails[name]?.origins.append(origin)
      }
    }
    stack.shown = name
  }

  private func show(_ page: Route) -> Bool {
    build(page)
    guard trails[page.view]?.view?.openPage(of: page) == true else { return false }
    trails[page.view]?.page = page
    return true
  }

  /// Called when a page was left by `back` or by a swipe.
  private func pageWasLeft(in name: String) {
    trails[name]?.page = nil
    defer { onPlace?() }
    guard let origin = trails[name]?.origins.popLast() else { return }
    if origin.isPage, trails[origin.view]?.page != origin { _ = show(origin) }
    stack.shown = origin.view
  }
}
