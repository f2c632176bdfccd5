import Garden
import Gardening
import GtkKit
import Localization

/// One sprout in a boxed list: the ring of its season, its title over where it grows, and something at the end.
/// Pressing the row opens the sprout.
final class SproutRow {
  let widget: Widget

  private let ring = Ring()

  /// Characters of a leaf's name: a longer one would push out what comes after it.
  private static let leafLimit = 20

  init(_ sprout: Sprout, end: Widget) {
    widget = row("", "", start: ring.widget, end: end)
    gtk_list_box_row_set_activatable(widget.cast(), 1)
    gtk_widget_set_focusable(widget, 1)
    widget.action("win.sprout", target: sprout.id).offersActivation()
    // Where the window is narrow, place, leaf and note go below one another.
    adw_action_row_set_subtitle_lines(widget.cast(), 3)
    widget.keeps(self)
  }

  /// - Parameter note: what comes after the place, such as when it was last watered.
  func show(_ sprout: Sprout, in garden: Garden, now: Instant, note: String) {
    ring.progress = sprout.progress(at: now)
    var place = garden.path(ofTwig: sprout.twigID)
    // A leaf that is named like its only sprout would say the same twice.
    if let leaf = garden.leaf(id: sprout.leafID), leaf.name != sprout.title {
      place += " · " + clamped(leaf.name, to: SproutRow.leafLimit)
    }
    widget.setRow(sprout.title, tr("{place} — {note}", ["place": place, "note": note]))
  }
}

/// The rows of a boxed list, kept by the sprout that they show, so that a render moves neither focus nor pointer.
final class SproutRows {
  let widget = boxedList()

  private struct Key: Hashable {
    let id: String
    let kind: String
  }

  private var kept: [(key: Key, row: SproutRow)] = []

  /// One row to show: `kind` tells rows apart that look different at their end.
  struct Item {
    let sprout: Sprout
    let kind: String
    let note: String
    let end: @MainActor () -> Widget
  }

  func show(_ items: [Item], in garden: Garden, now: Instant) {
    let keys = items.map { Key(id: $0.sprout.id, kind: $0.kind) }
    if keys != kept.map(\.key) { arrange(items, keys) }
    for (kept, item) in zip(kept, items) { kept.row.show(item.sprout, in: garden, now: now, note: item.note) }
    widget.visible(!items.isEmpty)
  }

  /// Makes only the rows that are new: to style and lay out a row takes longer than all that a watering changes.
  private func arrange(_ items: [Item], _ keys: [Key]) {
    let focused = gtk_widget_get_focus_child(widget)
    // Not freed before its address was compared.
    let reference = focused.map { Reference(retaining: $0) }
    defer { withExtendedLifetime(reference) {} }
    let place = kept.firstIndex { $0.row.widget == focused }
    var old = Dictionary(kept.map { ($0.key, $0.row) }) { first, _ in first }
    let wanted = Set(keys)
    for (key, row) in kept where !wanted.contains(key) { gtk_list_box_remove(widget.cast(), row.widget) }
    kept = zip(items, keys).enumerated().map { position, wanted in
      let (item, key) = wanted
      guard let row = old.removeValue(forKey: key) else {
        let row = SproutRow(item.sprout, end: item.end())
        gtk_list_box_insert(widget.cast(), row.widget, gint(position))
        return (key, row)
      }
      if gtk_list_box_row_get_index(row.widget.cast()) != gint(position) {
        let reference = Reference(retaining: row.widget)
        reference.use { _ in
          gtk_list_box_remove(widget.cast(), row.widget)
          gtk_list_box_insert(widget.cast(), row.widget, gint(position))
        }
      }
      return (key, row)
    }
    // The row that had the focus is gone or was moved: itself, or else the one in its place, takes it.
    guard let place, !kept.isEmpty, gtk_widget_get_focus_child(widget) != focused else { return }
    let row = kept.first { $0.row.widget == focused } ?? kept[min(place, kept.count - 1)]
    gtk_widget_grab_focus(row.row.widget)
  }
}
