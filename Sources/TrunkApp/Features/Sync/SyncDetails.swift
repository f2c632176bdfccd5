import EventStore
import GtkKit
import Localization
import SyncEngine
import TrunkAccount
import TrunkKit
import TrunkModel

/// The sync status in one sentence, and entries that the server lost or rejected, with the available actions. What
/// waits to be sent, and figures, are behind *Details*.
final class SyncDetails {
  private let context: WindowContext
  private let window: DialogWindow
  private let state = row("")
  private let now: Widget
  private let loss: RemoteLossCard
  private let removal = paragraph("", selectable: true)
  private let facts = column().css("facts")
  /// Times to the second, counts and failures: for comparison with other devices.
  private let details: Disclosure
  /// The rows of `facts` by title. They are reused, so that a new status moves neither the focus nor the selection.
  private var values: [String: Widget] = [:]
  private let pending: OutboxList
  private let rejected: OutboxList
  private let localOnly: OutboxList
  private var outbox: [UnsentEntry] = []
  private lazy var loader = Loader(context, for: window.widget, in: window.foot)

  init(_ context: WindowContext) {
    self.context = context
    now = button(tr("Sync Now"), command: "win.sync-now")
    state.subtitleLines(0).addSuffix(now)
    loss = RemoteLossCard(context)
    pending = OutboxList(context, .pending)
    rejected = OutboxList(context, .rejected)
    localOnly = OutboxList(context, .localOnly)
    let links = wrapping(spacing: 18, lineSpacing: 0)
    let content = column(spacing: 16, pending.widget, facts, links)
    details = Disclosure(tr("Details"), content)
    window = DialogWindow(
      over: context.window, title: tr("Sync"), width: 600,
      content: column(
        spacing: 16, boxedList(state), loss.widget, removal, rejected.widget, localOnly.widget,
        column(spacing: 8, details.link, content)))
    window.widget.insertActions(of: context.window)
    loss.window = window
    for list in [rejected, localOnly] { list.window = window }
    details.onOpen = { [window] in window.fit() }
    links.append(
      button(tr("Download Everything Again"), "link", "flush") { [weak self] in self?.downloadAgain() },
      button(tr("Copy Report"), "link", "flush") { [weak self] in self?.copyReport() })
    window.widget.keeps(self)
    context.follow(window.widget, sync: true) { [weak self] in self?.render() }
  }

  /// Shows the window after its content is loaded, so that its height fits.
  func present() {
    context.attempt(keeping: window.widget) { [self] in
      show(try await context.accountModel.outbox.entries(limit: OutboxList.most))
      window.present()
    }
  }

  private func render() {
    let (status, garden, moment) = (context.accountModel.status, context.model.garden, context.model.now)
    let look = SyncLook(status)
    // Hide the last failure while a new sync runs.
    let failure = look.isBusy ? nil : status.failure
    let place =
      status.phase == .initialSync
      ? tr("Until it is complete, this computer has only a part of it.")
      : tr("Everything is also saved on this computer.")
    state.setRow(look.headline, failure?.message ?? place, titleLines: 0)
    now.sensitive(!look.isBusy)
    loss.show(status)
    func time(_ instant: Instant?) -> String {
      instant.map { Formats.stamp($0, now: moment, in: garden.zone) } ?? tr("not yet")
    }
    removal.visible(status.removal != nil)
    removal.setText(status.removal?.message ?? "")
    let confirmed = tr("Last confirmed entry")
    let (localOnly, server) = (tr("Only on this computer"), tr("Server"))
    // Also in UTC, for comparison with other devices.
    func exact(_ instant: Instant) -> String { dotted([time(instant), Formats.utcSecond(instant)]) }
    let lines = [
      (confirmed, status.latest.flatMap { Instant($0) }.map(exact) ?? tr("none yet")),
      (tr("Changes here"), localized(garden.eventCount)),
      (tr("Waiting"), localized(status.pending)),
      (tr("Rejected by the server"), localized(status.rejected)),
      (localOnly, localized(status.localOnly)),
      (tr("Last attempt"), time(status.lastAttempt)),
      (tr("Last success"), time(status.lastSuccess)),
      (tr("Failures in a row"), "\(status.consecutiveFailures)"),
      (server, context.accountModel.account?.server ?? ""),
    ]
    var last: Widget?
    for (title, text) in lines {
      // Most gardens never need this line.
      if title == localOnly, status.localOnly == 0, values[title] == nil { continue }
      let value = values[title] ?? addFact(title, after: last)
      value.setText(text)
      value.accessibleName(title + ", " + text)
      last = value.parent
    }
    for title in [confirmed, server] { values[title]?.selectable() }
    readOutbox()
  }

  /// Adds a line below another one, or as the first line, and returns its value label.
  private func addFact(_ title: String, after last: Widget?) -> Widget {
    let value = paragraph("", "numeric").xalign(1).justify(.right)
    facts.insert(line(spacing: 14, paragraph(title, "second").wrapMode(.word), value.hexpand()), after: last)
    values[title] = value
    return value
  }

  private func readOutbox() {
    loader.load { [context] in
      try await context.accountModel.outbox.entries(limit: OutboxList.most)
    } show: { [weak self] in
      self?.show($0)
    }
  }

  private func show(_ entries: [UnsentEntry]) {
    guard entries.map(\.item) != outbox.map(\.item) else { return }
    outbox = entries
    let status = context.accountModel.status
    pending.show(entries, of: status.pending)
    rejected.show(entries, of: status.rejected)
    localOnly.show(entries, of: status.localOnly)
    window.fit()
  }

  private func downloadAgain() {
    context.attempt(in: window.foot) { [context] in _ = try await context.accountModel.sync(.allRows) }
  }

  private func copyReport() {
    window.widget.copy(context.accountModel.outbox.report(outbox))
    window.foot.show(tr("The report was copied. It contains no journal text."))
  }
}
