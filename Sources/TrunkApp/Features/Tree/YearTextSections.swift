import GtkKit
import Localization
import TrunkKit

/// The words that were used most in a year, each of which opens the search, and entries to read again.
final class YearTextSections {
  let widget: Widget

  private let context: WindowContext
  private let words = wrapping(spacing: 6)
  private let entries = column(spacing: 10)
  private let wordSection, entrySection: Widget
  /// The entries that the sections were made from; `nil` at first.
  private var shown: [TimelineItem]?

  init(_ context: WindowContext) {
    self.context = context
    wordSection = column(spacing: 8, sectionHeader(tr("Words You Used Most")), words).visible(false)
    entrySection = column(spacing: 8, sectionHeader(tr("To Read Again")), entries).visible(false)
    widget = column(spacing: 26, wordSection, entrySection)
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
    words.removeAll()
    for word in texts.words {
      let link = button(word, "chip", command: "win.find::")
      words.append(link.action("win.find", target: word).accessibleName(tr("Search for “{word}”", ["word": word])))
    }
    wordSection.visible(!texts.words.isEmpty)
    entries.removeAll()
    let garden = context.model.garden
    for entry in texts.reread {
      let link = TextLink("win.entry")
      link.show(Formats.date(entry.item.time), target: "\(entry.item.seq)")
      let text = Entry(entry, caption: EntryTexts.about(entry, in: garden))
      entries.append(column(spacing: 4, link.widget, text.widget).css("card"))
    }
    entrySection.visible(!texts.reread.isEmpty)
    widget.visible(!texts.words.isEmpty || !texts.reread.isEmpty)
  }
}
