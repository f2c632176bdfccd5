import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The first and the last entry about a sprout, with a link that unfolds all of them in place.
final class FirstAndLast {
  let widget: Widget

  /// Called when it has read the entries, and when it needs another height.
  var onResize: (() -> Void)?

  /// The last words about the sprout; `nil` if there are none.
  var lastWords: String? { written.last?.text }

  /// The position of a single entry that is shown instead, from the oldest on; `nil` for none.
  var pointed: Int? {
    didSet { if pointed != oldValue, !isUnfolded { showPassages() } }
  }

  private let context: WindowContext
  private let passages = column(spacing: 10)
  private let emptyHint = paragraph("", "hint")
  private let all: Widget
  private lazy var loader = Loader(context, for: widget)
  private var items: [TimelineItem]?
  private var hidden: Set<Int64> = []
  /// All of them, oldest first.
  private var entries: [TimelineEntry] = []
  private var written: [TimelineEntry] { entries.filter { !$0.text.trimmed.isEmpty } }
  private var isUnfolded = false
  /// Whether a single entry is shown.
  private var isPointing = false
  /// The entries that are still to be added below the others.
  private var rest: ArraySlice<TimelineEntry> = []

  /// The beginning of a longer text: it would push everything else away.
  private static let mostLines = 4
  /// How many entries are added in a frame.
  private static let perFrame = 6

  init(_ context: WindowContext) {
    self.context = context
    all = button("", "link", "flush") {}.halign(.start)
    widget = column(spacing: 10, emptyHint, passages, all)
    all.on("clicked") { [weak self] in self?.unfold() }
    widget.keeps(self)
  }

  /// Shows these entries about a sprout.
  /// - Parameter items: oldest first.
  func show(_ items: [TimelineItem]) {
    let hidden = context.model.hidden
    guard items != self.items || hidden != self.hidden else { return }
    (self.items, self.hidden) = (items, hidden)
    emptyHint.visible(items.isEmpty)
    emptyHint.setText(tr("You wrote nothing about this sprout."))
    all.visible(false)
    loader.load { [model = context.model] in
      try await model.entries(items)
    } show: { [weak self] entries in
      self?.entries = entries
      self?.showPassages()
    }
  }

  private func showPassages() {
    // While one entry is shown, what is below keeps its place.
    let height = isPointing ? nil : passages.height(at: passages.width)
    passages.removeAll()
    rest = []
    let written = written
    isPointing = !isUnfolded && pointed.map(entries.indices.contains) ?? false
    if isPointing, let pointed {
      if let height { passages.size(height: height) }
      append(entries[pointed], caption: Formats.dateAndTime(entries[pointed].item.time), mostLines: nil)
    } else if isUnfolded {
      passages.size(height: -1)
      rest = entries[...]
      addSoon()
    } else {
      passages.size(height: -1)
      showEnds(of: written)
    }
    emptyHint.visible(written.isEmpty && pointed == nil && !isUnfolded)
    emptyHint.setText(hint)
    all.visible(!isUnfolded && entries.count > 1 && !written.isEmpty)
    all.setText(trn("Read {n} Entry", "Read All {n} Entries", entries.count))
    onResize?()
  }

  /// Why no words are shown.
  private var hint: String {
    if entries.contains(where: \.isHidden) { return EntryTexts.hidden }
    return entries.isEmpty ? tr("You wrote nothing about this sprout.") : tr("You watered it without words.")
  }

  /// - Parameter written: the entries with words, oldest first.
  private func showEnds(of written: [TimelineEntry]) {
    guard let first = written.first, let last = written.last else { return }
    guard written.count > 1 else { return append(first, caption: date(of: first), mostLines: nil) }
    append(first, caption: tr("{date}, the first entry", ["date": date(of: first)]))
    append(last, caption: tr("{date}, the last entry", ["date": date(of: last)]))
  }

  private func date(of entry: TimelineEntry) -> String {
    Formats.dayAndYear(entry.item.time.day, today: context.today)
  }

  private func append(_ entry: TimelineEntry, caption: String, mostLines: Int? = FirstAndLast.mostLines) {
    let passage = Entry(isSelectable: mostLines == nil)
    passage.mostLines = mostLines
    passage.show(entry, caption: caption)
    passages.append(rule(), passage.widget)
  }

  private func unfold() {
    isUnfolded = true
    showPassages()
    // The link that had the focus is gone.
    passages.focusFirst()
  }

  /// Adds the rest, a few entries in each frame.
  private func addSoon() {
    add()
    guard !rest.isEmpty else { return }
    passages.onFrame { [weak self] in
      self?.add()
      return self?.rest.isEmpty == false
    }
  }

  private func add() {
    for entry in rest.prefix(FirstAndLast.perFrame) { append(entry, caption: date(of: entry), mostLines: nil) }
    rest = rest.dropFirst(FirstAndLast.perFrame)
  }
}
