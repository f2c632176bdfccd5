import GtkKit
import Localization
import TrunkAccount
import TrunkKit

/// Asks whether to add the entries written before signing in to the account, and carries out the answer.
/// - Parameter count: the number of these entries.
@MainActor func askAboutUpload(_ context: WindowContext, count: Int) async throws {
  let accountModel = context.accountModel
  let answer = await ask(
    over: context.window, tr("Add your earlier entries to this account?"),
    trn(
      "You wrote {n} entry on this computer before you signed in. You can add it to your account’s garden.",
      "You wrote {n} entries on this computer before you signed in. You can add them to your account’s garden.",
      count),
    [
      Answer("later", tr("Not Now")), Answer("keep", tr("Keep on This Computer")),
      Answer("upload", tr("Upload"), .suggested),
    ])
  switch answer {
  case "upload": say(try await accountModel.localUpload.run(), in: context.toaster)
  case "keep": try await accountModel.localUpload.decline()
  default:
    guard context.toaster.isOnScreen else { return }
    // If the account's garden is empty, the earlier entries would seem lost.
    context.toaster.show(
      tr("Your earlier entries stay on this computer. You can upload them later in the account dialog."), seconds: 10)
  }
}

/// Reports how many local entries were added, and how many have a different text in the account.
@MainActor func say(_ result: UploadResult, in toaster: Toaster) {
  toaster.show(
    trn("{n} entry was added and will be uploaded.", "{n} entries were added and will be uploaded.", result.count))
  guard !result.conflicts.isEmpty else { return }
  toaster.show(
    trn(
      "{n} entry is in your account with a different text. The text from this computer is kept too. To export it, open Preferences and go to Your data.",
      "{n} entries are in your account with a different text. The texts from this computer are kept too. To export them, open Preferences and go to Your data.",
      result.conflicts.count), seconds: 0)
}
