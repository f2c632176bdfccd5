import Gardening
import GtkKit
import Localization
import Sync

/// A quiet line above the views for what only the user can mend: a session that the server ended, a locked keyring.
final class SyncBanner {
  let widget: Widget

  private let session: Session
  private let words = paragraph("")
  private let way = button("", command: "win.sign-in")

  init(_ session: Session) {
    self.session = session
    widget = line(spacing: 12, words.expand(), way).css("banner")
    widget.visible(false).keeps(self)
    session.follow(widget, sync: true) { [weak self] in self?.render() }
  }

  private func render() {
    let synchroniser = session.synchroniser
    if synchroniser.standing == .signedOut {
      show(tr("You are signed out. Everything stays here, and you can go on writing."), tr("Sign In"), "win.sign-in")
    } else if let problem = synchroniser.vaultProblem {
      if synchroniser.isForThisRunOnly {
        show(problem.message + " " + tr("You stay signed in until Trunk is closed."), tr("Account"), "win.account")
      } else if problem == .locked {
        show(problem.message, tr("Unlock"), "win.unlock-keyring")
      } else if problem == .noService || problem == .noCollection {
        show(problem.message, tr("Sign In"), "win.sign-in")
      } else {
        show(problem.message, tr("Try Again"), "win.unlock-keyring")
      }
    } else if synchroniser.status.remoteLoss != nil {
      show(tr("The server has much less than this computer. Say what is right."), tr("Look"), "win.sync")
    } else {
      widget.visible(false)
    }
  }

  private func show(_ text: String, _ title: String, _ command: String) {
    words.setText(text)
    gtk_button_set_label(way.cast(), title)
    way.named(title).action(command)
    widget.visible(true)
  }
}
