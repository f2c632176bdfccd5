import EventStore
import GtkKit
import Localization
import SyncEngine
import TrunkAccount
import TrunkKit
import TrunkModel

/// Decides what needs the user, for the foot of the window: a session that the server ended, a locked keyring, entries
/// that the server lost or rejected or that wait for days, the garden of another computer in this garden's folder. Each
/// is put off until the next day.
final class TroubleNotices {
  private let context: WindowContext
  private var shown: Notice?
  /// Another garden in this garden's folder with something new.
  private var merge: MergePreview?
  /// When the oldest entry that waits to be sent was written; `nil` if none waits, or while the network is missing.
  private var oldestUnsent: Instant?
  private lazy var loader = Loader(context, for: context.scope)

  /// How long an entry may wait before the user is told, in seconds.
  private static let patience = 3.0 * 86_400

  private enum Kind: String {
    case signedOut = "signed-out", keyring, loss, rejected, unsent, merge
  }

  private struct Notice: Equatable {
    let kind: Kind
    let text: String
    /// What the button does, and what that is about.
    let title, command: String
    var target: String?
  }

  init(_ context: WindowContext) {
    self.context = context
    // The garden that this one replaces may have left one.
    context.foot.trouble = nil
    context.scope.keeps(self)
    context.follow(context.scope, sync: true) { [weak self] in
      self?.render()
      self?.lookForUnsent()
    }
    lookForOtherGardens()
  }

  private func lookForOtherGardens() {
    guard context.model.isWritable else { return }
    let task = Task { [weak self, context] in
      await Timeout.untilIdle()
      do {
        let merge = try await context.model.nextMerge()
        guard !Task.isCancelled else { return }
        self?.merge = merge
        self?.render()
      } catch {
        guard !Task.isCancelled else { return }
        context.foot.show(userMessage(for: error), seconds: 0)
      }
    }
    context.scope.on("destroy") { task.cancel() }
  }

  private func lookForUnsent() {
    let status = context.accountModel.status
    // While a sync runs, the outcome of the one before counts.
    if status.phase == .syncing { return }
    guard status.pending > 0, status.hasNetwork, status.failure != nil || status.lastSuccess != nil else {
      return show(oldestUnsent: nil)
    }
    loader.load { [outbox = context.accountModel.outbox] in
      try await outbox.oldestPending()
    } show: { [weak self] in
      self?.show(oldestUnsent: $0)
    }
  }

  private func show(oldestUnsent instant: Instant?) {
    oldestUnsent = instant
    render()
  }

  private func render() {
    if let merge, !merge.garden.exists {
      // It was merged, perhaps in a terminal.
      self.merge = nil
      lookForOtherGardens()
    }
    let putOff = context.settings.noticesPutOff(on: context.today)
    let notices = [accountNotice, lossNotice, rejectionNotice, unsentNotice, mergeNotice].compactMap(\.self)
    let notice = notices.first { !putOff.contains($0.kind.rawValue) }
    guard notice != shown else { return }
    shown = notice
    context.foot.trouble = notice.map { notice in
      let action = notice.target == nil ? button(notice.title, command: notice.command) : button(notice.title) {}
      if let target = notice.target { action.action(notice.command, target: target) }
      let later = button(tr("Not Now"), "flat") { [weak self] in self?.putOff(notice) }
      return .init(notice.text, buttons: [later, action])
    }
  }

  private func putOff(_ notice: Notice) {
    if notice.kind == .loss {
      context.attempt { [context] in try await context.accountModel.deferRemoteLoss() }
    }
    // Rendered because the settings change.
    context.attempt { [context] in try context.settings.putOff(notice: notice.kind.rawValue, on: context.today) }
  }

  private var accountNotice: Notice? {
    let accountModel = context.accountModel
    if accountModel.signInState == .signedOut {
      return Notice(
        kind: .signedOut, text: tr("You are signed out. Everything stays here, and you can keep writing."),
        title: tr("Sign In"), command: "win.sign-in")
    }
    // A session that isn't stored lasts as long as the program: see `KeyringCard`.
    guard let problem = accountModel.vaultProblem, !accountModel.isForThisRunOnly else { return nil }
    return Notice(
      kind: .keyring, text: problem.message, title: problem.remedy ?? tr("Sign In"),
      command: problem.remedy == nil ? "win.sign-in" : "win.unlock-keyring")
  }

  private var lossNotice: Notice? {
    let status = context.accountModel.status
    guard let loss = status.remoteLoss, !status.isRemoteLossDeferred else { return nil }
    return Notice(
      kind: .loss,
      text: trn(
        "{n} entry is missing on the server. Nothing is removed here until you decide.",
        "{n} entries are missing on the server. Nothing is removed here until you decide.",
        loss.missing), title: tr("Decide…"), command: "win.sync")
  }

  private var rejectionNotice: Notice? {
    let count = context.accountModel.status.rejected
    guard count > 0 else { return nil }
    return Notice(
      kind: .rejected,
      text: trn(
        "The server rejected {n} entry. It is safe on this computer.",
        "The server rejected {n} entries. They are safe on this computer.", count), title: tr("Details"),
      command: "win.sync")
  }

  private var unsentNotice: Notice? {
    guard let oldestUnsent, context.model.now.seconds(since: oldestUnsent) >= TroubleNotices.patience else {
      return nil
    }
    return Notice(
      kind: .unsent,
      text: tr("Entries from more than three days ago have not reached the server."),
      title: tr("Details"), command: "win.sync")
  }

  private var mergeNotice: Notice? {
    guard let merge else { return nil }
    let name = merge.garden.name
    let text =
      merge.counts.new > 0
      ? trn(
        "“{name}”, beside your garden’s file, has {n} entry that is not here.",
        "“{name}”, beside your garden’s file, has {n} entries that are not here.", merge.counts.new, ["name": name])
      : tr("“{name}”, beside your garden’s file, has texts that are not here.", ["name": name])
    return Notice(
      kind: .merge, text: text, title: tr("Preview…"), command: "win.import-file", target: merge.garden.path)
  }
}
