import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The content of a seedling's row.
nonisolated struct SeedlingItem: Equatable, Identifiable, Sendable {
  let id: String
  let title: String
  /// Empty without notes.
  let notes: String
  /// The name of its twig; empty if the list's heading names it.
  let twig: String

  /// - Parameter showsTwig: whether to show the name of its twig.
  init(_ seedling: Seedling, in garden: Garden, showsTwig: Bool = true) {
    id = seedling.id
    title = seedling.title
    notes = seedling.notes?.trimmed.description ?? ""
    let name = Node(id: seedling.twigID).map { garden.label(of: $0) } ?? seedling.twigID
    twig = showsTwig ? name : ""
  }
}

/// One seedling: its title, notes and twig, and its buttons.
final class SeedlingRow: ListRow {
  let widget: Widget

  private let title = paragraph("", "semibold")
  private let notes = paragraph("", "second").lines(4)
  private let twig = paragraph("", "hint")
  // GTK logs a warning for an action without a target, and headings have none.
  private let plant = button(tr("Plant"), command: "win.plant-seedling::")
  private let edit = iconButton("document-edit-symbolic", name: tr("Edit"), command: "win.edit-seedling::")
  private let delete = iconButton("user-trash-symbolic", name: tr("Delete"), command: "win.delete-seedling::")

  /// The width of the texts beside the buttons, in characters and in pixels at the usual text size.
  private static let (textWidth, reserve) = (30, 240)

  init() {
    // In a narrow window, the buttons go below the texts.
    for text in [title, notes, twig] { text.maxChars(SeedlingRow.textWidth) }
    let texts = column(spacing: 3, title, notes, twig).hexpand().valign(.center)
    let buttons = line(spacing: 2, plant, edit, delete).valign(.center)
    widget = line(
      spacing: 12, icon("trunk-seedling-symbolic", size: 20).css("green").valign(.center),
      wrapping(reserve: SeedlingRow.reserve, texts, buttons).hexpand())
    widget.keeps(self)
  }

  func show(_ item: SeedlingItem) -> String {
    title.setText(item.title)
    notes.setText(item.notes)
    notes.visible(!item.notes.isEmpty)
    notes.ellipsize(mayBeCut(item.notes) ? .end : .none)
    twig.setText(item.twig)
    twig.visible(!item.twig.isEmpty)
    for (button, name) in [
      (plant, tr("Plant “{title}”", ["title": item.title])), (edit, tr("Edit “{title}”", ["title": item.title])),
      (delete, tr("Delete “{title}”", ["title": item.title])),
    ] {
      button.accessibleName(name)
      if let command = button.actionName { button.action(command, target: item.id) }
    }
    return [item.title, item.notes, item.twig].filter { !$0.isEmpty }.joined(separator: ", ")
  }
}
