import Localization
import TrunkKit

extension Route {
  /// The title of the view that shows this place.
  var viewTitle: String {
    switch self {
    case .today: tr("Today")
    case .tree, .branch, .twig, .leaf, .year: trc("view", "Tree")
    case .garden, .seedlings, .seedling, .sprout: trc("view", "Garden")
    case .journal, .entry, .page: trc("view", "Journal")
    case .search: tr("Search")
    }
  }
}
