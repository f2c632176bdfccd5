import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// Journal lines under month headings, newest first. Texts are read as the user scrolls.
final class JournalList {
  let widget: Widget

  /// A line of the list. Equal lines look the same.
  enum Line: Equatable {
    case month(String)
    /// - Parameters:
    ///   - about: the subject of the entry, such as its sprout, leaf and twig.
    ///   - links: the subject as markup with links.
    ///   - isFirstOfDay: whether it is the first entry of its day or, for a planting or an uprooting, the first line.
    case entry(TimelineEntry, about: String, links: String, isFirstOfDay: Bool)
  }

  /// Called with the distance from the top, in pixels, when the list was scrolled.
  var onScroll: (@MainActor (Double) -> Void)?

  /// Called when items are shown with their texts.
  var onShown: (@MainActor () -> Void)?

  private let context: WindowContext
  private let store = ListStore<Line>()
  private let list: Widget
  private let scroller: Widget
  /// All lines of the selection, newest first.
  private var items: [TimelineItem] = []
  /// The names that the lines show.
  private var names = Names()
  /// The number of items that are in the list.
  private var shown = 0
  private var loading: Task<Void, Never>?
  /// Lines that are appended in the next frames, because creating their rows all at once would take many frames.
  private var queue: ArraySlice<Line> = []
  /// Whether lines are appended in the next frame.
  private var isAppending = false

  /// The number of lines that are shown at once: about as many as fit below the calendar.
  private static let firstLines = 6
  /// The number of lines that are appended in each frame; a row takes 2 to 3 ms.
  private static let linesPerFrame = 2
  /// The number of items that are read together. It is more than a window shows, so that the list can be scrolled to
  /// its end.
  private static let batchSize = 60
  /// More is read when the end of the list is this near, in pixels.
  private static let readAhead = 1500.0

  /// - Parameters:
  ///   - name: the list's accessible name.
  ///   - onOpen: called with the item that the user has pressed.
  ///   - onLink: called with the address of the page that the user wants to open.
  init(
    _ context: WindowContext, name: String, onOpen: @escaping @MainActor (TimelineItem) -> Void,
    onLink: @escaping @MainActor (String) -> Void
  ) {
    self.context = context
    list = listView(
      store, name: name, row: { JournalRow(context, onLink: onLink) },
      activate: { line in if case .entry(let entry, _, _, _) = line { onOpen(entry.item) } },
      canActivate: { line in if case .entry = line { true } else { false } }
    ).css("journal-list")
    scroller = scrolledList(list.margin(start: 18, end: 18)).vexpand()
    widget = tabStop(list, in: scroller)
    scroller.onScroll { [weak self] top, end in Task { self?.scrolled(top, end) } }
    widget.keeps(self)
  }

  /// Shows these items, newest first. If they and the names in their lines are the same as before, nothing changes.
  func show(_ items: [TimelineItem]) {
    let names = Names(context.model.garden)
    guard items != self.items || names != self.names else { return }
    let keepsPlace = items.last == self.items.last
    (self.items, self.names) = (items, names)
    load(upTo: max(keepsPlace ? shown : 0, JournalList.batchSize), from: 0) { [weak self] lines in
      guard let self else { return }
      queue = []
      let start = keepsPlace ? lines.count : JournalList.firstLines
      store.update(to: Array(lines.prefix(start)))
      append(lines.dropFirst(start))
    }
  }

  /// Scrolls to the newest entry of a day, or of the next earlier day that has one.
  func scroll(to day: Day) {
    let zone = context.model.garden.zone
    guard let index = items.firstIndex(where: { zone.dayKey($0.instant) <= day }) else { return }
    let item = items[index]
    load(upTo: max(index + JournalList.batchSize, shown), from: shown) { [weak self] lines in
      guard let self else { return }
      store.append(Array(queue + lines))
      queue = []
      if let position = position(of: item) { list.scrollToItem(position) }
    }
  }

  func focus() { list.focus() }

  /// Moves the list by a distance in pixels, downwards positive.
  func scroll(by distance: Double) { scroller.scroll(by: distance) }

  private func scrolled(_ top: Double, _ end: Double) {
    onScroll?(top)
    if end < JournalList.readAhead { showMore() }
  }

  private func position(of item: TimelineItem) -> Int? {
    store.items.firstIndex { line in if case .entry(let entry, _, _, _) = line { entry.item == item } else { false } }
  }

  private func showMore() {
    guard loading == nil, queue.isEmpty, shown < items.count else { return }
    load(upTo: shown + JournalList.batchSize, from: shown) { [weak self] in self?.append($0[...]) }
  }

  /// Reads the texts of the items from `start` to `end`.
  /// - Parameter then: called with their lines, unless other items are shown by then.
  private func load(upTo end: Int, from start: Int, then: @escaping @MainActor ([Line]) -> Void) {
    let items = items
    let range = start..<max(start, min(end, items.count))
    loading?.cancel()
    loading = Task {
      do {
        let entries = try await context.model.entries(Array(items[range]))
        if Task.isCancelled { return }
        loading = nil
        shown = range.upperBound
        then(lines(entries, below: items[..<start]))
        onShown?()
      } catch {
        if Task.isCancelled { return }
        loading = nil
        context.tell(error)
      }
    }
  }

  /// Appends lines, a few in each of the next frames.
  private func append(_ lines: ArraySlice<Line>) {
    queue = lines
    // An unmapped list has no frames.
    guard list.isMapped else { return appendNext(queue.count) }
    if queue.isEmpty || isAppending { return }
    isAppending = true
    list.redraw()
    list.onFrame { [weak self] in
      guard let self else { return false }
      appendNext(JournalList.linesPerFrame)
      isAppending = !queue.isEmpty
      return isAppending
    }
  }

  private func appendNext(_ count: Int) {
    store.append(Array(queue.prefix(count)))
    queue = queue.dropFirst(count)
  }

  private func lines(_ entries: [TimelineEntry], below items: ArraySlice<TimelineItem>) -> [Line] {
    let garden = context.model.garden
    var lines: [Line] = []
    var current = items.last.map { garden.zone.local($0.instant).day }
    // A planting has no numeral of its day, so the first entry below it has it.
    var entered = items.last(where: \.isEntry).map { garden.zone.local($0.instant).day }
    for entry in entries {
      let day = garden.zone.local(entry.item.instant).day
      if day.month != current?.month || day.year != current?.year { lines.append(.month(Formats.month(day))) }
      let subject = EntryTexts.subject(of: entry, in: garden)
      let isFirst = day != (entry.item.isEntry ? entered : current)
      lines.append(.entry(entry, about: subject.text, links: subject.markup, isFirstOfDay: isFirst))
      current = day
      if entry.item.isEntry { entered = day }
    }
    return lines
  }
}

/// The names of sprouts, leaves and places.
private struct Names: Equatable {
  private var nodes: [String: NodeText] = [:]
  private var titles: [String] = []
  private var leafIDs: [String] = []
  private var leaves: [String] = []

  init() {}

  init(_ garden: Garden) {
    (nodes, leaves) = (garden.nodes, garden.leaves.map(\.name))
    (titles, leafIDs) = (garden.sprouts.map(\.title), garden.sprouts.map(\.leafID))
  }
}
