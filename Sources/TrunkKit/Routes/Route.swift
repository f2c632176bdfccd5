/// A place in the window.
public enum Route: Equatable, Sendable {
  case today
  /// The tree as it was left: itself or the page of a branch, twig or leaf.
  case tree
  /// The garden as it was left: its list or the page of a sprout.
  case garden
  case journal
  /// The search, which looks for a text; `nil` keeps what it looked for before.
  case search(String? = nil)
  /// The garden's list of seedlings.
  case seedlings
  /// A seedling in that list, by its id.
  case seedling(String)
  /// The page of a journal entry, by its number in the log.
  case entry(Int64)
  /// The page of an earlier page, by its number in the store.
  case page(Int64)
  /// The page of a sprout, by its id.
  case sprout(String)
  /// The page of a branch, 0…7.
  case branch(Int)
  /// The page of a twig, by its id.
  case twig(String)
  /// The story of a leaf, by its id.
  case leaf(String)
  /// The page of a year in growth.
  case year(Int32)

  /// The routes of the view switcher, in its order.
  public static let views: [Route] = [.today, .tree, .garden, .journal]

  /// - Parameter view: the name of a view, as in `win.view`.
  public init?(view: String) {
    guard let route = Route.views.first(where: { $0.view == view }) else { return nil }
    self = route
  }

  /// The name of the view that shows this place, as in `win.view`.
  public var view: String {
    switch self {
    case .today: "today"
    case .journal, .entry, .page: "journal"
    case .garden, .seedlings, .seedling, .sprout: "garden"
    case .tree, .branch, .twig, .leaf, .year: "tree"
    case .search: "search"
    }
  }

  /// Whether it is a page over a view.
  public var isPage: Bool {
    switch self {
    case .today, .tree, .garden, .journal, .search, .seedlings, .seedling: false
    case .entry, .page, .sprout, .branch, .twig, .leaf, .year: true
    }
  }
}
