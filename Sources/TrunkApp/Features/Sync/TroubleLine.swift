import EventStore
import GtkKit
import Localization
import SyncEngine
import TrunkAccount
import TrunkKit
import TrunkModel

/// Says in the foot of the window what only the user can solve: a session that the server ended, a locked keyring,
/// entries that the server lost or rejected, the garden of another computer in this garden's folder.
final class TroubleLine {
  private let context: WindowContext
  private var shown: Notice?
  /// The notices that were put off, and the day on which they were. On the next day they appear again.
  private var putOff: (texts: Set<String>, day: Day)
  /// Another garden in this garden's folder with something new.
  private var merge: MergePreview?

  private struct Notice: Equatable {
    let text: String
    /// What the button does, and what that is about.
    let title, command: String
    var target: String?
    /// Whether it needs nothing but to be read.
    var isNews = false
  }

  init(_ context: WindowContext) {
    self.context = context
    putOff = ([], context.today)
    context.scope.keeps(self)
    context.follow(context.scope, sync: true) { [weak self] in self?.render() }
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

  private func render() {
    if let merge, !merge.garden.exists {
      // It was merged, perhaps in a terminal.
      self.merge = nil
      lookForOtherGardens()
    }
    if putOff.day != context.today { putOff = ([], context.today) }
    let notices = [accountNotice, lossNotice, rejectionNotice, mergeNotice].compactMap(\.self)
    let notice = notices.first { !putOff.texts.contains($0.text) }
    guard notice != shown else { return }
    shown = notice
    context.foot.trouble = notice.map { notice in
      let action = notice.target == nil ? button(notice.title, command: notice.command) : button(notice.title) {}
      if let target = notice.target { action.action(notice.command, target: target) }
      let later = button(notice.isNews ? tr("All Right") : tr("Not Now"), "flat") { [weak self] in self?.putOff(notice)
      }
      return .init(notice.text, buttons: [later, action])
    }
  }

  private func putOff(_ notice: Notice) {
    if notice == lossNotice {
      context.attempt { [context] in try await context.accountModel.deferRemoteLoss() }
    }
    if notice.isNews {
      context.attempt { [settings = context.settings] in try settings.set(knowsOfMissingKeyring: true) }
    }
    putOff.texts.insert(notice.text)
    render()
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
      return context.settings.knowsOfMissingKeyring
        ? nil
        : Notice(
          text: problem.message + " " + tr("You stay signed in until Trunk is closed."), title: tr("Account"),
          command: "win.account", isNews: true)
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
        loss.missing), title: tr("Decide…"), command: "win.sync")
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
    return Notice(text: text, title: tr("Preview…"), command: "win.import-file", target: merge.garden.path)
  }
}
