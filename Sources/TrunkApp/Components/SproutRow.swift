import GtkKit
import Localization
import TrunkAccount
import TrunkKit
import TrunkModel

/// One sprout in a boxed list: its progress ring, title, place, and a widget at the end. Pressing the row opens the
/// sprout.
final class SproutRow {
  let widget: Widget

  private let ring = Ring()
  private let blossom = Blossom()

  /// The maximum length of a leaf's name: a longer one would push out the text after it.
  private static let leafLimit = 20

  init(_ sprout: Sprout, end: Widget) {
    widget = row("", "", start: line(ring.widget, blossom.widget), end: end)
    widget.activatable().action("win.sprout", target: sprout.id).offersActivation()
    // In a narrow window, place, leaf and note are on separate lines.
    widget.subtitleLines(3)
    widget.keeps(self)
  }

  /// - Parameters:
  ///   - note: text after the place, such as when the sprout was last watered.
  ///   - showsPlace: whether to show the place and the leaf, which a page of theirs need not repeat.
  func show(_ sprout: Sprout, in garden: Garden, now: Instant, note: String, showsPlace: Bool) {
    ring.progress = sprout.progress(at: now)
    widget.css("past", when: !sprout.isActive)
    ring.widget.visible(sprout.harvest == nil)
    blossom.widget.visible(sprout.harvest != nil)
    blossom.result = sprout.harvest?.result ?? 0
    guard showsPlace else { return widget.setRow(sprout.title, note, titleLines: 2) }
    var place = garden.path(ofTwig: sprout.twigID)
    // Skip the name of a leaf that is the same as the sprout's title.
    if let leaf = garden.leaf(id: sprout.leafID), leaf.name != sprout.title {
      place += " · " + clamped(leaf.name, to: SproutRow.leafLimit)
    }
    widget.setRow(sprout.title, tr("{place} — {note}", ["place": place, "note": note]))
  }
}

/// Rows of a boxed list, reused per sprout, so that rendering moves neither focus nor pointer.
final class SproutRows {
  let widget = boxedList()

  private let showsPlace: Bool

  /// - Parameter showsPlace: whether the rows show the place and the leaf.
  init(showsPlace: Bool = true) {
    self.showsPlace = showsPlace
  }

  private struct Key: Hashable {
    let id: String
    let kind: String
  }

  private var kept: [(key: Key, row: SproutRow)] = []

  /// One row to show. `kind` distinguishes rows with different widgets at the end.
  struct Item {
    let sprout: Sprout
    let kind: String
    let note: String
    let end: @MainActor () -> Widget
  }

  func show(_ items: [Item], in garden: Garden, now: Instant) {
    let keys = items.map { Key(id: $0.sprout.id, kind: $0.kind) }
    if keys != kept.map(\.key) { arrange(items, keys) }
    for (kept, item) in zip(kept, items) {
      kept.row.show(item.sprout, in: garden, now: now, note: item.note, showsPlace: showsPlace)
    }
    widget.visible(!items.isEmpty)
  }

  /// Creates only the missing rows: styling and laying out a row takes longer than everything else a watering changes.
  private func arrange(_ items: [Item], _ keys: [Key]) {
    let focused = widget.focusedChild
    // Keep the row alive until its address has been compared.
    let reference = focused.map { Reference(retaining: $0) }
    defer { withExtendedLifetime(reference) {} }
    let place = kept.firstIndex { $0.row.widget == focused }
    var old = Dictionary(kept.map { ($0.key, $0.row) }) { first, _ in first }
    let wanted = Set(keys)
    for (key, row) in kept where !wanted.contains(key) { widget.remove(row.widget) }
    kept = zip(items, keys).enumerated().map { position, wanted in
      let (item, key) = wanted
      guard let row = old.removeValue(forKey: key) else {
        let row = SproutRow(item.sprout, end: item.end())
        widget.insert(row.widget, at: position)
        return (key, row)
      }
      if row.widget.rowIndex != position {
        let reference = Reference(retaining: row.widget)
        reference.use { _ in
          widget.remove(row.widget)
          widget.insert(row.widget, at: position)
        }
      }
      return (key, row)
    }
    // The row that had the focus is gone or was moved: focus it again, or the one now in its place.
    guard let place, !kept.isEmpty, widget.focusedChild != focused else { return }
    let row = kept.first { $0.row.widget == focused } ?? kept[min(place, kept.count - 1)]
    row.row.widget.focus()
  }
}
