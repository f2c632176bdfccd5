import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The journal: everything the user wrote, with a calendar of the year, filters, and a page for each entry.
final class JournalView {
  var widget: Widget { pages.widget }

  /// Called when the list is shown again after the page of an entry.
  var onReturn: (() -> Void)?

  var onOpen: ((Route) -> Void)?

  /// Called when the newest entries are shown, or that there are none.
  var onShown: (() -> Void)?

  private let context: WindowContext
  private lazy var calendar = YearCalendar(context) { [weak self] in self?.jump(to: $0) }
  private lazy var rows = JournalList(context, name: tr("Journal")) { [weak self] in
    self?.open($0)
  } onLink: { [weak self] in
    self?.widget.activate("win.open-link", target: $0)
  }
  private let listPage = column()
  /// The calendar and the choices above the list.
  private let bar = column(spacing: 8)
  private let pages: ListDetail
  private let empty = bin()
  private lazy var emptyPage = scrolled(clamp(empty))
  private var filter = TimelineFilter()
  private var kinds: Choice?
  /// Leads back to the newest entry, and with it to the calendar.
  private lazy var newest = iconButton("go-top-symbolic", name: tr("Back to the newest entry")) { [weak self] in
    self?.rows.jumpToNewest()
  }
  private lazy var chips = FilterChips { [weak self] in self?.narrow(to: $0) }
  /// The lines that the filter selects, newest first.
  private var items: [TimelineItem] = []
  private var emptiness: Emptiness?
  /// The garden has changed while the view was hidden.
  private var isStale = true

  /// The space beside the calendar and the choices, in pixels.
  private static let margin = 18
  /// How far the list is scrolled before the calendar is hidden, in pixels.
  private static let hidingDistance = 160.0

  /// The choices above the list.
  private static var kinds: [(title: String, kinds: Set<TimelineItem.Kind>)] {
    [
      (trc("journal", "All"), []), (trc("journal", "Water"), [.watering]), (trc("journal", "Sun"), [.reflection]),
      (trc("journal", "Harvest"), [.harvest]),
    ]
  }

  /// Why the list is empty.
  private enum Emptiness: Equatable {
    case journal, filter
  }

  init(_ context: WindowContext) {
    self.context = context
    pages = ListDetail(list: listPage)
    pages.onReturn = { [weak self] in
      self?.rows.focus()
      self?.onReturn?()
    }
    widget.on("map") { [weak self] in self?.renderIfStale() }
    widget.keeps(self)
    context.follow(widget) { [weak self] in self?.render() }
  }

  /// Whether the window is narrow.
  var isNarrow = false {
    didSet { if kinds != nil { calendar.isNarrow = isNarrow } }
  }

  /// The width of the window in pixels.
  var width = columnWidth {
    didSet { if kinds != nil { fitCalendar() } }
  }

  /// Shows the page of an entry, also if the filter leaves it out.
  /// - Parameter seq: its number in the log.
  /// - Returns: `false` if it is not in the journal; a toast then says so.
  func open(entry seq: Int64) -> Bool {
    layOutIfNeeded()
    isStale = false
    show()
    if !items.contains(where: { $0.seq == seq }) { showEverything() }
    guard let item = items.first(where: { $0.seq == seq && $0.isEntry }) else {
      context.toaster.show(tr("This entry is not in the journal."))
      return false
    }
    open(item)
    return true
  }

  /// Focuses the list of entries, or what is shown if it is empty, unless a page is open.
  func focusList() {
    guard pages.isListShown else { return }
    if emptiness == nil { rows.focus() } else { emptyPage.focusFirst() }
  }

  /// Shows the newest entry of a day, or of the next earlier day that has one.
  func jump(to day: Day) { rows.jump(to: day) }

  /// Moves the list by a distance in pixels, downwards positive.
  func scroll(by distance: Double) { rows.scroll(by: distance) }

  /// Shows the newest entry.
  func showRoot() { rows.jumpToNewest() }

  /// Leaves the page of an entry, if one is open.
  func back() { pages.back() }

  /// Builds the content when the view is first shown, so that a start doesn't wait for it.
  private func layOutIfNeeded() {
    guard kinds == nil else { return }
    let kinds = Choice(.chips, name: tr("Show"), JournalView.kinds.map(\.title)) { [weak self] in
      self?.filter.kinds = JournalView.kinds[$0].kinds
      self?.show()
    }
    let more = button(tr("Filter…"), "chip") { [weak self] in self?.openFilter() }
    let export = iconButton("document-print-symbolic", name: tr("Export or print the journal")) { [weak self] in
      if let self { BookDialog(context, listing: filter).present() }
    }
    self.kinds = kinds
    calendar.isNarrow = isNarrow
    fitCalendar()
    bar.append(
      calendar.widget.margin(bottom: 4),
      line(spacing: 8, scrolledSideways(kinds.widget).hexpand(), more, newest.visible(false), export), chips.widget)
    listPage.append(
      clamp(bar.margin(top: 6, bottom: 8, start: JournalView.margin, end: JournalView.margin)), rows.widget, emptyPage)
    rows.onScroll = { [weak self] in self?.showCalendar(at: $0) }
    rows.onShown = { [weak self] in self?.onShown?() }
  }

  private func fitCalendar() { calendar.width = min(width, columnWidth) - 2 * JournalView.margin }

  /// Hides the calendar while the list is scrolled, so that a small window has room for entries. Hiding moves the list,
  /// so the calendar returns only at the top: otherwise the two could alternate.
  private func showCalendar(at distance: Double) {
    guard distance > JournalView.hidingDistance || distance == 0 else { return }
    calendar.widget.visible(distance == 0)
    newest.visible(distance > 0)
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
    calendar.show(items)
    rows.show(items)
    chips.show(filter, in: garden)
    if !items.isEmpty {
      show(nil)
    } else if garden.isEmpty {
      show(.journal)
    } else {
      show(.filter)
    }
  }

  private func show(_ emptiness: Emptiness?) {
    bar.visible(emptiness != .journal)
    rows.widget.visible(emptiness == nil)
    emptyPage.visible(emptiness != nil)
    if emptiness != nil { onShown?() }
    guard emptiness != self.emptiness else { return }
    self.emptiness = emptiness
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
    filter = TimelineFilter()
    kinds?.selected = 0
    show()
  }

  private func openFilter() {
    JournalFilterDialog(context, filter) { [weak self] in self?.narrow(to: $0) }.present()
  }

  private func narrow(to filter: TimelineFilter) {
    self.filter = filter
    show()
    calendar.leaveEmptyYear()
  }

  /// Opens the page of an entry. For a planting or an uprooting, opens the sprout.
  private func open(_ item: TimelineItem) {
    guard item.isEntry else {
      if let sproutID = item.sproutID { widget.activate("win.sprout", target: sproutID) }
      return
    }
    let entries = items.filter(\.isEntry)
    guard let index = entries.firstIndex(of: item) else { return }
    let entryPage = EntryPage(context, entries, at: index) { [weak self] in self?.pages.back() }
    pages.open(entryPage.widget)
    entryPage.focus()
    entryPage.onMove = { [weak self] in self?.onOpen?(.entry($0.seq)) }
    onOpen?(.entry(item.seq))
  }
}
