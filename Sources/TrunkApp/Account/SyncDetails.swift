import Garden
import GardenStore
import Gardening
import GtkKit
import Localization
import Sync

/// How syncing stands, in full: the figures, what waits to be sent, what the server refused, and the ways to help.
final class SyncDetails {
  private let session: Session
  private let window: DialogWindow
  private let state = row("")
  private let now: Widget
  private let question: Widget
  private let questionText = paragraph("")
  private let facts = column().css("facts")
  /// The rows of `facts` by their titles, so that a status moves neither focus nor selection.
  private var values: [String: Widget] = [:]
  private let waiting = Queue(title: tr("Waiting"))
  private let refused = Queue(title: tr("Refused by the server"))
  private var outbox: [Waiting] = []
  private var reading: Task<Void, Never>?

  init(_ session: Session) {
    self.session = session
    now = button(tr("Sync Now"), command: "win.sync-now")
    adw_action_row_add_suffix(state.cast(), now)
    adw_action_row_set_subtitle_lines(state.cast(), 0)
    let answers = wrapping(spacing: 8)
    question = column(spacing: 10, questionText, answers).css("card")
    let retry = button(tr("Send Again")) {}
    refused.widget.append(retry.align(GTK_ALIGN_START))
    let ways = wrapping(spacing: 8)
    window = DialogWindow(
      over: session.window, title: tr("Sync"), closeTitle: tr("Close"), width: 600,
      content: column(spacing: 16, boxedList(state), question, facts, waiting.widget, refused.widget, ways))
    window.widget.insertActions(of: session.window)
    answers.append(
      button(tr("Follow the Server"), "destructive-action") { [weak self] in self?.answer(.followServer) },
      button(tr("Keep Mine and Upload It"), "suggested-action") { [weak self] in self?.answer(.keepMine) },
      button(tr("Not Now")) { [weak self] in self?.answer(.notNow) })
    retry.on("clicked") { [weak self] in
      self?.session.attempt(in: self?.window.toaster) { try await session.synchroniser.retry() }
    }
    ways.append(
      button(tr("Download Everything Again")) { [weak self] in self?.downloadAgain() },
      button(tr("Copy Report")) { [weak self] in self?.copyReport() })
    window.widget.keeps(self)
    session.follow(window.widget, sync: true) { [weak self] in self?.render() }
  }

  /// Shows the window once it is known what is in it, so that it is as high as that.
  func present() {
    session.attempt(keeping: window.widget) { [self] in
      show(try await session.synchroniser.outbox(limit: Queue.most))
      window.present()
    }
  }

  private func render() {
    let (status, garden, moment) = (session.synchroniser.status, session.gardener.garden, session.gardener.now)
    let look = SyncLook(status)
    // While it is tried again, what was wrong before is no news.
    let failure = look.isBusy ? nil : status.failure
    state.setRow(look.headline(status), failure?.message ?? tr("Everything is on this computer’s disk as well."))
    now.sensitive(!look.isBusy)
    question.visible(status.remoteLoss != nil)
    if let loss = status.remoteLoss {
      questionText.setText(
        tr(
          "The server has {there} entries, this computer {here}. Before anything is taken away here, say what is right. A backup file has been written.",
          ["there": "\(loss.server)", "here": "\(loss.local)"]))
    }
    func time(_ instant: Instant?) -> String {
      instant.map { Formats.moment($0, now: moment, in: garden.zone) } ?? tr("not yet")
    }
    let confirmed = tr("Last confirmed entry")
    let lines = [
      (confirmed, status.latest.flatMap { Instant($0) }.map(Formats.utcSecond) ?? tr("none yet")),
      (tr("Entries here"), "\(garden.eventCount)"),
      (tr("Waiting"), "\(status.pending)"),
      (tr("Refused by the server"), "\(status.rejected)"),
      (tr("Last try"), time(status.lastAttempt)),
      (tr("Last success"), time(status.lastSuccess)),
      (tr("Failures in a row"), "\(status.consecutiveFailures)"),
      (tr("Server"), session.synchroniser.account?.server ?? ""),
    ]
    for (title, value) in lines { fact(title).setText(value) }
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
        let entries = try await session.synchroniser.outbox(limit: Queue.most)
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
    waiting.show(entries.filter { $0.item.state == .waiting }, of: status.pending, session)
    refused.show(entries.filter { $0.item.state == .rejected }, of: status.rejected, session)
  }

  private func answer(_ answer: RemoteLoss.Answer) {
    session.attempt(in: window.toaster) { [session] in try await session.synchroniser.answer(answer) }
  }

  private func downloadAgain() {
    session.attempt(in: window.toaster) { [session] in _ = try await session.synchroniser.downloadEverything() }
  }

  private func copyReport() {
    window.widget.copy(session.synchroniser.report(outbox: outbox))
    window.toaster.show(tr("Copied: figures and codes, no journal text."))
  }
}

extension SyncLook {
  /// The state as a sentence of its own.
  fileprivate func headline(_ status: SyncStatus) -> String {
    switch status.phase {
    case .signedOut: tr("Signed out")
    case .loading: tr("Your garden is being downloaded")
    case .syncing: tr("Syncing")
    case .remoteLoss, .rejected, .pendingUpload, .localOnly: sentence
    case .offline: tr("Offline")
    case .synced: tr("Synced")
    }
  }
}

/// A list of events that are on their way.
private final class Queue {
  let widget: Widget
  private let place = column()
  private let more = paragraph("", "hint")

  /// Nobody reads further, and each row is a widget.
  static let most = 50

  init(title: String) {
    widget = column(spacing: 8, sectionHeader(title), place, more)
    widget.visible(false).keeps(self)
  }

  /// - Parameter count: how many there are in all.
  func show(_ entries: [Waiting], of count: Int, _ session: Session) {
    widget.visible(!entries.isEmpty)
    let list = boxedList()
    place.removeAll()
    place.append(list)
    let garden = session.gardener.garden
    for entry in entries {
      var parts = [trn("{n} byte", "{n} bytes", entry.item.size)]
      if entry.item.attempts > 0 { parts.append(trn("tried {n} time", "tried {n} times", entry.item.attempts)) }
      if let answer = entry.answer { parts.append(answer) }
      let time = entry.event.instant.map { Formats.dateAndTime($0, in: garden.zone) } ?? ""
      let line = row(entry.event.what(in: garden), parts.joined(separator: " · "), end: label(time, "hint", "numeric"))
      gtk_list_box_append(list.cast(), line)
    }
    let rest = max(0, count - entries.count)
    more.visible(rest > 0)
    more.setText(trn("and {n} more", "and {n} more", rest))
  }
}

extension Event {
  /// What was done, and to what: `Watered · Learn the cello prelude`.
  fileprivate func what(in garden: Garden) -> String {
    func about(_ verb: String, _ sproutID: String) -> String {
      garden.sprout(id: sproutID).map { verb + " · " + $0.title } ?? verb
    }
    return switch content {
    case .sproutPlanted(let event): about(trc("done", "Planted"), event.sproutID)
    case .sproutWatered(let event): about(trc("done", "Watered"), event.sproutID)
    case .sproutHarvested(let event): about(trc("done", "Harvested"), event.sproutID)
    case .sproutUprooted(let event): about(trc("done", "Uprooted"), event.sproutID)
    case .sproutEdited(let event): about(trc("done", "Edited"), event.sproutID)
    case .sunShone(let event): trc("done", "Sun") + " · " + event.twigLabel
    case .leafCreated(let event): trc("done", "Leaf") + " · " + event.name
    case .nodeUpdated: trc("done", "Name or note on the tree")
    case .seedlingCreated(let event): trc("done", "Seedling") + " · " + event.title
    case .seedlingEdited: trc("done", "Seedling edited")
    case .seedlingDeleted: trc("done", "Seedling removed")
    case .ignored(let type): type
    }
  }
}
