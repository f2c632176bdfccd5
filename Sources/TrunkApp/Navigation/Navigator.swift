import GtkKit

/// Opens routes, and goes back from the page of a sprout to where it was opened from.
final class Navigator {
  /// The views, one of which is shown.
  let stack = ViewStack()

  /// The view that is shown.
  var view: Route { Route(view: stack.shown) ?? .today }

  private weak var garden: GardenView?
  /// What moves the focus to the search of a view, by the name of the view.
  private var searches: [String: @MainActor () -> Void] = [:]
  /// Where the open sprout was opened from; `nil` if it stays in the garden.
  private var origin: Route?

  /// Registers a view under the name of its route.
  /// - Parameter search: moves the focus to the view's search field.
  func register(_ route: Route, _ widget: Widget, search: (@MainActor () -> Void)? = nil) {
    let name = route.view
    searches[name] = search
    stack.add(widget, name: name, title: MainWindow.title(ofPage: name), icon: "trunk-\(name)-symbolic")
  }

  /// Registers the view that shows the garden's list and the pages of sprouts.
  func register(_ garden: GardenView) {
    register(.garden, garden.widget) { [weak garden] in garden?.focusSearch() }
    garden.onReturn = { [weak self] in self?.sproutWasLeft() }
    self.garden = garden
  }

  /// Shows a place. A sprout that is not in the garden leads to the garden.
  func open(_ route: Route) {
    switch route {
    case .today, .garden, .journal:
      stack.shown = route.view
    case .search:
      if searches[stack.shown] == nil { stack.shown = route.view }
      // The search of the garden leads to its list, not to where an open sprout was opened from.
      if view == .garden { origin = nil }
      searches[stack.shown]?()
    case .seedlings:
      // This leads to the list, not to where an open sprout was opened from.
      origin = nil
      garden?.open(.seedlings)
      stack.shown = route.view
    case .sprout(let id):
      if garden?.open(id) == true { origin = view }
      stack.shown = route.view
    }
  }

  /// Goes back from the page of a sprout to where it was opened from.
  func back() { garden?.back() }

  /// Follows a page that was left by `back` or by a swipe.
  private func sproutWasLeft() {
    guard let origin else { return }
    self.origin = nil
    stack.shown = origin.view
  }
}
