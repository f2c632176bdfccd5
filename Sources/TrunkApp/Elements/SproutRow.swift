import Garden
import Gardening
import GtkKit
import Localization

/// One sprout in a boxed list: the ring of its season, its title over where it grows, and something at the end.
/// Pressing the row opens the sprout.
final class SproutRow {
  let widget: Widget

  private let ring = Ring()

  init(_ sprout: Sprout, end: Widget) {
    widget = row("", "", start: ring.widget, end: end)
    gtk_list_box_row_set_activatable(widget.cast(), 1)
    gtk_widget_set_focusable(widget, 1)
    widget.action("win.sprout", target: sprout.id).offersActivation()
    // Where the window is narrow, place and note go below one another.
    adw_action_row_set_subtitle_lines(widget.cast(), 2)
    widget.keeps(self)
  }

  /// - Parameter note: what comes after the place, such as when it was last watered.
  func show(_ sprout: Sprout, in garden: Garden, now: Instant, note: String) {
    ring.progress = sprout.progress(at: now)
    var place = garden.path(ofTwig: sprout.twigID)
    // A leaf that is named like its only sprout would say the same twice.
    if let leaf = garden.leaf(id: sprout.leafID), leaf.name != sprout.title { place += " · " + leaf.name }
    widget.setRow(sprout.title, tr("{place} — {note}", ["place": place, "note": note]))
  }
}

/// The rows of a boxed list, kept by the sprout that they show, so that a render moves neither focus nor pointer.
final class SproutRows {
  let widget = boxedList()

  private struct Kept {
    let id: String
    let kind: String
    let row: SproutRow
  }

  private var kept: [Kept] = []

  /// One row to show: `kind` tells rows apart that look different at their end.
  struct Item {
    let sprout: Sprout
    let kind: String
    let note: String
    let end: @MainActor () -> Widget
  }

  func show(_ items: [Item], in garden: Garden, now: Instant) {
    let isSame =
      kept.count == items.count && zip(kept, items).allSatisfy { $0.id == $1.sprout.id && $0.kind == $1.kind }
    if !isSame { rebuild(items) }
    for (kept, item) in zip(kept, items) { kept.row.show(item.sprout, in: garden, now: now, note: item.note) }
    widget.visible(!items.isEmpty)
  }

  private func rebuild(_ items: [Item]) {
    let focus = kept.firstIndex { gtk_widget_get_focus_child(widget) == $0.row.widget }
    for old in kept { gtk_list_box_remove(widget.cast(), old.row.widget) }
    kept = items.map { item in
      let row = SproutRow(item.sprout, end: item.end())
      gtk_list_box_append(widget.cast(), row.widget)
      return Kept(id: item.sprout.id, kind: item.kind, row: row)
    }
    // The row that had the focus is gone or has moved: the one in its place takes it.
    if let focus, !kept.isEmpty { gtk_widget_grab_focus(kept[min(focus, kept.count - 1)].row.widget) }
  }
}
