import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The texts of a leaf's sprouts as one text, starting with the first planting. It is read in batches.
final class LeafStory {
  let widget = column()

  private let context: WindowContext
  private let text = column(spacing: 14)
  private let more = column()
  private var items: [TimelineItem] = []
  private var hidden: Set<Int64> = []
  /// The titles that the shown lines contain.
  private var subjects: [String] = []
  /// The number of shown items.
  private var shown = 0
  private lazy var loader = Loader(context, for: widget)

  private static let batchSize = 40

  init(_ context: WindowContext) {
    self.context = context
    let next = button(tr("Read On")) { [weak self] in self?.showMore() }
    more.append(next.halign(.center).margin(top: 16))
    widget.append(text, more.visible(false))
    widget.keeps(self)
  }

  /// - Parameters:
  ///   - items: oldest first.
  ///   - subjects: the titles that the story contains. If one of them changes, the story is shown again.
  func show(_ items: [TimelineItem], subjects: [String]) {
    let hidden = context.model.hidden
    guard items != self.items || subjects != self.subjects || hidden != self.hidden else { return }
    (self.items, self.subjects, self.hidden) = (items, subjects, hidden)
    load(0..<min(max(shown, LeafStory.batchSize), items.count))
  }

  /// Shows the next batch below the text.
  func showMore() {
    guard !loader.isLoading, shown < items.count else { return }
    load(shown..<min(shown + LeafStory.batchSize, items.count))
  }

  /// Shows the items in `range` after those that are shown; a range from 0 replaces them.
  private func load(_ range: Range<Int>) {
    loader.load { [model = context.model, items] in
      try await model.entries(Array(items[range]))
    } show: { [weak self] entries in
      guard let self else { return }
      if range.lowerBound == 0 { text.removeAll() }
      for entry in entries { append(entry) }
      shown = range.upperBound
      more.visible(shown < items.count)
    }
  }
}

extension LeafStory {
  private func append(_ entry: TimelineEntry) {
    let garden = context.model.garden
    guard let sprout = entry.item.sproutID.flatMap({ garden.sprout(id: $0) }) else { return }
    let date = Formats.date(entry.item.time)
    switch entry.item.kind {
    case .planting: appendTitle(of: sprout, planted: date)
    case .watering, .reflection:
      // Leave out entries without text.
      guard entry.isHidden || !entry.text.trimmed.isEmpty else { return }
      text.append(passage(of: entry, mark: date))
    case .harvest:
      let result = entry.item.result.map { Formats.result($0) } ?? ""
      text.append(
        passage(of: entry, mark: tr("Harvested on {date}: {result}", ["date": date, "result": result])))
    case .uprooting: text.append(paragraph(tr("Uprooted on {date}", ["date": date]), "hint"))
    }
  }

  private func appendTitle(of sprout: Sprout, planted date: String) {
    let title = TextLink("win.sprout", style: "chapter")
    title.show(clamped(sprout.title, to: 200), target: sprout.id)
    let ground = Formats.ground(sprout.season, sprout.ground)
    let mark = tr("Planted on {date}: {ground}", ["date": date, "ground": ground])
    text.append(
      column(spacing: 2, title.widget, paragraph(mark, "hint")).margin(top: 14))
  }

  private func passage(of entry: TimelineEntry, mark: String) -> Widget {
    let passage = column(spacing: 3, paragraph(mark, "hint"))
    if let question = entry.question { passage.append(paragraph(question, "question", "small")) }
    if entry.isHidden || !entry.text.trimmed.isEmpty {
      let text = paragraph("", "journal", selectable: true).showReading(EntryTexts.text(of: entry))
      passage.append(text.css("placeholder", when: entry.isHidden))
    }
    return passage
  }
}
