import Gardening
import GtkKit
import Localization
import Sync

/// Who is signed in where, their name and time zone, and the ways out: bringing in this computer's garden, signing out, beginning anew.
final class AccountDialog {
  private let session: Session
  private let window: DialogWindow
  private let who = row("")
  private let uploadSection: Widget
  private let uploadHint = paragraph("", "hint")
  private let restoreSection: Widget
  private let restoreHint = paragraph("", "hint")
  private var offer: RestoreOffer?
  private let signInAgain: Widget
  private let out = button(tr("Sign Out…")) {}
  private let profile: ProfileSection

  init(_ session: Session) {
    self.session = session
    profile = ProfileSection(session)
    signInAgain = button(tr("Sign In"), "suggested-action", command: "win.sign-in")
    adw_action_row_add_suffix(who.cast(), signInAgain)
    let upload = button(tr("Bring It Into This Account…")) {}
    uploadSection = column(spacing: 8, sectionHeader(tr("The garden of this computer")), uploadHint, upload)
    let restore = button(tr("Restore…")) {}
    restoreSection = column(spacing: 8, sectionHeader(tr("Kept copies")), restoreHint, restore)
    let here = button(tr("Download Everything Again")) {}
    let everywhere = button(tr("Delete Everywhere…"), "destructive-action") {}
    window = DialogWindow(
      over: session.window, title: tr("Account"), closeTitle: tr("Close"), width: 520,
      content: column(
        spacing: 22, boxedList(who), profile.widget, uploadSection.visible(false),
        restoreSection.visible(false),
        column(
          spacing: 8, sectionHeader(tr("Begin Anew")),
          paragraph(
            tr("On this computer: fetch the garden from the server again. Everywhere: delete it on the server too."),
            "hint"), wrapping(here, everywhere)), out.align(GTK_ALIGN_START)))
    window.widget.insertActions(of: session.window)
    profile.window = window
    restore.on("clicked") { [weak self] in self?.restore() }
    upload.on("clicked") { [weak self] in self?.upload() }
    here.on("clicked") { [weak self] in self?.downloadAgain() }
    everywhere.on("clicked") { [weak self] in self?.deleteEverywhere() }
    out.on("clicked") { [weak self] in self?.signOut() }
    window.widget.keeps(self)
    session.follow(window.widget, sync: true) { [weak self] in self?.render() }
  }

  /// Shows the window once it is known what is in it, so that it is as high as that.
  func present() {
    session.attempt(in: window.toaster, keeping: window.widget) { [self] in
      // Whatever is wrong with the other garden, this window opens.
      defer { window.present() }
      let count = try await session.synchroniser.localEventsToUpload()
      uploadSection.visible(count > 0)
      uploadHint.setText(
        trn(
          "{n} entry was written on this computer before you signed in.",
          "{n} entries were written on this computer before you signed in.", count))
      showOffer(try await session.synchroniser.restoreOffer(includesAnswered: true))
    }
  }

  private func showOffer(_ offer: RestoreOffer?) {
    self.offer = offer
    restoreSection.visible(!(offer?.isEmpty ?? true))
    let count = (offer?.events.count ?? 0) + (offer?.drafts.count ?? 0)
    restoreHint.setText(
      trn(
        "{n} entry in a copy from an earlier sign-out is not in this garden.",
        "{n} entries in copies from earlier sign-outs are not in this garden.", count))
  }

  private func restore() {
    guard let offer else { return }
    let (session, window) = (session, window)
    session.attempt(in: window.toaster, keeping: window.widget) { [weak self] in
      try await askAboutRestore(session, offer, over: window.widget)
      self?.showOffer(try await session.synchroniser.restoreOffer(includesAnswered: true))
    }
  }

  private func render() {
    let synchroniser = session.synchroniser
    let isSignedOut = synchroniser.standing == .signedOut
    who.setRow(
      synchroniser.email ?? (isSignedOut ? tr("Signed out") : tr("Signed in")), synchroniser.account?.server ?? "")
    signInAgain.visible(synchroniser.maySignInAgain)
  }

  private func upload() {
    let (session, window) = (session, window)
    session.attempt(in: window.toaster, keeping: window.widget) { [weak self] in
      let count = try await session.synchroniser.uploadLocalEvents()
      window.toaster.show(trn("{n} entry is on its way.", "{n} entries are on their way.", count))
      self?.uploadSection.visible(false)
    }
  }

  private func downloadAgain() {
    let (session, window) = (session, window)
    session.attempt(in: window.toaster, keeping: window.widget) {
      let report = try await session.synchroniser.downloadEverything()
      if let problem = report.problem { throw problem }
      window.toaster.show(tr("Everything was downloaded again."))
    }
  }

  private func signOut() {
    let (session, window, out) = (session, window, out)
    out.sensitive(false)
    window.toaster.show(tr("Comparing with the server…"), seconds: 0)
    session.attempt(in: window.toaster, keeping: window.widget) {
      defer { if window.isOpen { out.sensitive(true) } }
      var comparison = try await session.synchroniser.compareWithServer()
      // Closing the dialog cancels: nothing has changed yet.
      while window.isOpen {
        window.toaster.dismiss()
        let question = try await SignOutQuestion(session, comparison)
        switch await question.answer(over: window.widget) {
        case .stay: return
        case .uploadAgain: comparison = try await session.synchroniser.sendAgain(comparison)
        case .signOut:
          _ = try await session.synchroniser.signOut(after: comparison)
          return
        }
      }
    }
  }

  private func deleteEverywhere() {
    let (session, window) = (session, window)
    session.attempt(in: window.toaster, keeping: window.widget) {
      // Translators: the word that has to be typed before everything is deleted.
      let word = tr("delete")
      let field = entry(name: tr("Type the word “{word}”", ["word": word]), placeholder: word)
      let answer = await ask(
        over: window.widget, tr("Delete everything, everywhere?"),
        tr(
          "All entries of this account go from the server and from this computer. A copy stays on this computer. Type “{word}” to go on.",
          ["word": word]), extra: field, [Answer("cancel", tr("Cancel")), Answer("delete", tr("Delete"), .destructive)])
      guard answer == "delete" else { return }
      guard field.text == word else {
        window.toaster.show(tr("Nothing was deleted: the word was another."))
        return
      }
      guard let copy = try await session.synchroniser.deleteEverywhere() else { return }
      window.toaster.show(tr("Everything is deleted. A copy is in {file}.", ["file": copy.path]), seconds: 0)
    }
  }
}
