import EventStore
import GtkKit
import Localization
import SyncEngine
import TrunkAccount
import TrunkKit

/// A line above the views for problems that only the user can solve: a session that the server ended, a locked keyring,
/// entries that the server lost or rejected.
final class SyncBanner {
  let widget: Widget

  private let context: WindowContext
  private let message = paragraph("")
  private let action = button("", command: "win.sign-in")
  private let later: Widget

  /// The text of the banner and its button.
  private struct Notice {
    let text: String
    let title: String
    let command: String
    var canWait = false
  }

  init(_ context: WindowContext) {
    self.context = context
    later = button(tr("Not Now"), "flat") {
      context.attempt { try await context.accountModel.deferRemoteLoss() }
    }
    // If the buttons don't fit beside the text, they wrap below it.
    let buttons = wrapping(spacing: 6, later, action).hexpand().halign(.end)
    widget = wrapping(spacing: 8, message.hexpand(), buttons).css("banner")
    widget.visible(false).keeps(self)
    context.follow(widget, sync: true) { [weak self] in self?.render() }
  }

  private func render() {
    let notice = accountNotice ?? lossNotice ?? rejectionNotice
    widget.visible(notice != nil)
    guard let notice else { return }
    message.setText(notice.text)
    action.setText(notice.title)
    action.accessibleName(notice.title).action(notice.command)
    later.visible(notice.canWait)
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
        loss.missing), title: tr("Decide…"), command: "win.sync", canWait: true)
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
}
