import GtkKit
import Localization
import TrunkKit

/// A result of the search: its sentence or title with the matches marked, and its subject.
final class SearchRow: ListRow {
  let widget: Widget

  private let title = paragraph("", "semibold").lines(2)
  private let text = paragraph("")
  private let about = paragraph("", "hint")
  private let more = label("", "semibold", "wood")

  init() {
    widget = column(spacing: 3, title, text, about, more)
    widget.keeps(self)
  }

  func show(_ item: SearchItem) -> String {
    let isMore = if case .more = item { true } else { false }
    for part in [title, text, about] { part.visible(!isMore) }
    more.visible(isMore)
    switch item {
    case .hit(let hit, let about): return show(hit, about)
    case .more(_, let count):
      let text = tr("Show all {n}", ["n": localized(count)])
      more.setText(text)
      return text
    }
  }

  private func show(_ hit: SearchResults.Hit, _ about: String) -> String {
    // Below its words, a page says where it is from.
    let heading = hit.group == .pages ? nil : hit.title
    title.visible(heading != nil).setText(oneLine(heading ?? ""))
    text.css("journal-excerpt", when: hit.group.isWritten).css("question", when: hit.group == .questions)
    text.css("semibold", when: !hit.group.isWritten && hit.group != .questions && heading == nil)
    let isEmpty = hit.excerpt.text.isEmpty
    text.css("placeholder", when: isEmpty)
    if isEmpty { text.setText(tr("Without words")) } else { text.setMarkup(SearchTexts.marked(hit.excerpt)) }
    self.about.setText(about)
    return [heading ?? "", isEmpty ? tr("Without words") : hit.excerpt.text, about].filter { !$0.isEmpty }
      .joined(separator: ", ")
  }
}

extension SearchResults.Group {
  /// Whether it has texts that the user wrote at length.
  fileprivate var isWritten: Bool { self == .entries || self == .pages }
}
