import GtkKit
import Localization
import TrunkAccount
import TrunkKit

/// Asks whether to add what was written before signing in to the account, and carries out the answer. It comes by
/// itself, so nothing may leave this computer because of a key that was meant for something else; Esc keeps everything
/// here.
@MainActor func askAboutUpload(_ context: WindowContext, _ contents: LocalContents) async throws {
  let accountModel = context.accountModel
  let answer = await ask(
    over: context.window, contents.question, contents.explanation, isUnexpected: true,
    [
      Answer("keep", tr("Keep on This Computer")),
      // Unfinished texts aren't sent to the server, even if they belong to an account.
      Answer("upload", contents.entries > 0 ? tr("Upload") : tr("Add to Account")),
    ])
  switch answer {
  case "upload": showUploadResult(try await accountModel.localUpload.run(), in: context.foot)
  case "keep":
    try await accountModel.localUpload.decline()
    // If the account's garden is empty, the earlier entries would seem lost.
    context.foot.show(
      contents.entries > 0
        ? tr("Your earlier entries stay on this computer. You can upload them later in the account dialog.")
        : tr("Your unfinished texts stay on this computer. You can add them later in the account dialog."), seconds: 10)
  // The window was closed, which answers nothing.
  default: break
  }
}

extension LocalContents {
  fileprivate var question: String {
    if entries > 0 { return tr("Add your earlier entries to this account?") }
    return drafts > 0
      ? tr("Add your unfinished texts to this account?") : tr("Take your earlier journals into this garden?")
  }

  fileprivate var explanation: String {
    guard entries == 0 else {
      return trn(
        "You wrote {n} entry on this computer before you signed in. You can add it to your account’s garden.",
        "You wrote {n} entries on this computer before you signed in. You can add them to your account’s garden.",
        entries)
    }
    guard drafts > 0 else {
      return trn(
        "You imported {n} page of an earlier journal before you signed in. It can appear in your account’s garden too. It stays on this computer.",
        "You imported {n} pages of earlier journals before you signed in. They can appear in your account’s garden too. They stay on this computer.",
        pages)
    }
    return trn(
      "You began {n} text on this computer before you signed in. You can add it to your account’s garden and continue it there.",
      "You began {n} texts on this computer before you signed in. You can add them to your account’s garden and continue them there.",
      drafts)
  }
}

/// Shows how many local entries were added, and how many have a different text in the account.
@MainActor func showUploadResult(_ result: UploadResult, in foot: Foot) {
  if result.count == 0, result.drafts == 0, result.pages > 0 {
    foot.show(trn("{n} earlier page was added.", "{n} earlier pages were added.", result.pages))
    return
  }
  foot.show(
    result.count == 0 && result.drafts > 0
      ? trn("{n} unfinished text was added.", "{n} unfinished texts were added.", result.drafts)
      : trn("{n} entry was added and will be uploaded.", "{n} entries were added and will be uploaded.", result.count))
  guard !result.conflicts.isEmpty else { return }
  foot.show(
    trn(
      "{n} entry is in your account with a different text. The text from this computer is kept too. To export it, open Preferences and go to Your data.",
      "{n} entries are in your account with a different text. The texts from this computer are kept too. To export them, open Preferences and go to Your data.",
      result.conflicts.count), seconds: 0)
}
