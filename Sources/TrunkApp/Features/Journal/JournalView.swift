import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The journal: everything the user wrote below the month that is read, with earlier pages between the entries, a
/// filter, and a page for each entry.
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
  /// Why a page was opened beside the list, if the user hasn't opened it.
  private var companion: Companion?
  /// Whether the content was built.
  private var isLaidOut = false
  /// The lines that the filter selects, newest first.
  private var lines: [JournalLine] = []
  /// All earlier pages, newest first, and the state that they were read in; `nil` until they are read.
  private var earlier: (pages: [PageLine], state: PageState)?
  /// The page to show as soon as they are read, unless another one is opened.
  private var awaited: Int64?
  private lazy var loader = Loader(context, for: widget)
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

  /// Distinguishes two states of the earlier pages. The day of some depends on the garden's zone.
  private struct PageState: Equatable {
    let revision: Int64
    let zone: String
  }

  private enum Companion {
    /// It is the newest entry.
    case newest
    /// The list was moved to it.
    case jump
  }

  /// Why the list is empty.
  private enum Emptiness: Equatable {
    case journal, filter
  }

  init(_ context: WindowContext) {
    self.context = context
    pages = ListDetail(list: listPage)
    pages.onReturn = { [weak self] in
      self?.awaited = nil
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
    showLines()
    return open(.entry(seq))
  }

  /// Shows an earlier page, also if the filter leaves it out.
  /// - Parameter id: its number in the store.
  /// - Returns: `false` if it is not in the journal; a message then says so.
  func open(page id: Int64) -> Bool {
    layOutIfNeeded()
    isStale = false
    showLines()
    if hasReadPages() { return open(.page(id)) }
    pages.open(bin())
    awaited = id
    return true
  }

  private func open(_ route: Route) -> Bool {
    if !lines.contains(where: { $0.route == route }) { showEverything() }
    guard let line = lines.first(where: { $0.route == route }) else {
      context.foot.show(tr("This entry is not in the journal."))
      return false
    }
    if pages.isSplit { rows.jump(to: line) }
    open(line)
    return true
  }

  /// Shows the newest entry up to a day in the list. A filter that leaves out its month is removed.
  func openList(at day: Day) {
    layOutIfNeeded()
    isStale = false
    showLines()
    let hasMonth = lines.contains { ($0.day.year, $0.day.month) == (day.year, day.month) }
    if !hasMonth { showEverything() }
    jump(to: day)
  }

  /// Focuses the list of entries, or what is shown if it is empty, unless a page is open.
  func focusList() {
    guard pages.isListShown else { return }
    if emptiness == nil { rows.focus() } else { emptyPage.focusFirst() }
  }

  /// Whether the list has the focus, beside which a page can be open.
  var isListFocused: Bool { listPage.containsFocus }

  /// Focuses the list if it is beside the page.
  /// - Returns: whether it is.
  func focusListBesidePage() -> Bool {
    guard pages.isSplit else { return false }
    rows.focus()
    return true
  }

  /// Shows the newest entry of a day, or of the next earlier day that has one; beside the list, too.
  func jump(to day: Day) {
    rows.jump(to: day)
    guard pages.isSplit, let line = lines.first(where: { $0.day <= day && $0.isEntry }) else { return }
    open(line, as: .jump)
  }

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
    rows.onTop = { [weak self] in self?.bar.show(top: $0.day) }
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
    if wasSplit, !pages.isSplit, companion != nil { pages.back() }
    openFirst()
  }

  /// The letter C opens and closes the days of the month; Esc closes them.
  private func press(_ press: KeyPress) -> Bool {
    if press.modifiers == .alt, [.up, .down].contains(press.key) { return moveBesideList(press.key == .up ? -1 : 1) }
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

  /// Alt+↑ and Alt+↓ lead to the entry above or below, also while the list beside it has the focus.
  private func moveBesideList(_ step: Int) -> Bool {
    let entries = lines.filter(\.isEntry)
    guard pages.isSplit, let open = rows.openItem, let index = entries.firstIndex(of: open) else { return false }
    if entries.indices.contains(index + step) { self.open(entries[index + step]) }
    return true
  }

  /// Shows the first entry beside the list, unless a page is open.
  private func openFirst() {
    guard pages.isSplit, pages.isListShown, widget.isMapped, let first = lines.first(where: \.isEntry) else { return }
    open(first, as: .newest)
  }

  /// Shows a newer entry beside the list, in place of the first one, unless the user opened a page.
  private func followNewest() {
    let isRead = widget.containsFocus && !listPage.containsFocus
    guard companion == .newest, !isRead, pages.isSplit, !pages.isListShown, let first = lines.first(where: \.isEntry),
      rows.openItem != first
    else { return }
    open(first, as: .newest)
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

  private var pageState: PageState {
    PageState(revision: context.model.pageRevision, zone: context.model.garden.zone.identifier)
  }

  /// Shows the lines as soon as the earlier pages are read.
  private func show() {
    if hasReadPages() { showLines() } else { loadPages() }
  }

  /// Whether the earlier pages are read. A garden that never had any needs no look into the store.
  private func hasReadPages() -> Bool {
    if context.model.pageRevision == 0 { earlier = ([], pageState) }
    return earlier?.state == pageState
  }

  private func loadPages() {
    let state = pageState
    loader.load { [model = context.model] in
      try await model.pageLines()
    } show: { [weak self] pages in
      guard let self else { return }
      earlier = (pages, state)
      show()
      showAwaited()
    }
  }

  /// Shows the page that was opened before the pages were read.
  private func showAwaited() {
    guard let id = awaited else { return }
    awaited = nil
    if !open(.page(id)) { pages.back() }
  }

  /// Shows the lines with the earlier pages that were read so far, and reads the others.
  private func showLines() {
    if !hasReadPages() { loadPages() }
    let garden = context.model.garden
    var pages = earlier?.pages ?? []
    if let days = filter.daysOfPages {
      if let days { pages = pages.filter { days.contains($0.day) } }
    } else {
      pages = []
    }
    lines = JournalLine.merged(garden.timeline(filter), pages)
    bar.show(lines, filter, in: garden)
    rows.show(lines)
    followNewest()
    if !lines.isEmpty {
      show(nil)
    } else if garden.isEmpty, earlier?.pages.isEmpty != false {
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
    JournalFilterDialog(context, filter, hasPages: earlier?.pages.isEmpty == false) { [weak self] in
      self?.narrow(to: $0)
    }.present()
  }

  private func narrow(to filter: TimelineFilter) {
    self.filter = filter
    if pages.isSplit { pages.back() }
    showLines()
  }

  /// Opens the page of an entry. For a planting or an uprooting, opens the sprout.
  /// - Parameter companion: why it is opened beside the list, unless the user has chosen it.
  private func open(_ line: JournalLine, as companion: Companion? = nil) {
    guard let route = line.route else {
      if case .item(let item) = line, let sproutID = item.sproutID { widget.activate("win.sprout", target: sproutID) }
      return
    }
    let entries = lines.filter(\.isEntry)
    guard let index = entries.firstIndex(of: line) else { return }
    awaited = nil
    let entryPage = EntryPage(context, entries, at: index) { [weak self] in self?.pages.back() }
    entryPage.onMove = { [weak self] line in
      self?.mark(line)
      if let route = line.route { self?.onOpen?(route) }
    }
    // A page that appears beside the list by itself is no place to go back from: that is still the list.
    if companion == nil { onOpen?(route) }
    self.companion = companion
    // Beside the list, the focus stays there, so that the arrow keys lead on.
    let staysInList = companion != nil || (pages.isSplit && isListFocused)
    pages.open(entryPage.widget)
    mark(line)
    if !staysInList { entryPage.focus() }
  }

  private func mark(_ line: JournalLine) {
    rows.openItem = pages.isSplit ? line : nil
  }
}
