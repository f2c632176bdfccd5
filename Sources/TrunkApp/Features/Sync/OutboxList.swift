import EventStore
import GtkKit
import Localization
import TrunkAccount
import TrunkKit
import TrunkModel

/// Lists the entries of one outbox state: pending, rejected or local-only.
final class OutboxList {
  let widget: Widget
  /// The window that contains the list.
  weak var window: DialogWindow?

  private let context: WindowContext
  private let kind: OutboxItem.State
  private let place = column()
  private let more = paragraph("", "hint")

  /// The maximum number of rows. Each row is a widget, and a longer list doesn't help.
  static let most = 50

  init(_ context: WindowContext, _ kind: OutboxItem.State) {
    (self.context, self.kind) = (context, kind)
    widget = column(spacing: 8, sectionHeader(kind.title))
    if let hint = kind.hint { widget.append(paragraph(hint, "hint")) }
    widget.append(place, more)
    widget.visible(false).keeps(self)
    guard kind == .rejected else { return }
    widget.append(
      wrapping(
        spacing: 8, button(tr("Retry All"), "suggested-action") { [weak self] in self?.retry(nil) },
        button(tr("Export All…")) { [weak self] in self?.export(nil) },
        button(tr("Keep All Here")) { [weak self] in self?.keepLocalOnly(nil) }))
  }

  /// - Parameters:
  ///   - entries: entries of any state.
  ///   - count: the total number of entries in this state.
  func show(_ entries: [UnsentEntry], of count: Int) {
    let entries = entries.filter { $0.item.state == kind }
    widget.visible(!entries.isEmpty)
    let list = boxedList()
    place.removeAll()
    place.append(list)
    for entry in entries { list.append(row(entry)) }
    let rest = max(0, count - entries.count)
    more.visible(rest > 0)
    more.setText(trn("and {n} more", "and {n} more", rest))
  }

  private func row(_ entry: UnsentEntry) -> Widget {
    let description = entry.description(in: context.model.garden)
    let (title, time) = (description.title, description.time ?? "")
    guard kind != .pending else {
      return GtkKit.row(title, dotted(entry.details), end: label(time, "hint", "numeric"))
    }
    // The reason comes first: the rest is for troubleshooting.
    let content = column(
      spacing: 4, paragraph(title, "semibold"), paragraph(entry.reason, "second"),
      paragraph(dotted([time] + entry.details), "hint"),
      actions(entry, name: title + ", " + time)
    ).css("outbox-entry")
    return contentRow(content).accessibleName(title)
  }

  /// - Parameter name: the entry's name for screen readers, because each button appears several times.
  private func actions(_ entry: UnsentEntry, name: String) -> Widget {
    let buttons = wrapping(
      spacing: 6,
      button(tr("Retry")) { [weak self] in self?.retry([entry]) }
        .accessibleName(tr("Retry {entry}", ["entry": name])),
      button(tr("Export…")) { [weak self] in self?.export([entry]) }
        .accessibleName(tr("Export {entry}", ["entry": name])))
    if kind == .rejected {
      buttons.append(
        button(tr("Keep Here")) { [weak self] in self?.keepLocalOnly([entry]) }
          .accessibleName(tr("Keep {entry} here", ["entry": name])))
    }
    return buttons.margin(top: 4)
  }
}

extension OutboxList {
  /// - Parameter entries: `nil` for all that the server rejected.
  private func retry(_ entries: [UnsentEntry]?) {
    let (context, window) = (context, window)
    context.attempt(in: window?.foot) {
      let accountModel = context.accountModel
      try await accountModel.outbox.retry(entries)
      let seqs = entries.map { Set($0.map(\.item.seq)) }
      let again = try await accountModel.outbox.entries().filter {
        $0.item.state == .rejected && seqs?.contains($0.item.seq) ?? true
      }.count
      guard again > 0 else { return }
      window?.foot.show(
        trn("The server rejected {n} entry again.", "The server rejected {n} entries again.", again))
    }
  }

  private func keepLocalOnly(_ entries: [UnsentEntry]?) {
    let (context, window) = (context, window)
    context.attempt(in: window?.foot) { try await context.accountModel.outbox.keepLocalOnly(entries) }
  }

  private func export(_ entries: [UnsentEntry]?) {
    let (context, window, kind) = (context, window, kind)
    context.attempt(in: window?.foot) {
      let model = context.model
      let path = await chooseFile(
        .save(name: model.exportName), over: window?.widget ?? context.window, title: tr("Export"),
        accept: tr("Export"))
      guard let path else { return }
      let all = if let entries { entries } else { try await context.accountModel.outbox.entries() }
      let events = all.filter { $0.item.state == kind }.map(\.event)
      try await model.export(events, to: path)
      window?.foot.show(trn("{n} entry was exported.", "{n} entries were exported.", events.count))
    }
  }
}

extension OutboxItem.State {
  fileprivate var title: String {
    switch self {
    case .pending: tr("Waiting")
    case .rejected: tr("Rejected by the server")
    case .localOnly: tr("Only on this computer")
    }
  }

  fileprivate var hint: String? {
    switch self {
    case .pending: nil
    case .rejected:
      tr(
        "These entries are safe on this computer. Retry sends an entry again. Keep Here keeps it on this computer only."
      )
    case .localOnly:
      tr("The server rejected these entries, and you chose to keep them here. Retry sends an entry again.")
    }
  }
}
