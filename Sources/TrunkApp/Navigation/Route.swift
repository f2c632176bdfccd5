/// A place in the window.
enum Route: Equatable {
  case today
  /// The garden as it was left: its list or the page of a sprout.
  case garden
  case journal
  /// The search of the shown view, or that of the garden's list if the view has none.
  case search
  /// The garden's list of seedlings.
  case seedlings
  /// The page of a sprout, by its id.
  case sprout(String)

  /// The routes of the view switcher, in its order.
  static let views: [Route] = [.today, .garden, .journal]

  /// - Parameter view: the name of a view, as in `win.view`.
  init?(view: String) {
    guard let route = Route.views.first(where: { $0.view == view }) else { return nil }
    self = route
  }

  /// The name of the view that shows this place, as in `win.view`.
  var view: String {
    switch self {
    case .today: "today"
    case .journal: "journal"
    case .garden, .search, .seedlings, .sprout: "garden"
    }
  }
}
