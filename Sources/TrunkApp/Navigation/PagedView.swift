import GtkKit
import TrunkKit

/// A view that shows pages over its content.
@MainActor protocol PagedView: AnyObject {
  var widget: Widget { get }
  /// Called when the content is shown again after a page.
  var onReturn: (() -> Void)? { get set }
  /// Called when the view itself has opened a page, from its list or in place of another page.
  var onOpen: ((Route) -> Void)? { get set }

  /// Shows the page of a route.
  /// - Returns: `false` if there is no such page; a message reports that.
  func openPage(of route: Route) -> Bool
  /// Leaves the page, if one is open.
  func back()
}

extension GardenView: PagedView {
  func openPage(of route: Route) -> Bool {
    guard case .sprout(let id) = route else { return false }
    return open(id)
  }
}

extension JournalView: PagedView {
  func openPage(of route: Route) -> Bool {
    switch route {
    case .entry(let seq): open(entry: seq)
    case .page(let id): open(page: id)
    default: false
    }
  }
}
