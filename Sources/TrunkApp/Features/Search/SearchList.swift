import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The results of a search below the headings of their groups.
final class SearchList {
  let widget: Widget

  /// Called when the list was scrolled near its end.
  var onEnd: (@MainActor () -> Void)?

  private let context: WindowContext
  private let store = ListStore<SectionLine<SearchItem>>()
  private let list: Widget

  /// The distance from the end at which more is wanted, in pixels.
  private static let readAhead = 1500.0

  /// - Parameter onOpen: called with the item that the user has pressed.
  init(_ context: WindowContext, onOpen: @escaping @MainActor (SearchItem) -> Void) {
    self.context = context
    list = listView(
      store, name: tr("Search results"), row: { SectionRow(SearchRow()) },
      activate: { line in if case .item(let item, _, _) = line { onOpen(item) } },
      canActivate: { line in if case .item = line { true } else { false } })
    let scroller = scrolledList(list.margin(start: 18, end: 18))
    widget = tabStop(list, in: scroller)
    scroller.onScroll { [weak self] _, end in
      guard end < SearchList.readAhead else { return }
      Task { self?.onEnd?() }
    }
    widget.keeps(self)
  }

  /// - Parameter group: the only group to show; `nil` for all.
  func show(_ results: SearchResults, only group: SearchResults.Group?) {
    let (garden, now) = (context.model.garden, context.model.now)
    let leaves = results.hits[.leaves, default: []].isEmpty ? [:] : garden.leafProgress
    let sections = SearchResults.Group.allCases.compactMap { each -> (SectionHeading?, [SearchItem])? in
      guard group == nil || each == group, let count = results.counts[each], count > 0 else { return nil }
      var items = results.hits[each, default: []].map { hit in
        SearchItem.hit(hit, about: SearchTexts.about(hit, in: garden, now: now, leaves: leaves))
      }
      if group == nil, items.count < count { items.append(.more(each, count: count)) }
      return (SectionHeading(title: each.heading(count), note: ""), items)
    }
    store.update(to: SectionLine.lines(sections))
  }

  func focus() { list.focusRow() }

  /// Scrolls to the first result.
  func scrollUp() { if store.count > 0 { list.scrollToItem(0) } }
}
