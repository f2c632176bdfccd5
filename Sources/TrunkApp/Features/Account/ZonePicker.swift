import GtkKit
import Localization
import TrunkAccount
import TrunkKit
import TrunkModel

/// Lets the user choose the account's time zone.
final class ZonePicker {
  private let context: WindowContext
  private let parent: DialogWindow
  private let window: DialogWindow
  private let zones = ZoneList()
  private let store = ListStore<ZoneItem>()
  private let search = searchEntry(name: tr("Search places")) {}
  private let rows = column()
  private let empty = paragraph(tr("No place found. Try a large city nearby."), "hint")

  init(_ context: WindowContext, over parent: DialogWindow) {
    self.context = context
    self.parent = parent
    let content = column(spacing: 12, search, rows, empty.margin(start: 4, end: 4))
    window = DialogWindow(
      over: parent.widget, title: tr("Time Zone"), closeTitle: tr("Cancel"), width: 440,
      height: 620, content: content, scrolls: false)
    // The list scrolls to the window's edge.
    content.margin(bottom: 0)
    let now = context.model.now
    let list = listView(
      store, name: tr("Time Zone"), row: { ZoneRow(now: now) }, activate: { [weak self] in self?.pick($0) })
    rows.append(scrolledList(list))
    search.on("search-changed") { [weak self] in self?.find() }
    search.on("activate") { [weak self] in self?.pickFirst() }
    // GtkSearchEntry handles Escape itself.
    search.onShortcut("Escape") { [weak self] in self?.window.close() }
    window.widget.keeps(self)
    find()
  }

  func present() {
    window.present()
    search.focus()
  }

  private func find() {
    let query = search.text.trimmed.description
    let chosen = context.accountModel.profile.timeZone
    var items = zones.find(query).map { ZoneItem(zone: $0, isChosen: $0 == chosen) }
    if query.isEmpty {
      // Show the chosen zone at the top.
      if let chosen = items.firstIndex(where: \.isChosen) { items.insert(items.remove(at: chosen), at: 0) }
      items.insert(ZoneItem(zone: nil, isChosen: chosen == nil), at: 0)
    }
    store.update(to: items)
    rows.visible(!items.isEmpty)
    empty.visible(items.isEmpty)
  }

  private func pickFirst() {
    // `search-changed` is delayed, so the list may be out of date.
    find()
    if !search.text.trimmed.isEmpty, store.count > 0 { pick(store[0]) }
  }

  private func pick(_ item: ZoneItem) {
    guard window.isOpen else { return }
    let (context, toaster) = (context, parent.toaster)
    window.close()
    context.attempt(in: toaster) { try await context.accountModel.profile.set(timeZone: item.zone) }
  }
}

/// A zone to choose; `nil` stands for each device's own zone.
nonisolated private struct ZoneItem: Equatable {
  let zone: String?
  let isChosen: Bool
}

/// Shows a place, its region and its current time.
private final class ZoneRow: ListRow {
  let widget: Widget

  private let now: Instant
  private let place = label("", "semibold")
  private let region = label("", "hint")
  private let time = label("", "hint", "numeric")
  private let mark = icon("object-select-symbolic")

  init(now: Instant) {
    self.now = now
    widget = line(spacing: 12, column(spacing: 2, place, region).hexpand().valign(.center), time, mark)
    widget.keeps(self)
  }

  func show(_ item: ZoneItem) -> String {
    let parts = item.zone.map { Formats.place($0).split(separator: "/").map(String.init) }
    let texts = [
      parts?.last ?? tr("Each device’s own time zone"), parts?.dropLast().joined(separator: " · ") ?? "",
      item.zone.flatMap { Zone.named($0, at: now) }.map { Formats.time(now, in: $0) } ?? "",
      item.isChosen ? tr("chosen") : "",
    ]
    for (label, text) in zip([place, region, time], texts) {
      label.setText(text)
      label.visible(!text.isEmpty)
    }
    mark.visible(item.isChosen)
    return texts.filter { !$0.isEmpty }.joined(separator: ", ")
  }
}
