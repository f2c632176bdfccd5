import GtkKit
import Localization
import TrunkKit

/// The garden: its sprouts, leaves and seedlings in a tab each, and a page for each sprout.
final class GardenView {
  /// A part of the garden.
  enum Tab: Int, CaseIterable {
    case sprouts, leaves, seedlings
  }

  var widget: Widget { pages.widget }

  /// Called when the tabs are shown again after the page of a sprout.
  var onReturn: (() -> Void)?
  var onOpen: ((Route) -> Void)?

  /// Whether the window is narrow.
  var isNarrow = false {
    didSet {
      sprouts.isNarrow = isNarrow
      listPage.css("compact", when: isNarrow)
      bar.margin(top: isNarrow ? 2 : 6, bottom: isNarrow ? 6 : 8)
      leaves?.isNarrow = areLeavesNarrow
    }
  }

  /// Whether there is room for a page beside the list.
  var isWide = false {
    didSet { fitPanes() }
  }

  /// The width of the window in pixels. The width of the list beside a page depends on it.
  var width = 0 {
    didSet {
      let widths = ListDetail.listWidths
      pages.listWidth = min(max(width * 2 / 5, widths.lowerBound), widths.upperBound)
    }
  }

  private let context: WindowContext
  private let sprouts: SproutList
  private let listPage = column()
  private let pages: ListDetail
  private let tabs: Segments
  private let bar: Widget
  /// The tabs that were shown so far. The others cost no time at the start.
  private var shown: [Tab: Widget]

  /// Its widget keeps it.
  private weak var leaves: LeafList?

  /// Its widget keeps it.
  private weak var seedlings: SeedlingList?

  private var hasSprouts = false

  /// The page that was opened last. Its widget keeps it.
  private weak var page: SproutPage?

  init(_ context: WindowContext) {
    self.context = context
    sprouts = SproutList(context)
    shown = [.sprouts: sprouts.widget]
    pages = ListDetail(list: listPage)
    tabs = Segments(name: tr("Part of the garden"), Tab.allCases.map(\.title), selected: Tab.sprouts.rawValue)
    bar = tabs.widget.margin(top: 6, bottom: 8, start: 18, end: 18)
    listPage.append(clamp(bar), sprouts.widget)
    listPage.onKey { [weak self] press in self?.moveBesideList(press) ?? false }
    pages.placeholder = { [weak self] in self?.firstPage() }
    sprouts.onFirst = { [weak self] in
      if let self, pages.isListShown { pages.showPlaceholder() }
    }
    tabs.onSelect = { [weak self] in self?.show(Tab.allCases[$0]) }
    pages.onReturn = { [weak self] in
      if self?.pages.isSplit != true { self?.sprouts.openID = nil }
      self?.fitPanes()
      self?.onReturn?()
    }
    widget.keeps(self)
    context.follow(widget) { [weak self] in self?.render() }
  }

  private func render() {
    let hasSprouts = !context.model.garden.sprouts.isEmpty
    guard hasSprouts != self.hasSprouts else { return }
    self.hasSprouts = hasSprouts
    fitPanes()
  }

  /// Shows the page of a sprout; `back` returns to the list.
  /// - Returns: `false` if the sprout is not in the garden; a message reports that.
  @discardableResult
  func open(_ sproutID: String) -> Bool {
    guard context.model.garden.sprout(id: sproutID) != nil else {
      context.foot.show(IntentError.unknownSprout.message)
      return false
    }
    if isWide { sprouts.reveal(sproutID) }
    let page = SproutPage(context, sproutID: sproutID, siblings: siblings(of: sproutID)) { [weak self] in self?.back() }
    // Beside the list, the focus stays there, so that the arrow keys lead to the next sprout.
    let staysInList = pages.isSplit && isListFocused
    pages.open(page.widget)
    fitPanes()
    self.page = page
    sprouts.openID = sproutID
    if !staysInList { page.focus() }
    return true
  }

  /// The sprouts above and below a sprout in the list.
  private func siblings(of sproutID: String) -> PageFrame.Siblings {
    func opens(_ step: Int) -> (@MainActor () -> Void)? {
      guard let id = sprouts.id(beside: sproutID, step) else { return nil }
      return { [weak self] in if self?.open(id) == true { self?.onOpen?(.sprout(id)) } }
    }
    let siblings = PageFrame.Siblings(above: tr("Previous sprout"), below: tr("Next sprout"))
    (siblings.above, siblings.below) = (opens(-1), opens(1))
    return siblings
  }

  /// Alt+↑ and Alt+↓ lead to the page above or below, also while the list beside it has the focus.
  private func moveBesideList(_ press: KeyPress) -> Bool {
    guard press.modifiers == .alt, [.up, .down].contains(press.key), pages.isSplit, let id = sprouts.openID else {
      return false
    }
    let siblings = siblings(of: id)
    (press.key == .up ? siblings.above : siblings.below)?()
    return true
  }

  /// The page of the first sprout in the list, beside which no other page is open.
  private func firstPage() -> Widget? {
    guard let first = sprouts.first else { return nil }
    sprouts.openID = first
    let page = SproutPage(context, sproutID: first, siblings: siblings(of: first), onBack: nil)
    self.page = page
    return page.widget
  }

  /// Shows the top of the list.
  func showRoot() { sprouts.showTop() }

  /// Shows a tab, and leaves the page of a sprout.
  func open(_ tab: Tab) {
    back()
    tabs.selected = tab.rawValue
    show(tab)
  }

  /// Scrolls to a seedling and focuses it, once its tab is open.
  func focus(onSeedling id: String) { seedlings?.focus(on: id) }

  /// Leaves the page of a sprout, if one is open.
  func back() {
    guard !pages.isListShown else { return }
    let staysInList = isListFocused
    pages.back()
    // Going back may have opened another view, which then has the focus.
    if widget.isMapped, !staysInList { shown[Tab.allCases[tabs.selected]]?.focusFirst() }
  }

  /// Whether the list has the focus, beside which a page can be open.
  var isListFocused: Bool { context.window.focusedWidget.map { listPage.contains($0) } ?? false }

  /// Focuses the page that is open, or else the list.
  func focusContent() {
    if pages.isListShown { focusList() } else { page?.focus() }
  }

  /// Focuses the list of the tab that is shown, unless a page is in its place.
  func focusList() {
    guard pages.isListShown || pages.isSplit else { return }
    switch Tab.allCases[tabs.selected] {
    case .sprouts: sprouts.focus()
    case .leaves, .seedlings: shown[Tab.allCases[tabs.selected]]?.focusFirst()
    }
  }

  private func show(_ tab: Tab) {
    if shown[tab] == nil {
      let made = makeTab(tab)
      shown[tab] = made
      listPage.append(made)
    }
    for (other, widget) in shown { widget.visible(other == tab) }
    fitPanes()
  }

  /// A list without items, or whose items have no page here, is alone, unless the page of a sprout is open beside it.
  private var splits: Bool {
    let hasPages = hasSprouts && tabs.selected == Tab.sprouts.rawValue
    return isWide && (hasPages || !pages.isListShown)
  }

  private var areLeavesNarrow: Bool { isNarrow || splits }

  private func fitPanes() {
    pages.isSplit = splits
    leaves?.isNarrow = areLeavesNarrow
  }

  private func makeTab(_ tab: Tab) -> Widget {
    switch tab {
    case .sprouts: sprouts.widget
    case .leaves: makeLeaves()
    case .seedlings: makeSeedlings()
    }
  }

  private func makeLeaves() -> Widget {
    let list = LeafList(context, isNarrow: areLeavesNarrow)
    leaves = list
    return list.widget
  }

  private func makeSeedlings() -> Widget {
    let list = SeedlingList(context)
    seedlings = list
    return list.widget
  }
}

extension GardenView.Tab {
  fileprivate var title: String {
    switch self {
    case .sprouts: tr("Sprouts")
    case .leaves: tr("Leaves")
    case .seedlings: tr("Seedlings")
    }
  }
}
