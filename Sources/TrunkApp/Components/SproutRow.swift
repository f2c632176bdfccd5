import GtkKit
import Localization
import TrunkAccount
import TrunkKit
import TrunkModel

/// One sprout in a boxed list: its shoot or leaflet, title, place, the user's words, and a widget at the end. Pressing
/// the row opens the sprout.
final class SproutRow {
  let widget: Widget

  private let sign = SproutSign(width: 0, height: 0)
  private let title = paragraph("", "title").lines(SproutRow.titleLines)
  // Enough lines for all of it in a narrow window. Without a limit, GTK finds the label's sizes contradictory.
  private let subtitle = paragraph("", "subtitle").lines(SproutRow.titleLines)
  private let words = paragraph("", "own-words").lines(SproutRow.titleLines)

  /// The maximum length of a leaf's name, in characters: that of a name given with this program.
  private static let leafLimit = LimitedText.leafName.limit
  /// The maximum number of a title's lines: enough for a usual one in a narrow window with large text.
  static let titleLines = 6
  /// The width of the shoot, in pixels: wide enough to see a new leaf.
  static func signWidth(isNarrow: Bool) -> Int { isNarrow ? 56 : 104 }

  init(_ sprout: Sprout, end: Widget) {
    let texts = column(title, subtitle, words).css("title").hexpand().valign(.center)
    widget = contentRow(line(sign.widget, texts, end.valign(.center)).css("header"))
    widget.activatable().action("win.sprout", target: sprout.id).offersActivation()
    widget.keeps(self)
  }

  /// - Parameters:
  ///   - item: with a note after the place, such as when the sprout was last watered.
  ///   - showsPlace: whether to show the place and the leaf; their own pages don't need to repeat them.
  ///   - isNarrow: whether the note is on a separate line.
  func show(_ item: SproutRows.Item, in garden: Garden, now: Instant, showsPlace: Bool, isNarrow: Bool) {
    let sprout = item.sprout
    sign.widget.size(width: SproutRow.signWidth(isNarrow: isNarrow), height: isNarrow ? 30 : 40)
    sign.show(sprout, in: garden, now: now)
    widget.css("past", when: !sprout.isActive)
    let (place, note) =
      showsPlace ? texts(of: sprout, in: garden, note: item.note, isNarrow: isNarrow) : (item.note, "")
    let lines = [place, note].filter { !$0.isEmpty }
    let texts = [
      (title, oneLine(sprout.title)), (subtitle, lines.joined(separator: "\n")), (words, item.words),
    ]
    for (label, text) in texts {
      label.setText(text)
      label.visible(!text.isEmpty).ellipsize(mayBeCut(text) ? .end : .none)
    }
    widget.setText(sprout.title)
    widget.accessibleName(([sprout.title] + lines).joined(separator: ", ")).accessibleDescription(item.words)
  }

  /// The texts below the title.
  private func texts(
    of sprout: Sprout, in garden: Garden, note: String, isNarrow: Bool
  ) -> (subtitle: String, note: String) {
    var place = garden.path(ofTwig: sprout.twigID)
    // Skip the name of a leaf that is the same as the sprout's title, and in a narrow window any.
    if !isNarrow, let leaf = garden.leaf(id: sprout.leafID), leaf.name != sprout.title {
      place = dotted([place, clamped(leaf.name, to: SproutRow.leafLimit)])
    }
    return isNarrow ? (place, note) : (tr("{place} — {note}", ["place": place, "note": note]), "")
  }
}

/// Rows of a boxed list, reused per sprout, so that rendering doesn't take the focus or the hover from a row. The list
/// is one stop of the Tab key: up and down lead from row to row, left and right to the button of a row and back.
final class SproutRows {
  let widget: Widget

  let list = boxedList()
  /// Whether the window is narrow; takes effect with the next `show`.
  var isNarrow = false
  private let showsPlace: Bool

  /// - Parameter showsPlace: whether the rows show the place and the leaf.
  init(showsPlace: Bool = true) {
    self.showsPlace = showsPlace
    widget = tabStop(list)
  }

  private struct Key: Hashable {
    let id: ExactID
    let kind: String

    /// Whether nothing more can be done with it today.
    var isDone: Bool { kind == "done" }
  }

  private var kept: [(key: Key, row: SproutRow)] = []
  private let emergence = Emergence()

  /// One row to show. `kind` distinguishes rows with different widgets at the end.
  struct Item {
    let sprout: Sprout
    let kind: String
    let note: String
    /// What the user wrote, in one sentence.
    var words = ""
    let end: @MainActor () -> Widget
  }

  func show(_ items: [Item], in garden: Garden, now: Instant) {
    let keys = items.map { Key(id: ExactID($0.sprout.id), kind: $0.kind) }
    let known = Set(kept.map(\.key.id))
    if keys != kept.map(\.key) { arrange(items, keys) }
    for (kept, item) in zip(kept, items) {
      kept.row.show(item, in: garden, now: now, showsPlace: showsPlace, isNarrow: isNarrow)
    }
    widget.visible(!items.isEmpty)
    guard widget.isMapped else { return }
    for (kept, item) in zip(kept, items)
    where !known.contains(ExactID(item.sprout.id)) && item.sprout.isJustPlanted(at: now) {
      emergence.show(kept.row.widget)
    }
  }

  /// Moves the focus to the row of a sprout.
  func focus(on sproutID: String, saying result: String) {
    kept.first { $0.key.id == ExactID(sproutID) }?.row.widget.accessibleDescription(result).focus()
  }

  /// Creates only the missing rows: styling and laying out a row takes longer than everything else a watering changes.
  private func arrange(_ items: [Item], _ keys: [Key]) {
    let focused = list.focusedChild
    let hadFocus = list.containsFocus
    // Keep the row alive until its address has been compared.
    let reference = focused.map { Reference(retaining: $0) }
    defer { withExtendedLifetime(reference) {} }
    let place = kept.firstIndex { $0.row.widget == focused }
    let focusedID = place.map { kept[$0].key.id }
    var old = Dictionary(kept.map { ($0.key, $0.row) }) { first, _ in first }
    let wanted = Set(keys)
    for (key, row) in kept where !wanted.contains(key) { list.remove(row.widget) }
    kept = zip(items, keys).enumerated().map { position, wanted in
      let (item, key) = wanted
      guard let row = old.removeValue(forKey: key) else {
        let row = SproutRow(item.sprout, end: item.end())
        list.insert(row.widget, at: position)
        return (key, row)
      }
      if row.widget.rowIndex != position {
        let reference = Reference(retaining: row.widget)
        reference.use { _ in
          list.remove(row.widget)
          list.insert(row.widget, at: position)
        }
      }
      return (key, row)
    }
    // The row that had the focus is gone or was moved. If its sprout needs something again, as after an undo, the focus
    // follows it; otherwise it goes to the row now in its place.
    guard hadFocus, let place, !kept.isEmpty, list.focusedChild != focused || !list.containsFocus else { return }
    let row =
      kept.first { $0.row.widget == focused } ?? kept.first { $0.key.id == focusedID && !$0.key.isDone }
      ?? kept[min(place, kept.count - 1)]
    row.row.widget.focus()
  }
}

extension Sprout {
  /// Whether it was planted so recently that its row appears with an animation.
  func isJustPlanted(at now: Instant) -> Bool { plantedAt.instant.seconds(since: now) > -2 }
}

/// Lets a new row appear with a brief animation, unless reduced motion is set. The style sheet defines the animation.
final class Emergence {
  private var timeouts: [Timeout] = []

  func show(_ row: Widget) {
    guard row.mayMove else { return }
    row.css("sprouted")
    let reference = Reference(retaining: row)
    timeouts.removeAll { !$0.isPending }
    timeouts.append(
      Timeout.after(milliseconds: 500) { withExtendedLifetime(reference) { _ = row.css("sprouted", when: false) } })
  }
}
