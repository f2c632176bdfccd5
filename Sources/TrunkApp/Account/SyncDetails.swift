import Garden
import GardenStore
import Gardening
import GtkKit
import Localization
import Sync

/// The sync status in full: what the server lost or rejected and what to do about it, the figures, what waits to be sent.
final class SyncDetails {
  private let session: Session
  private let window: DialogWindow
  private let state = row("")
  private let now: Widget
  private let loss: RemoteLossCard
  private let facts = column().css("facts")
  /// The rows of `facts` by their titles, so that a status moves neither focus nor selection.
  private var values: [String: Widget] = [:]
  private let waiting: OutboxList
  private let rejected: OutboxList
  private let localOnly: OutboxList
  private var outbox: [Waiting] = []
  private var reading: Task<Void, Never>?

  init(_ session: Session) {
    self.session = session
    now = button(tr("Sync Now"), command: "win.sync-now")
    adw_action_row_add_suffix(state.cast(), now)
    adw_action_row_set_subtitle_lines(state.cast(), 0)
    loss = RemoteLossCard(session)
    waiting = OutboxList(session, .waiting)
    rejected = OutboxList(session, .rejected)
    localOnly = OutboxList(session, .localOnly)
    let ways = wrapping(spacing: 8)
    window = DialogWindow(
      over: session.window, title: tr("Sync"), closeTitle: tr("Close"), width: 600,
      content: column(
        spacing: 16, boxedList(state), loss.widget, rejected.widget, facts, waiting.widget, localOnly.widget, ways))
    window.widget.insertActions(of: session.window)
    loss.window = window
    for list in [rejected, localOnly] { list.window = window }
    ways.append(
      button(tr("Download Everything Again")) { [weak self] in self?.downloadAgain() },
      button(tr("Copy Report")) { [weak self] in self?.copyReport() })
    window.widget.keeps(self)
    session.follow(window.widget, sync: true) { [weak self] in self?.render() }
  }

  /// Shows the window once it is known what is in it, so that it is as high as that.
  func present() {
    session.attempt(keeping: window.widget) { [self] in
      show(try await session.synchroniser.outbox(limit: OutboxList.most))
      window.present()
    }
  }

  private func render() {
    let (status, garden, moment) = (session.synchroniser.status, session.gardener.garden, session.gardener.now)
    let look = SyncLook(status)
    // While it is tried again, what was wrong before is no news.
    let failure = look.isBusy ? nil : status.failure
    state.setRow(look.headline, failure?.message ?? tr("Everything is on this computer’s disk as well."))
    now.sensitive(!look.isBusy)
    loss.show(status)
    func time(_ instant: Instant?) -> String {
      instant.map { Formats.moment($0, now: moment, in: garden.zone) } ?? tr("not yet")
    }
    let confirmed = tr("Last confirmed entry")
    let lines = [
      (confirmed, status.latest.flatMap { Instant($0) }.map(Formats.utcSecond) ?? tr("none yet")),
      (tr("Entries here"), "\(garden.eventCount)"),
      (tr("Waiting"), "\(status.pending)"),
      (tr("Rejected by the server"), "\(status.rejected)"),
      (tr("Last try"), time(status.lastAttempt)),
      (tr("Last success"), time(status.lastSuccess)),
      (tr("Failures in a row"), "\(status.consecutiveFailures)"),
      (tr("Server"), session.synchroniser.account?.server ?? ""),
    ]
    for (title, value) in lines { fact(title).setText(value) }
    let here = tr("Only on this computer")
    // A line that most gardens never need.
    if status.localOnly > 0 || values[here] != nil { fact(here).setText("\(status.localOnly)") }
    // Exact, to be compared with other devices, and so no time that is pleasant to read.
    fact(confirmed).css("hint")
    readOutbox()
  }

  /// The value of a line, which is made when it is first asked for.
  private func fact(_ title: String) -> Widget {
    if let value = values[title] { return value }
    let value = paragraph("", "numeric", selectable: true)
    gtk_label_set_xalign(value.cast(), 1)
    facts.append(line(spacing: 14, label(title, "second"), value.expand()))
    values[title] = value
    return value
  }

  private func readOutbox() {
    let session = session
    reading?.cancel()
    reading = Task { [weak self] in
      do {
        let entries = try await session.synchroniser.outbox(limit: OutboxList.most)
        guard let self, !Task.isCancelled, window.isOpen else { return }
        show(entries)
      } catch {
        self?.session.tell(error, in: self?.window.toaster)
      }
    }
  }

  private func show(_ entries: [Waiting]) {
    guard entries.map(\.item) != outbox.map(\.item) else { return }
    outbox = entries
    let status = session.synchroniser.status
    waiting.show(entries, of: status.pending)
    rejected.show(entries, of: status.rejected)
    localOnly.show(entries, of: status.localOnly)
    window.fit()
  }

  private func downloadAgain() {
    session.attempt(in: window.toaster) { [session] in _ = try await session.synchroniser.downloadEverything() }
  }

  private func copyReport() {
    window.widget.copy(session.synchroniser.report(outbox: outbox))
    window.toaster.show(tr("Copied: figures and codes, no journal text."))
  }
}
