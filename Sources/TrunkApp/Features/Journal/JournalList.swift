import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// Journal lines under month headings, newest first. Texts are read as the user scrolls.
final class JournalList {
  let widget: Widget

  /// A line of the list.
  enum Line {
    case month(String)
    /// - Parameter isFirstOfDay: whether the line above is of another day.
    case entry(TimelineEntry, isFirstOfDay: Bool)
  }

  /// Called with the distance from the top, in pixels, when the list was scrolled.
  var onScroll: (@MainActor (Double) -> Void)?

  /// Called when items are shown with their texts.
  var onShown: (@MainActor () -> Void)?

  private let context: WindowContext
  private let store = ListStore<Line>()
  private let list: Widget
  private let onOpen: @MainActor (TimelineItem) -> Void
  /// All lines of the selection, newest first.
  private var items: [TimelineItem] = []
  /// The names of places that the lines show.
  private var nodes: [String: NodeText] = [:]
  /// The number of items that are in the list.
  private var shown = 0
  private var loading: Task<Void, Never>?

  /// The number of items that are read together. It is more than a window shows, so that the list can be scrolled to
  /// its end.
  private static let batchSize = 60
  /// More is read when the end of the list is this near, in pixels.
  private static let readAhead = 1500.0

  /// - Parameters:
  ///   - name: the list's accessible name.
  ///   - canOpen: whether an item can be pressed.
  ///   - onOpen: called with the item that the user has pressed.
  init(
    _ context: WindowContext, name: String, canOpen: @escaping @MainActor (TimelineItem) -> Bool = { _ in true },
    onOpen: @escaping @MainActor (TimelineItem) -> Void
  ) {
    self.context = context
    self.onOpen = onOpen
    list = listView(
      store, name: name, row: { JournalRow(context) },
      activate: { line in if case .entry(let entry, _) = line { onOpen(entry.item) } },
      canActivate: { line in if case .entry(let entry, _) = line { canOpen(entry.item) } else { false } }
    ).css("journal-list")
    widget = scrolledList(list.margin(start: 18, end: 18))
    widget.onScroll { [weak self] top, end in Task { self?.scrolled(top, end) } }
    widget.keeps(self)
  }

  /// Shows these items, newest first. If they and the names of their places are the same as before, nothing changes.
  func show(_ items: [TimelineItem]) {
    let nodes = context.model.garden.nodes
    guard items != self.items || nodes != self.nodes else { return }
    let keepsPlace = items.last == self.items.last
    (self.items, self.nodes) = (items, nodes)
    load(upTo: max(keepsPlace ? shown : 0, JournalList.batchSize), from: 0)
  }

  /// Scrolls to the newest entry of a day, or of the next earlier day that has one.
  func scroll(to day: Day) {
    let zone = context.model.garden.zone
    guard let index = items.firstIndex(where: { zone.dayKey($0.instant) <= day }) else { return }
    let item = items[index]
    load(upTo: max(index + JournalList.batchSize, shown), from: shown) { [weak self] in
      guard let self, let position = position(of: item) else { return }
      list.scrollToItem(position)
    }
  }

  func focus() { list.focus() }

  private func scrolled(_ top: Double, _ end: Double) {
    onScroll?(top)
    if end < JournalList.readAhead { showMore() }
  }

  private func position(of item: TimelineItem) -> Int? {
    store.items.firstIndex { line in if case .entry(let entry, _) = line { entry.item == item } else { false } }
  }

  private func showMore() {
    guard loading == nil, shown < items.count else { return }
    load(upTo: shown + JournalList.batchSize, from: shown)
  }

  /// Reads the texts of items and shows them below the first `start` ones, in place of all that follow.
  private func load(upTo end: Int, from start: Int, then: (@MainActor () -> Void)? = nil) {
    let items = items
    let range = start..<max(start, min(end, items.count))
    loading?.cancel()
    loading = Task {
      do {
        let entries = try await context.model.entries(Array(items[range]))
        // A newer call shows other items.
        if Task.isCancelled { return }
        let above = start == 0 ? nil : items[start - 1]
        let lines = lines(entries, below: above)
        store.replace((start == 0 ? 0 : store.count)..<store.count, with: lines)
        shown = range.upperBound
        loading = nil
        then?()
        onShown?()
      } catch {
        if Task.isCancelled { return }
        loading = nil
        context.tell(error)
      }
    }
  }

  private func lines(_ entries: [TimelineEntry], below last: TimelineItem?) -> [Line] {
    let zone = context.model.garden.zone
    var lines: [Line] = []
    var current = last.map { zone.local($0.instant).day }
    for entry in entries {
      let day = zone.local(entry.item.instant).day
      if day.month != current?.month || day.year != current?.year { lines.append(.month(Formats.month(day))) }
      lines.append(.entry(entry, isFirstOfDay: day != current))
      current = day
    }
    return lines
  }
}

/// A row of the journal: a month heading, an entry, or the planting or uprooting of a sprout.
private final class JournalRow: ListRow {
  let widget: Widget

  private let context: WindowContext
  private let month = label("", "journal-month")
  private let day = label("", "journal-day", "numeric").xalign(1)
  private let weekday = label("", "hint").xalign(1)
  private let sign = icon("trunk-sun-symbolic").halign(.end)
  private let margin: Widget
  private let question = paragraph("", "question")
  private let text = paragraph("", "journal")
  private let about = paragraph("", "hint")
  private let content: Widget

  /// Longer entries are cut in the list; their page shows everything.
  private static let maxLines = 8
  private static let marginWidth = 56

  init(_ context: WindowContext) {
    self.context = context
    margin = column(spacing: 0, day, weekday, sign).size(width: JournalRow.marginWidth).valign(.start)
    content = line(
      spacing: 16, margin, column(spacing: 4, question, text.lines(JournalRow.maxLines), about).hexpand())
    widget = column(month.margin(top: 10, bottom: 2), content)
    widget.keeps(self)
  }

  func show(_ line: JournalList.Line) -> String {
    switch line {
    case .month(let name):
      month.visible(true).setText(name)
      content.visible(false)
      return name
    case .entry(let entry, let isFirstOfDay):
      month.visible(false)
      content.visible(true)
      return show(entry, isFirstOfDay: isFirstOfDay)
    }
  }

  private func show(_ entry: TimelineEntry, isFirstOfDay: Bool) -> String {
    let garden = context.model.garden
    let (item, local) = (entry.item, garden.zone.local(entry.item.instant).day)
    day.visible(isFirstOfDay && item.isEntry).setText("\(local.day)")
    weekday.visible(isFirstOfDay)
    weekday.setText(item.isEntry ? Formats.shortWeekday(local) : "\(local.day) \(Formats.shortWeekday(local))")
    let signs: [TimelineItem.Kind: String] = [.reflection: "trunk-sun-symbolic", .harvest: "trunk-harvest-symbolic"]
    sign.visible(signs[item.kind] != nil)
    if let name = signs[item.kind] { sign.setIcon(name) }

    let question = entry.question ?? ""
    let words = JournalWords.text(of: entry)
    let about = JournalWords.about(entry, in: garden)
    self.question.visible(!question.isEmpty).setText(question)
    text.visible(item.isEntry)
    text.setText(words)
    text.ellipsize(mayBeCut(words) ? .end : .none)
    text.css("placeholder", when: entry.text.trimmed.isEmpty)
    self.about.setText(about)
    widget.css("spent", when: !item.isEntry)
    let date = Formats.dateAndTime(item.instant, in: garden.zone)
    return [date, question, item.isEntry ? words : "", about].filter { !$0.isEmpty }.joined(separator: ", ")
  }
}
