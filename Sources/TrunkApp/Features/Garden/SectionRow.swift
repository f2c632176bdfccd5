import GtkKit
import Localization

/// A line of a list in sections, each of which has a heading above a card with its items.
nonisolated enum SectionLine<Item: Equatable & Sendable>: Equatable, Sendable {
  case heading(SectionHeading)
  /// - Parameters:
  ///   - isFirst: whether the card begins with this item.
  ///   - isLast: whether the card ends with this item.
  case item(Item, isFirst: Bool, isLast: Bool)

  /// The item of this line; `nil` for a heading.
  var item: Item? { if case .item(let item, _, _) = self { item } else { nil } }

  /// The lines of sections. A section without a heading is only its card.
  static func lines(_ sections: [(heading: SectionHeading?, items: [Item])]) -> [SectionLine] {
    sections.flatMap { heading, items in
      (heading.map { [.heading($0)] } ?? [])
        + items.enumerated().map { .item($1, isFirst: $0 == 0, isLast: $0 == items.count - 1) }
    }
  }
}

/// The heading of a section, with a quieter note.
nonisolated struct SectionHeading: Equatable, Sendable {
  let title: String
  let note: String
  /// Whether the items below it are hidden; `nil` if they can't be.
  var isCollapsed: Bool?
}

/// A row of a list in sections: a heading, or the row of an item.
final class SectionRow<Row: ListRow>: ListRow where Row.Item: Equatable & Sendable {
  let widget: Widget

  private let heading = sectionHeader("")
  private let arrow = icon("pan-down-symbolic").css("faint")
  private let line: Widget
  private let row: Row

  init(_ row: Row) {
    self.row = row
    line = GtkKit.line(spacing: 6, arrow, heading.hexpand())
    widget = column(line, row.widget)
  }

  func show(_ line: SectionLine<Row.Item>) -> String {
    switch line {
    case .heading(let heading):
      style(isHeading: true, isFirst: false, isLast: false)
      self.heading.setHeading(heading.title)
      self.heading.setNote(heading.note)
      arrow.visible(heading.isCollapsed != nil).setIcon(
        heading.isCollapsed == true ? "pan-end-symbolic" : "pan-down-symbolic")
      // Translators: the state of a branch whose seedlings are hidden.
      let state = heading.isCollapsed == true ? trc("branch", "hidden") : ""
      return [heading.title, heading.note, state].filter { !$0.isEmpty }.joined(separator: ", ")
    case .item(let item, let isFirst, let isLast):
      style(isHeading: false, isFirst: isFirst, isLast: isLast)
      return row.show(item)
    }
  }

  private func style(isHeading: Bool, isFirst: Bool, isLast: Bool) {
    line.visible(isHeading)
    row.widget.visible(!isHeading)
    // The list draws the card around its own row, which contains this one.
    widget.parent?.css("section-row", when: isHeading).css("starts-card", when: isFirst).css("ends-card", when: isLast)
  }
}
