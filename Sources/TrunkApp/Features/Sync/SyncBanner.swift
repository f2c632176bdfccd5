import EventStore
import GtkKit
import Localization
import SyncEngine
import TrunkAccount
import TrunkKit

/// A line above the views for problems that only the user can solve: a session that the server ended, a locked keyring,
/// entries that the server lost or rejected, the garden of another computer in this garden's folder.
final class SyncBanner {
  let widget: Widget

  private let context: WindowContext
  private let message = paragraph("")
  private let action = button("", command: "win.sign-in")
  private let later: Widget
  private var putOff: (() -> Void)?
  /// Another garden in this garden's folder with something new.
  private var merge: MergePreview?

  /// The text of the banner and its button.
  private struct Notice {
    let text: String
    let title: String
    let command: String
    /// What the command is about.
    var target: String?
    /// Hides the notice for now; `nil` if it can't wait.
    var putOff: (() -> Void)?
  }

  init(_ context: WindowContext) {
    self.context = context
    later = button(tr("Not Now"), "flat") {}
    // If the buttons don't fit beside the text, they wrap below it.
    let buttons = wrapping(spacing: 6, later, action).hexpand().halign(.end)
    widget = wrapping(spacing: 8, message.hexpand(), buttons).css("banner")
    widget.visible(false).keeps(self)
    later.on("clicked") { [weak self] in self?.putOff?() }
    context.follow(widget, sync: true) { [weak self] in self?.render() }
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
        context.toaster.show(userMessage(for: error), seconds: 0)
      }
    }
    widget.on("destroy") { task.cancel() }
  }

  private func render() {
    if let merge, !merge.garden.exists {
      // It was merged, perhaps in a terminal.
      self.merge = nil
      lookForOtherGardens()
    }
    let notice = accountNotice ?? lossNotice ?? rejectionNotice ?? mergeNotice
    widget.visible(notice != nil)
    guard let notice else { return }
    message.setText(notice.text)
    action.setText(notice.title)
    action.accessibleName(notice.title)
    if let target = notice.target {
      action.action(notice.command, target: target)
    } else {
      action.action(notice.command)
    }
    putOff = notice.putOff
    later.visible(putOff != nil)
  }

  private var accountNotice: Notice? {
    let accountModel = context.accountModel
    if accountModel.signInState == .signedOut {
      return Notice(
        text: tr("You are signed out. Everything stays here, and you can keep writing."), title: tr("Sign In"),
        command: "win.sign-in")
    }
    guard let problem = accountModel.vaultProblem else { return nil }
    if accountModel.isForThisRunOnly {
      return Notice(
        text: problem.message + " " + tr("You stay signed in until Trunk is closed."), title: tr("Account"),
        command: "win.account")
    }
    switch problem {
    case .locked: return Notice(text: problem.message, title: tr("Unlock"), command: "win.unlock-keyring")
    case .noService, .noCollection: return Notice(text: problem.message, title: tr("Sign In"), command: "win.sign-in")
    default: return Notice(text: problem.message, title: tr("Try Again"), command: "win.unlock-keyring")
    }
  }

  private var lossNotice: Notice? {
    let status = context.accountModel.status
    guard let loss = status.remoteLoss, !status.isRemoteLossDeferred else { return nil }
    return Notice(
      text: trn(
        "{n} entry is missing on the server. Nothing is removed here until you decide.",
        "{n} entries are missing on the server. Nothing is removed here until you decide.",
        loss.missing), title: tr("Decide…"), command: "win.sync",
      putOff: { [context] in context.attempt { try await context.accountModel.deferRemoteLoss() } })
  }

  private var rejectionNotice: Notice? {
    let count = context.accountModel.status.rejected
    guard count > 0 else { return nil }
    return Notice(
      text: trn(
        "The server rejected {n} entry. It is safe on this computer.",
        "The server rejected {n} entries. They are safe on this computer.", count), title: tr("Details"),
      command: "win.sync")
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
      text: text, title: tr("Preview…"), command: "win.import-file", target: merge.garden.path,
      putOff: { [weak self] in
        self?.merge = nil
        self?.render()
      })
  }
}
