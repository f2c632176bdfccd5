import Gardening
import GtkKit
import Localization

/// After signing in or out: what becomes of the garden that was kept on this computer, and where copies are.
@MainActor func askAboutUpload(_ session: Session) {
  tellOfSignOut(session)
  session.attempt {
    defer { offerRestore(session) }
    let synchroniser = session.synchroniser
    guard try await synchroniser.shouldAskAboutUpload() else { return }
    let count = try await synchroniser.localEventsToUpload()
    let answer = await ask(
      over: session.window, tr("Bring your garden along?"),
      trn(
        "{n} entry was written on this computer before you signed in. It can become part of your account’s garden.",
        "{n} entries were written on this computer before you signed in. They can become part of your account’s garden.",
        count),
      [
        Answer("later", tr("Decide Later")), Answer("keep", tr("Keep Them on This Computer")),
        Answer("upload", tr("Upload Them"), .suggested),
      ])
    switch answer {
    case "upload":
      let sent = try await synchroniser.uploadLocalEvents()
      session.toaster.show(trn("{n} entry is on its way.", "{n} entries are on their way.", sent))
    case "keep": try await synchroniser.keepLocalEvents()
    default:
      // Where the account's garden is empty, it looks as if all were gone.
      session.toaster.show(
        tr("What you wrote before stays on this computer. You can bring it along in the account dialog."), seconds: 10)
    }
  }
}
