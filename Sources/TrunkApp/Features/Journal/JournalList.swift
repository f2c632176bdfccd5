import GtkKit
import TrunkKit
import TrunkModel

/// Journal lines under month headings, newest first. The list has only the lines around the place that is shown; more
/// are read as the user scrolls, in both directions.
final class JournalList {
  let widget: Widget

  /// Called when the list was scrolled, with the distance from the newest item in pixels. It is infinite while the list
  /// doesn't have that item.
  var onScroll: (@MainActor (Double) -> Void)?

  /// Called with the item of the first line that can be seen, when it is another one.
  var onTop: (@MainActor (JournalLine) -> Void)?

  /// Called when items are shown with their texts.
  var onShown: (@MainActor () -> Void)?

  private let context: WindowContext
  private let headsNewest: Bool
  private let store = ListStore<Line>()
  private let list: Widget
  private let listFocus: ListFocus
  /// Marks the line whose page is open beside the list.
  private let open = RowMark<Line>("open")
  private let scroller: Widget
  /// All lines of the selection, newest first.
  private var items: [JournalLine] = []
  /// What the lines show besides their items.
  private var state = State()
  /// The items whose lines are in the list, or will be in the next frames.
  private var shown = 0..<0
  private lazy var loader = Loader(context, for: widget)
  /// Lines that are added at the top and at the bottom in the next frames, because creating their rows all at once
  /// would take many frames.
  private var above: ArraySlice<Line> = []
  private var below: ArraySlice<Line> = []
  /// Whether lines are added in the next frame.
  private var isAdding = false
  /// Whether the first line that can be seen is looked for after the next frame.
  private var isLooking = false
  private var top: JournalLine?
  /// Whether the newest item is at the top of what can be seen.
  private var isAtNewest = true

  /// The number of lines that are shown at once: about as many as fit into most windows.
  private static let firstLines = 6
  /// The number of lines that are shown at once after a jump.
  private static let jumpLines = 14
  /// The number of lines that are added in each frame; a row takes 2 to 3 ms.
  private static let linesPerFrame = 2
  /// The number of items that are read together. It is more than a window shows, so that the list can be scrolled to
  /// its end.
  private static let batchSize = 60
  /// The number of items above its target that a jump reads.
  private static let itemsAbove = 30
  /// More is read when an end of the list is this near, in pixels.
  private static let readAhead = 1500.0

  /// - Parameters:
  ///   - name: the list's accessible name.
  ///   - headsNewest: whether the newest month has a heading; not if the month is shown above the list.
  ///   - onOpen: called with the item that the user has pressed.
  ///   - onLink: called with the address of the page that the user wants to open.
  init(
    _ context: WindowContext, name: String, headsNewest: Bool, onOpen: @escaping @MainActor (JournalLine) -> Void,
    onLink: @escaping @MainActor (String) -> Void
  ) {
    (self.context, self.headsNewest) = (context, headsNewest)
    list = listView(
      store, name: name, row: { JournalRow(context, onLink: onLink) },
      activate: { line in line.item.map(onOpen) }, canActivate: { line in line.item != nil }, marks: [open]
    ).css("journal-list")
    listFocus = ListFocus(of: list, in: context.window)
    scroller = scrolledList(list.margin(start: 18, end: 18)).vexpand()
    widget = tabStop(list, in: scroller)
    list.onKey(capture: true) { [weak self] press in self?.press(press) ?? false }
    scroller.onScroll { [weak self] top, end in Task { self?.scrolled(top, end) } }
    list.on("map") { [weak self] in self?.lookForTop() }
    widget.keeps(self)
  }

  /// The item whose page is open beside the list.
  var openItem: JournalLine? {
    didSet { open.mark { [openItem] line in openItem != nil && line.item == openItem } }
  }

  /// Shows these items, newest first. If they and what their lines show are the same as before, nothing changes. If the
  /// oldest item is the same, the list keeps its place; a newer item appears at the top if the newest was there.
  func show(_ items: [JournalLine]) {
    let state = State(context.model)
    guard items != self.items || state != self.state else { return }
    let keepsPlace = items.last == self.items.last
    let place = keepsPlace ? place(in: items) : 0..<0
    (self.items, self.state) = (items, state)
    load(place.lowerBound..<max(place.upperBound, place.lowerBound + JournalList.batchSize)) { [weak self] lines in
      guard let self else { return }
      let start = keepsPlace ? lines.count : JournalList.firstLines
      (above, below) = ([], lines.dropFirst(start))
      let followsNewest = isAtNewest && hasNewest
      store.update(to: Array(lines.prefix(start)))
      if followsNewest, store.count > 0 { list.scrollToItem(0) }
      listFocus.settle()
      addSoon()
      lookForTop()
    }
  }

  /// Shows the newest item of a day at the top and focuses it. Without one, shows the next older item.
  func jump(to day: Day) {
    jump(to: items.firstIndex { $0.day <= day } ?? items.count - 1)
  }

  /// Shows an item at the top and focuses it.
  func jump(to line: JournalLine) {
    if let index = items.firstIndex(of: line) { jump(to: index) }
  }

  /// Shows the newest item at the top and focuses it.
  func jumpToNewest() { jump(to: 0) }

  func focus() { listFocus.move() }

  /// Moves the list by a distance in pixels, downwards positive.
  func scroll(by distance: Double) { scroller.scroll(by: distance) }

  /// Home and End lead to the ends of the journal. The list itself knows only the lines that it has.
  private func press(_ press: KeyPress) -> Bool {
    guard press.modifiers.isEmpty else { return false }
    switch press.key {
    case .home where !hasNewest: jumpToNewest()
    case .end where shown.upperBound < items.count || !below.isEmpty: jump(to: items.count - 1)
    default: return false
    }
    return true
  }

  /// Whether the list has the newest item.
  private var hasNewest: Bool { shown.lowerBound == 0 && above.isEmpty }

  private func scrolled(_ top: Double, _ end: Double) {
    isAtNewest = hasNewest && top == 0
    onScroll?(hasNewest ? top : .infinity)
    lookForTop()
    guard !loader.isLoading, above.isEmpty, below.isEmpty else { return }
    let size = JournalList.batchSize
    if end < JournalList.readAhead, shown.upperBound < items.count {
      load(shown.upperBound..<shown.upperBound + size, extends: true) { [weak self] lines in
        self?.below = lines[...]
        self?.addSoon()
      }
    } else if top < JournalList.readAhead, shown.lowerBound > 0 {
      load(shown.lowerBound - size..<shown.lowerBound, extends: true) { [weak self] lines in
        self?.above = lines[...]
        self?.addSoon()
      }
    }
  }
}

extension JournalList {
  /// The place of the shown items among other ones with the same oldest item. Most changes are at the newest.
  private func place(in items: [JournalLine]) -> Range<Int> {
    let added = items.count - self.items.count
    let start = shown.lowerBound == 0 ? 0 : max(0, shown.lowerBound + added)
    return start..<max(start, shown.upperBound + added)
  }

  /// Replaces the lines by those around an item. No others are read, however far away it is.
  private func jump(to index: Int) {
    guard items.indices.contains(index) else { return }
    let item = items[index]
    load(index - JournalList.itemsAbove..<index + JournalList.batchSize) { [weak self] in self?.show($0, from: item) }
  }

  /// Looks for the first line that can be seen, after the next frame.
  private func lookForTop() {
    guard !isLooking, list.isMapped else { return }
    isLooking = true
    list.redraw()
    list.onFrame { [weak self] in
      guard let self else { return false }
      isLooking = false
      let item = list.topPosition.flatMap { position in
        // A heading belongs to the line below it.
        (position..<min(position + 2, store.count)).compactMap { store[$0].item }.first
      }
      if let item, item != top {
        top = item
        onTop?(item)
      }
      return false
    }
  }

  /// Shows an item at the top. The lines above, and most of those below, are added in the next frames.
  private func show(_ lines: [Line], from item: JournalLine) {
    guard let top = lines.firstIndex(where: { $0.item == item }) else { return }
    let end = min(top + JournalList.jumpLines, lines.count)
    let start = min(top, max(0, end - JournalList.jumpLines))
    (above, below) = (lines[..<start], lines[end...])
    store.replaceAll(with: Array(lines[start..<end]))
    list.focusItem(top - start)
    list.scrollToItem(top - start)
    onScroll?(hasNewest ? 0 : .infinity)
    addSoon()
    lookForTop()
  }

  /// Reads the texts of the items in a range, as far as it exists.
  /// - Parameters:
  ///   - extends: whether the items are next to those that are shown; otherwise they replace them.
  ///   - then: called with their lines, unless other items are shown by then.
  private func load(_ range: Range<Int>, extends: Bool = false, then: @escaping @MainActor ([Line]) -> Void) {
    let items = items
    let range = range.clamped(to: items.indices)
    loader.load { [model = context.model] in
      try await model.texts(of: Array(items[range]))
    } show: { [weak self] texts in
      guard let self else { return }
      let start = extends ? min(shown.lowerBound, range.lowerBound) : range.lowerBound
      shown = start..<(extends ? max(shown.upperBound, range.upperBound) : range.upperBound)
      let above = items[..<range.lowerBound]
      then(Line.lines(of: texts, below: above, headsNewest: headsNewest, in: context.model.garden))
      onShown?()
    }
  }

  /// Adds the lines that wait, a few in each of the next frames.
  private func addSoon() {
    // An unmapped list has no frames.
    guard list.isMapped else { return add(atMost: .max) }
    if isAdding || (above.isEmpty && below.isEmpty) { return }
    isAdding = true
    list.redraw()
    list.onFrame { [weak self] in
      guard let self else { return false }
      add(atMost: JournalList.linesPerFrame)
      isAdding = !above.isEmpty || !below.isEmpty
      return isAdding
    }
  }

  /// Adds lines below before those above: the list can keep an item at the top only if there is enough below it.
  private func add(atMost count: Int) {
    let appended = below.prefix(count)
    store.append(Array(appended))
    below = below.dropFirst(appended.count)
    let inserted = above.suffix(count - appended.count)
    store.replace(0..<0, with: Array(inserted))
    above = above.dropLast(inserted.count)
  }
}
