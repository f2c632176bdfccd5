import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The journal: everything the user wrote below the month that is read, with a filter and a page for each entry.
final class JournalView {
  var widget: Widget { pages.widget }

  var onOpen: ((Route) -> Void)?

  /// Called when the list is shown again after the page of an entry.
  var onReturn: (() -> Void)?

  /// Called when the newest entries are shown, or that there are none.
  var onShown: (() -> Void)?

  private let context: WindowContext
  private lazy var bar = JournalBar(context)
  private lazy var rows = JournalList(context, name: tr("Journal"), headsNewest: false) { [weak self] in
    self?.open($0)
  } onLink: { [weak self] in
    self?.widget.activate("win.open-link", target: $0)
  }
  private let listPage = column()
  private let pages: ListDetail
  private let empty = bin()
  private lazy var emptyPage = scrolled(clamp(empty))
  private var filter = TimelineFilter()
  /// Whether the page beside the list was opened for the user.
  private var isFirstOpen = false
  /// Whether the content was built.
  private var isLaidOut = false
  /// The lines that the filter selects, newest first.
  private var items: [TimelineItem] = []
  private var emptiness: Emptiness?
  /// The garden has changed while the view was hidden.
  private var isStale = true

  /// The widths of the window from which the twelve months are shown, and an entry beside the list, in pixels at the
  /// usual size of texts. A window's frame takes some of them.
  private static let (monthsWidth, splitWidth) = (710, 1190)
  /// The width of the list beside an entry from which the twelve months are shown beside a short name, in pixels at the
  /// usual size of texts.
  private static let shortMonthsWidth = 580
  /// The widths of the list beside an entry, in pixels.
  private static let listWidths = 520...760

  /// Why the list is empty.
  private enum Emptiness: Equatable {
    case journal, filter
  }

  init(_ context: WindowContext) {
    self.context = context
    pages = ListDetail(list: listPage)
    pages.onReturn = { [weak self] in
      self?.rows.openItem = nil
      self?.rows.focus()
      // The list is being shown; then it has a page beside it again.
      Task { self?.openFirst() }
      self?.onReturn?()
    }
    widget.on("map") { [weak self] in self?.renderIfStale() }
    widget.keeps(self)
    context.follow(widget) { [weak self] in self?.render() }
  }

  /// The width of the window in pixels.
  var width = columnWidth {
    didSet { if isLaidOut { fit() } }
  }

  /// Shows the page of an entry, also if the filter leaves it out.
  /// - Parameter seq: its number in the log.
  /// - Returns: `false` if it is not in the journal; a message then says so.
  func open(entry seq: Int64) -> Bool {
    layOutIfNeeded()
    isStale = false
    show()
    if !items.contains(where: { $0.seq == seq }) { showEverything() }
    guard let item = items.first(where: { $0.seq == seq && $0.isEntry }) else {
      context.foot.show(tr("This entry is not in the journal."))
      return false
    }
    open(item)
    return true
  }

  /// Shows the newest entry up to a day in the list. A filter that leaves out its month is removed.
  func openList(at day: Day) {
    layOutIfNeeded()
    isStale = false
    show()
    let hasMonth = items.contains { ($0.time.day.year, $0.time.day.month) == (day.year, day.month) }
    if !hasMonth { showEverything() }
    jump(to: day)
  }

  /// Focuses the list of entries, or what is shown if it is empty, unless a page is open.
  func focusList() {
    guard pages.isListShown else { return }
    if emptiness == nil { rows.focus() } else { emptyPage.focusFirst() }
  }

  /// Shows the newest entry of a day, or of the next earlier day that has one.
  func jump(to day: Day) { rows.jump(to: day) }

  /// Shows the newest entry.
  func showRoot() {
    bar.isOpen = false
    rows.jumpToNewest()
  }

  /// Moves the list by a distance in pixels, downwards positive.
  func scroll(by distance: Double) { rows.scroll(by: distance) }

  /// Leaves the page of an entry, if one is open.
  func back() { pages.back() }

  /// Builds the content when the view is first shown, so that a start doesn't wait for it.
  private func layOutIfNeeded() {
    guard !isLaidOut else { return }
    isLaidOut = true
    listPage.append(clamp(bar.widget.margin(start: 18, end: 18)), rows.widget, emptyPage)
    bar.onDay = { [weak self] in self?.jump(to: $0) }
    bar.onNewest = { [weak self] in self?.showRoot() }
    bar.onFilter = { [weak self] in self?.openFilter() }
    rows.onScroll = { [weak self] in self?.bar.isScrolled = $0 > 0 }
    rows.onTop = { [weak self] in self?.bar.show(top: $0.time.day) }
    rows.onShown = { [weak self] in
      self?.openFirst()
      self?.onShown?()
    }
    listPage.onKey { [weak self] in self?.press($0) ?? false }
    fit()
  }

  private func fit() {
    let (wasSplit, widths) = (pages.isSplit, JournalView.listWidths)
    pages.listWidth = min(max(width / 2, widths.lowerBound), widths.upperBound)
    pages.isSplit = Int(Double(width) / textScale) >= JournalView.splitWidth && emptiness == nil
    let room = Int(Double(pages.isSplit ? pages.listWidth : width) / textScale)
    bar.isShort = room < JournalView.monthsWidth
    bar.showsMonths = room >= (pages.isSplit ? JournalView.shortMonthsWidth : JournalView.monthsWidth)
    // A page that the user hasn't opened would cover the list.
    if wasSplit, !pages.isSplit, isFirstOpen { pages.back() }
    openFirst()
  }

  /// The letter C opens and closes the days of the month; Esc closes them.
  private func press(_ press: KeyPress) -> Bool {
    guard press.modifiers.isEmpty, emptiness != .journal else { return false }
    if press.characters.contains("c") {
      listPage.runLetter { [weak self] in self?.bar.toggle() }
      return true
    }
    guard press.key == .escape, bar.isOpen else { return false }
    bar.isOpen = false
    rows.focus()
    return true
  }

  /// Shows the first entry beside the list, unless a page is open.
  private func openFirst() {
    guard pages.isSplit, pages.isListShown, widget.isMapped, let first = items.first(where: \.isEntry) else { return }
    open(first, takesFocus: false)
    isFirstOpen = true
  }
}

extension JournalView {
  private func render() {
    isStale = true
    if widget.isMapped { renderIfStale() }
  }

  private func renderIfStale() {
    guard isStale else { return }
    isStale = false
    layOutIfNeeded()
    show()
  }

  private func show() {
    let garden = context.model.garden
    items = garden.timeline(filter)
    bar.show(items, filter, in: garden)
    rows.show(items)
    if !items.isEmpty {
      show(nil)
    } else if garden.isEmpty {
      show(.journal)
    } else {
      show(.filter)
    }
  }

  private func show(_ emptiness: Emptiness?) {
    bar.widget.visible(emptiness != .journal)
    rows.widget.visible(emptiness == nil)
    emptyPage.visible(emptiness != nil)
    if emptiness != nil { onShown?() }
    guard emptiness != self.emptiness else { return }
    self.emptiness = emptiness
    if isLaidOut { fit() }
    empty.setChild(emptiness.map { state(for: $0) })
  }

  private func state(for emptiness: Emptiness) -> Widget {
    let showAll = { button(tr("Show the Whole Journal")) { [weak self] in self?.showEverything() } }
    switch emptiness {
    case .journal:
      let page = emptyState(
        icon: "trunk-journal-symbolic", title: tr("Your journal begins with a sprout"),
        hint: tr("Plant something that matters to you. What you write about it appears here, for as long as you like."),
        button: button(tr("Plant Your First Sprout"), "plant", command: "win.plant"))
      return AwaitedGarden(context, otherwise: page).widget
    case .filter:
      return emptyState(
        icon: "trunk-journal-symbolic", title: tr("No matching entries"),
        hint: tr("No entry matches all of these filters."), button: showAll())
    }
  }

  private func showEverything() {
    narrow(to: TimelineFilter())
  }

  private func openFilter() {
    JournalFilterDialog(context, filter) { [weak self] in self?.narrow(to: $0) }.present()
  }

  private func narrow(to filter: TimelineFilter) {
    self.filter = filter
    if pages.isSplit { pages.back() }
    show()
  }

  /// Opens the page of an entry. For a planting or an uprooting, opens the sprout.
  private func open(_ item: TimelineItem, takesFocus: Bool = true) {
    guard item.isEntry else {
      if let sproutID = item.sproutID { widget.activate("win.sprout", target: sproutID) }
      return
    }
    let entries = items.filter(\.isEntry)
    guard let index = entries.firstIndex(of: item) else { return }
    let entryPage = EntryPage(context, entries, at: index) { [weak self] in self?.pages.back() }
    entryPage.onMove = { [weak self] item in
      self?.mark(item)
      self?.onOpen?(.entry(item.seq))
    }
    // A page that appears beside the list by itself is no place to go back from: that is still the list.
    if takesFocus { onOpen?(.entry(item.seq)) }
    isFirstOpen = false
    // Beside the list, the focus stays there, so that the arrow keys lead on.
    let staysInList = !takesFocus || (pages.isSplit && listPage.containsFocus)
    pages.open(entryPage.widget)
    mark(item)
    if !staysInList { entryPage.focus() }
  }

  private func mark(_ item: TimelineItem) {
    rows.openItem = pages.isSplit ? item : nil
  }
}
