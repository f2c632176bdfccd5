import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The first and the last entry about a sprout as a card, with a button that leads to all of them.
final class FirstAndLast {
  let widget: Widget
  /// The dialog that contains this card.
  weak var dialog: DialogWindow?

  private let context: WindowContext
  private let sproutID: String
  private let card = column(spacing: 14).css("card")
  private let first = Passage()
  private let last = Passage()
  private let emptyHint = paragraph("", "hint").margin(start: 2)
  private let all: Widget
  private var items: [TimelineItem]?

  /// How many entries at each end are read to find one with words.
  private static let reach = 10

  /// - Parameter sproutID: the sprout that the entries are about.
  init(_ context: WindowContext, about sproutID: String) {
    (self.context, self.sproutID) = (context, sproutID)
    all = button("", "link", "flush") {}.halign(.start)
    card.append(first.widget, last.widget)
    widget = column(spacing: 8, emptyHint, card, all.margin(start: 2))
    all.on("clicked") { [weak self] in self?.readAll() }
    widget.keeps(self)
  }

  /// Shows the entries about a sprout as they are now.
  func show(_ sprout: Sprout, in garden: Garden) {
    let items = garden.items(garden.waterings(of: sprout))
    guard items != self.items else { return }
    self.items = items
    all.visible(items.count > 1)
    all.setText(trn("Read {n} Entry", "Read All {n} Entries", items.count))
    emptyHint.visible(items.isEmpty)
    emptyHint.setText(tr("You wrote nothing about this sprout."))
    card.visible(!items.isEmpty)
    // Their place is kept until they are read, so that nothing jumps.
    first.reserve()
    last.reserve()
    last.widget.visible(items.count > 1)
    guard !items.isEmpty else { return }
    let reach = FirstAndLast.reach
    let ends = items.count <= 2 * reach ? items : Array(items.prefix(reach) + items.suffix(reach))
    context.attempt(keeping: widget) { [weak self] in
      guard let self else { return }
      let read = try await context.model.entries(ends)
      // Another entry may have arrived in the meantime.
      guard items == self.items else { return }
      show(read.filter { !$0.text.trimmed.isEmpty })
    }
  }

  /// - Parameter entries: those with words, oldest first.
  private func show(_ entries: [TimelineEntry]) {
    card.visible(!entries.isEmpty)
    emptyHint.visible(entries.isEmpty)
    emptyHint.setText(tr("You watered it without words."))
    last.widget.visible(entries.count > 1)
    if let entry = entries.first {
      let date = Formats.date(entry.item.time)
      first.show(entry, caption: entries.count > 1 ? tr("{date}, the first entry", ["date": date]) : date)
    }
    if entries.count > 1, let entry = entries.last {
      last.show(entry, caption: tr("{date}, the last entry", ["date": Formats.date(entry.item.time)]))
    }
    dialog?.fit()
  }

  private func readAll() {
    guard let dialog, let sprout = context.model.garden.sprout(id: sproutID) else { return }
    ReadingWindow(context, over: dialog.widget, sprout).present()
  }
}

/// The beginning of an entry.
private final class Passage {
  let widget: Widget

  private let caption = paragraph("", "hint")
  private let question = paragraph("", "question", "small")
  private let text = paragraph("", "journal").lines(Passage.mostLines)

  /// A longer text would push everything else away; all of it can be read in another window.
  private static let mostLines = 5

  init() {
    widget = column(spacing: 3, caption, question, text)
    widget.keeps(self)
  }

  func reserve() {
    caption.setText(" ")
    question.visible(false)
    text.setText("\n")
  }

  func show(_ entry: TimelineEntry, caption: String) {
    self.caption.setText(caption)
    question.visible(entry.question != nil)
    question.setText(entry.question ?? "")
    text.setText(EntryTexts.text(of: entry))
    text.ellipsize(mayBeCut(entry.text) ? .end : .none)
  }
}

/// Everything that was written about a sprout, from the first entry on.
private final class ReadingWindow {
  private let window: DialogWindow

  init(_ context: WindowContext, over parent: Widget, _ sprout: Sprout) {
    let entries = EntryCards(context, title: sprout.title, isOldestFirst: true)
    window = DialogWindow(
      over: parent, title: tr("What You Wrote"), closeTitle: tr("Back"), height: 640, content: entries.widget)
    let garden = context.model.garden
    entries.show(
      garden.items(garden.waterings(of: sprout)), placeholder: tr("You wrote nothing about this sprout."))
    window.widget.keeps(self)
  }

  func present() { window.present() }
}
