import EventStore
import GtkKit
import Localization
import TrunkAccount
import TrunkKit

/// Offers to restore what a copy of this account's garden has and the server lacks. Call it after the first download.
@MainActor func offerRestore(_ context: WindowContext) {
  context.attempt {
    let offer = try await context.accountModel.copyRestore.dueOffer()
    guard context.foot.isOnScreen, let offer else { return }
    if !offer.isEmpty {
      try await askAboutRestore(context, offer, over: context.window, isUnexpected: true)
    } else if let notice = offer.notices.first {
      context.foot.show(notice, seconds: 0)
    }
  }
}

/// Asks, then restores or records the answer. *Not Now* leaves the offer in the account dialog.
/// - Parameter isUnexpected: whether the question comes by itself.
@MainActor func askAboutRestore(
  _ context: WindowContext, _ offer: RestoreOffer, over window: Widget, isUnexpected: Bool = false
) async throws {
  let answer = await ask(
    over: window, heading(offer), details(offer), isUnexpected: isUnexpected,
    [
      Answer("later", tr("Not Now")), Answer("decline", tr("Don’t Restore")),
      Answer("restore", tr("Restore"), isUnexpected ? .plain : .suggested),
    ])
  switch answer {
  case "later": try await context.accountModel.copyRestore.postpone(offer)
  case "decline": try await context.accountModel.copyRestore.decline(offer)
  case "restore":
    context.foot.show(message(try await context.accountModel.copyRestore.restore(offer)))
    _ = try await context.accountModel.sync()
  default: break
  }
}

private func message(_ restored: Restored) -> String {
  guard restored.events > 0 else { return tr("Restored.") }
  return trn(
    "{n} entry was restored and will be uploaded.", "{n} entries were restored and will be uploaded.",
    restored.events)
}

private func heading(_ offer: RestoreOffer) -> String {
  if offer.entryCount > 0 {
    return trn(
      "{n} entry on this computer is not on the server", "{n} entries on this computer are not on the server",
      offer.entryCount)
  }
  if offer.draftCount > 0 {
    return trn("Restore {n} draft?", "Restore {n} drafts?", offer.draftCount)
  }
  return trn("Restore {n} superseded version?", "Restore {n} superseded versions?", offer.supersededCount)
}

private func details(_ offer: RestoreOffer) -> String {
  var parts = [tr("A copy from an earlier sign-out has what this garden lacks.")]
  if offer.entryCount > 0 { parts += offer.otherSentences }
  parts.append(
    tr(
      "The copy stays. If you don’t restore now, you can do it later in the account dialog or with “trunkctl restore”.")
  )
  return ([parts.joined(separator: " ")] + offer.notices).joined(separator: "\n\n")
}
