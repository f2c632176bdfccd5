import GtkKit
import Localization
import TrunkKit

/// The entries of a year to read again.
final class YearTextSection {
  let widget: Widget

  private let context: WindowContext
  private let entries = column(spacing: 10)
  /// The entries that the section was made from; `nil` at first.
  private var shown: [TimelineItem]?

  init(_ context: WindowContext) {
    self.context = context
    widget = column(spacing: 8, sectionHeader(tr("To Read Again")), entries).visible(false)
    widget.keeps(self)
  }

  func show(_ year: YearInGrowth) {
    guard year.entries != shown else { return }
    shown = year.entries
    context.attempt(keeping: widget) { [weak self] in
      guard let self else { return }
      let texts = try await context.model.texts(of: year)
      // Another entry may have arrived in the meantime.
      if year.entries == shown { show(texts) }
    }
  }

  private func show(_ texts: YearTexts) {
    entries.removeAll()
    let garden = context.model.garden
    for entry in texts.reread {
      let link = TextLink("win.entry")
      link.show(Formats.date(entry.item.time), target: "\(entry.item.seq)")
      let text = Entry(entry, caption: EntryTexts.about(entry, in: garden))
      entries.append(column(spacing: 4, link.widget, text.widget).css("card"))
    }
    widget.visible(!texts.reread.isEmpty)
  }
}
