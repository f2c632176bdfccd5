import GtkKit
import Localization
import SyncEngine
import TrunkAccount
import TrunkKit

/// The account: its name and time zone, the garden from before the sign-in, kept copies, starting over and signing out.
final class AccountDialog {
  private let context: WindowContext
  private let window: DialogWindow
  private let who = row("")
  private let uploadSection: Widget
  private let uploadHint = paragraph("", "hint")
  private let restoreSection: Widget
  private let restoreHint = paragraph("", "hint")
  private let restoreButton = button(tr("Restore…")) {}
  private var offer: RestoreOffer?
  private let signInAgain: Widget
  private let out = button(tr("Sign Out…")) {}
  private let profile: ProfileSection

  init(_ context: WindowContext) {
    self.context = context
    profile = ProfileSection(context)
    signInAgain = button(tr("Sign In"), "suggested-action", command: "win.sign-in")
    who.addSuffix(signInAgain)
    let sync = row(
      tr("Sync"), tr("What the server has, and what waits to be sent."), end: button(tr("Details"), command: "win.sync")
    )
    let upload = button(tr("Add to This Account…")) {}.halign(.start)
    uploadSection = column(spacing: 8, sectionHeader(tr("This computer’s garden")), uploadHint, upload)
    restoreSection = column(
      spacing: 8, sectionHeader(tr("Kept copies")), restoreHint, restoreButton.halign(.start))
    let here = button(tr("Download")) {}
    let everywhere = button(tr("Delete Everywhere…"), "destructive-action") {}
    let signOutRow = row(
      tr("Sign Out"), tr("The garden stays on the server. A copy stays on this computer."), end: out)
    let hereRow = row(
      tr("Download everything again"), tr("Downloads every entry from the server once more."), end: here)
    let everywhereRow = row(
      tr("Delete everything, everywhere"), tr("From the server and from this computer."), end: everywhere)
    for row in [signOutRow, hereRow, everywhereRow] { row.titleLines(0).subtitleLines(0) }
    // What can't be undone comes last.
    window = DialogWindow(
      over: context.window, title: tr("Account"), width: 520,
      content: column(
        spacing: 22, boxedList(who, sync.subtitleLines(0)), profile.group, uploadSection.visible(false),
        restoreSection.visible(false),
        column(spacing: 8, sectionHeader(tr("This computer")), boxedList(signOutRow, hereRow)),
        column(spacing: 8, sectionHeader(tr("Start Over")), boxedList(everywhereRow))))
    window.widget.insertActions(of: context.window)
    profile.window = window
    restoreButton.on("clicked") { [weak self] in self?.restore() }
    upload.on("clicked") { [weak self] in self?.upload() }
    here.on("clicked") { [weak self] in self?.downloadAgain() }
    everywhere.on("clicked") { [weak self] in self?.deleteEverywhere() }
    out.on("clicked") { [weak self] in self?.signOut() }
    window.widget.keeps(self)
    context.follow(window.widget, sync: true) { [weak self] in self?.render() }
  }

  /// Shows the window once its questions are known, so that it opens at its final height. The copies of signed-out
  /// gardens are read after that, because it takes seconds if they are large.
  func present() {
    context.attempt(in: window.foot, keeping: window.widget) { [self] in
      // Show this window even if the other garden can't be read.
      do {
        defer { window.present() }
        let contents = try await context.accountModel.localUpload.contents()
        uploadSection.visible(!contents.isEmpty)
        uploadHint.setText(contents.hint)
      }
      showOffer(try await context.accountModel.copyRestore.offer())
    }
  }

  private func showOffer(_ offer: RestoreOffer?) {
    self.offer = offer
    let isEmpty = offer?.isEmpty ?? true
    let notices = offer?.notices ?? []
    restoreSection.visible(!isEmpty || !notices.isEmpty)
    restoreButton.visible(!isEmpty)
    guard let offer else { return }
    var sentences = offer.otherSentences
    if offer.entryCount > 0 {
      sentences.insert(
        trn(
          "{n} entry in a copy from an earlier sign-out is not in this garden.",
          "{n} entries in copies from earlier sign-outs are not in this garden.", offer.entryCount), at: 0)
    }
    restoreHint.setText((sentences + notices).joined(separator: "\n"))
  }

  private func restore() {
    guard let offer else { return }
    let (context, window) = (context, window)
    context.attempt(in: window.foot, keeping: window.widget) { [weak self] in
      try await askAboutRestore(context, offer, over: window.widget)
      self?.showOffer(try await context.accountModel.copyRestore.offer())
    }
  }

  private func render() {
    let accountModel = context.accountModel
    let isSignedOut = accountModel.signInState == .signedOut
    let notes = [
      accountModel.account?.server,
      accountModel.isForThisRunOnly ? tr("You stay signed in until Trunk is closed.") : nil,
    ]
    who.setRow(
      accountModel.email ?? (isSignedOut ? tr("Signed out") : tr("Signed in")),
      notes.compactMap(\.self).joined(separator: "\n"))
    who.subtitleLines(0)
    signInAgain.visible(accountModel.signIn.mayHelp)
  }

  private func upload() {
    let (context, window) = (context, window)
    context.attempt(in: window.foot, keeping: window.widget) { [weak self] in
      showUploadResult(try await context.accountModel.localUpload.run(), in: window.foot)
      self?.uploadSection.visible(false)
    }
  }

  private func downloadAgain() {
    let (context, window) = (context, window)
    context.attempt(in: window.foot, keeping: window.widget) {
      let report = try await context.accountModel.sync(.allRows)
      if let problem = report.problem { throw problem }
      window.foot.show(tr("Everything was downloaded again."))
    }
  }

  private func signOut() {
    let (context, window, out) = (context, window, out)
    let hadFocus = out.hasFocus
    out.sensitive(false)
    let progress = window.foot.show(tr("Comparing with the server…"), seconds: 0)
    context.attempt(in: window.foot, keeping: window.widget) {
      defer {
        progress.dismiss()
        if window.isOpen {
          out.sensitive(true)
          if hadFocus { out.focus() }
        }
      }
      var comparison = try await context.accountModel.signOut.compare()
      // Closing the dialog cancels: nothing has changed yet.
      while window.isOpen {
        progress.dismiss()
        let question = try await SignOutQuestion(context, comparison)
        switch await question.answer(over: window.widget) {
        case .stay: return
        case .uploadAgain: comparison = try await context.accountModel.signOut.sendAgain(comparison)
        case .signOut:
          let result = try await context.accountModel.signOut.run(after: comparison)
          for message in result.messages { context.foot.show(message, seconds: 0) }
          return
        }
      }
    }
  }

  private func deleteEverywhere() {
    let (context, window) = (context, window)
    context.attempt(in: window.foot, keeping: window.widget) {
      let isSure = await askForWord(
        over: window.widget, tr("Delete everything, everywhere?"),
        tr(
          "This deletes all entries of this account from the server and from this computer. A copy stays on this computer."
        ), in: window.foot)
      guard isSure, let deleted = try await context.accountModel.signOut.deleteEverywhere() else { return }
      window.foot.show(tr("Everything is deleted. A copy is in “{file}”.", ["file": deleted.copy.path]), seconds: 0)
      if let problem = deleted.problem { throw problem }
    }
  }
}
