import Garden
import GardenStore
import Gardening
import GtkKit
import Localization
import Sync

/// The entries of one kind that the server does not have: those that wait, those that it rejected, those that stay here.
final class OutboxList {
  let widget: Widget
  /// The window that it is in.
  weak var window: DialogWindow?

  private let session: Session
  private let kind: OutboxItem.State
  private let place = column()
  private let more = paragraph("", "hint")

  /// A longer list helps no one, and each row is a widget.
  static let most = 50

  init(_ session: Session, _ kind: OutboxItem.State) {
    (self.session, self.kind) = (session, kind)
    widget = column(spacing: 8, sectionHeader(kind.title))
    if let hint = kind.hint { widget.append(paragraph(hint, "hint")) }
    widget.append(place, more)
    widget.visible(false).keeps(self)
    guard kind == .rejected else { return }
    widget.append(
      wrapping(
        spacing: 8, button(tr("Retry All"), "suggested-action") { [weak self] in self?.retry(nil) },
        button(tr("Export All…")) { [weak self] in self?.export(nil) },
        button(tr("Keep All Here")) { [weak self] in self?.keepHere(nil) }))
  }

  /// - Parameters:
  ///   - entries: of any kind.
  ///   - count: how many of this kind there are in all.
  func show(_ entries: [Waiting], of count: Int) {
    let entries = entries.filter { $0.item.state == kind }
    widget.visible(!entries.isEmpty)
    let list = boxedList()
    place.removeAll()
    place.append(list)
    for entry in entries { gtk_list_box_append(list.cast(), row(entry)) }
    let rest = max(0, count - entries.count)
    more.visible(rest > 0)
    more.setText(trn("and {n} more", "and {n} more", rest))
  }

  private func row(_ entry: Waiting) -> Widget {
    let garden = session.gardener.garden
    let time = entry.event.instant.map { Formats.dateAndTime($0, in: garden.zone) } ?? ""
    let title = entry.event.what(in: garden)
    guard kind != .waiting else {
      return GtkKit.row(title, details(entry).joined(separator: " · "), end: label(time, "hint", "numeric"))
    }
    // The reason comes first: the rest helps only those who look into it.
    let content = column(
      spacing: 4, paragraph(title, "semibold"), paragraph(entry.reason, "second"),
      paragraph(([time] + details(entry)).filter { !$0.isEmpty }.joined(separator: " · "), "hint"),
      ways(entry, name: title + ", " + time)
    ).css("outbox-entry")
    let row: Widget = gtk_list_box_row_new()
    gtk_list_box_row_set_child(row.cast(), content)
    gtk_list_box_row_set_activatable(row.cast(), 0)
    gtk_widget_set_focusable(row, 0)
    return row.named(title)
  }

  /// - Parameter name: the entry, for a screen reader: there are several of each button.
  private func ways(_ entry: Waiting, name: String) -> Widget {
    let ways = wrapping(
      spacing: 6,
      button(tr("Retry")) { [weak self] in self?.retry([entry]) }
        .named(tr("Retry {entry}", ["entry": name])),
      button(tr("Export…")) { [weak self] in self?.export([entry]) }
        .named(tr("Export {entry}", ["entry": name])))
    if kind == .rejected {
      ways.append(
        button(tr("Keep Here")) { [weak self] in self?.keepHere([entry]) }
          .named(tr("Keep {entry} here", ["entry": name])))
    }
    return ways.margin(top: 4)
  }

  private func details(_ entry: Waiting) -> [String] {
    var parts = [trn("{n} byte", "{n} bytes", entry.item.size)]
    if entry.item.attempts > 0 { parts.append(trn("tried {n} time", "tried {n} times", entry.item.attempts)) }
    if let answer = entry.answer { parts.append(answer) }
    return parts
  }
}

extension OutboxList {
  /// - Parameter entries: `nil` for all that the server rejected.
  private func retry(_ entries: [Waiting]?) {
    let (session, window) = (session, window)
    session.attempt(in: window?.toaster) {
      let synchroniser = session.synchroniser
      try await synchroniser.retry(entries)
      let seqs = entries.map { Set($0.map(\.item.seq)) }
      let again = try await synchroniser.outbox().filter {
        $0.item.state == .rejected && seqs?.contains($0.item.seq) ?? true
      }.count
      guard again > 0 else { return }
      window?.toaster.show(
        trn("The server rejected {n} entry again.", "The server rejected {n} entries again.", again))
    }
  }

  private func keepHere(_ entries: [Waiting]?) {
    let (session, window) = (session, window)
    session.attempt(in: window?.toaster) { try await session.synchroniser.keepHere(entries) }
  }

  private func export(_ entries: [Waiting]?) {
    let (session, window, kind) = (session, window, kind)
    session.attempt(in: window?.toaster) {
      let gardener = session.gardener
      let path = await chooseFile(
        .save(name: gardener.exportName), over: window?.widget ?? session.window, title: tr("Export"),
        accept: tr("Export"))
      guard let path else { return }
      let all = if let entries { entries } else { try await session.synchroniser.outbox() }
      let events = all.filter { $0.item.state == kind }.map(\.event)
      try await gardener.export(events, to: path)
      window?.toaster.show(trn("{n} entry was exported.", "{n} entries were exported.", events.count))
    }
  }
}

extension OutboxItem.State {
  fileprivate var title: String {
    switch self {
    case .waiting: tr("Waiting")
    case .rejected: tr("Rejected by the server")
    case .localOnly: tr("Only on this computer")
    }
  }

  fileprivate var hint: String? {
    switch self {
    case .waiting: nil
    case .rejected:
      tr("These entries are safe on this computer. Retry sends one again. Keep Here leaves it on this computer only.")
    case .localOnly: tr("The server rejected these entries, and you chose to keep them here. Retry sends one again.")
    }
  }
}
