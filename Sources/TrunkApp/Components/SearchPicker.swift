import GtkKit
import Localization
import TrunkKit

/// What a row of a `SearchPicker` shows.
struct PickerTexts {
  let title: String
  /// The line below the title, which distinguishes it from others.
  var subtitle = ""
  /// The text at the end of the row.
  var note = ""
}

/// A window with a list to pick one item from, which gets shorter as the user types.
final class SearchPicker<Item: Equatable & Sendable> {
  private let window: DialogWindow
  private let store = ListStore<Item>()
  private let chosen: Item
  private let find: @MainActor (String) -> [Item]
  private let onPick: @MainActor (Item) -> Void
  private let search: Widget
  private let rows = column()
  private let empty: Widget

  /// - Parameters:
  ///   - searchName: the accessible name of the search field.
  ///   - hint: the text that is shown if no item matches.
  ///   - chosen: the item that is chosen now; it has a mark, and comes first until something is typed.
  ///   - texts: the texts of an item, asked for when its row is shown.
  ///   - find: the items that match what was typed.
  ///   - onPick: called with the item that the user has picked, after the window is closed.
  init(
    over parent: Widget, title: String, searchName: String, hint: String, chosen: Item,
    texts: @escaping @MainActor (Item) -> PickerTexts, find: @escaping @MainActor (String) -> [Item],
    onPick: @escaping @MainActor (Item) -> Void
  ) {
    (self.chosen, self.find, self.onPick) = (chosen, find, onPick)
    search = searchEntry(name: searchName) {}
    empty = paragraph(hint, "hint")
    let content = column(spacing: 12, search, rows, empty.margin(start: 4, end: 4))
    window = DialogWindow(
      over: parent, title: title, closeTitle: tr("Cancel"), width: 440, height: 620, content: content, scrolls: false)
    // The list scrolls to the window's edge.
    content.margin(bottom: 0)
    let list = listView(
      store, name: title, row: { PickerRow(texts, isChosen: { $0 == chosen }) },
      activate: { [weak self] in self?.pick($0) })
    rows.append(scrolledList(list))
    search.on("search-changed") { [weak self] in self?.showFound() }
    search.on("activate") { [weak self] in self?.pickFirst() }
    // GtkSearchEntry handles Escape itself.
    search.onShortcut("Escape") { [weak self] in self?.window.close() }
    window.widget.keeps(self)
    showFound()
  }

  func present() {
    window.present()
    search.focus()
  }

  private func showFound() {
    let query = search.text.trimmed.description
    var items = find(query)
    if query.isEmpty, let position = items.firstIndex(of: chosen) { items.insert(items.remove(at: position), at: 0) }
    store.update(to: items)
    rows.visible(!items.isEmpty)
    empty.visible(items.isEmpty)
  }

  private func pickFirst() {
    // `search-changed` is delayed, so the list may be out of date.
    showFound()
    if !search.text.trimmed.isEmpty, store.count > 0 { pick(store[0]) }
  }

  private func pick(_ item: Item) {
    guard window.isOpen else { return }
    window.close()
    onPick(item)
  }
}

/// Shows an item's title, the line below it and the note at the end, and marks the chosen item.
private final class PickerRow<Item>: ListRow {
  let widget: Widget

  private let texts: @MainActor (Item) -> PickerTexts
  private let isChosen: @MainActor (Item) -> Bool
  private let title = label("", "semibold")
  private let subtitle = label("", "hint")
  private let note = label("", "hint", "numeric")
  private let mark = icon("object-select-symbolic")

  init(_ texts: @escaping @MainActor (Item) -> PickerTexts, isChosen: @escaping @MainActor (Item) -> Bool) {
    (self.texts, self.isChosen) = (texts, isChosen)
    widget = line(spacing: 12, column(spacing: 2, title, subtitle).hexpand().valign(.center), note, mark)
    widget.keeps(self)
  }

  func show(_ item: Item) -> String {
    let (texts, isChosen) = (texts(item), isChosen(item))
    for (label, text) in [(title, texts.title), (subtitle, texts.subtitle), (note, texts.note)] {
      label.setText(text)
      label.visible(!text.isEmpty)
    }
    mark.visible(isChosen)
    return [texts.title, texts.subtitle, texts.note, isChosen ? tr("chosen") : ""].filter { !$0.isEmpty }
      .joined(separator: ", ")
  }
}
