import Gardening
import GtkKit
import Localization
import Observation

/// After the first download: offers to restore what a copy of this account's garden has and the server lacks.
@MainActor func offerRestore(_ session: Session) {
  let synchroniser = session.synchroniser
  guard synchroniser.account != nil else { return }
  let task = Task {
    for await isHere in Observations({ synchroniser.status.lastSuccess != nil && !synchroniser.isPartway }) {
      guard !Task.isCancelled else { return }
      if isHere { break }
    }
    session.attempt {
      let offer = try await synchroniser.restoreOffer(includesAnswered: false)
      guard session.toaster.isOnScreen, let offer, !offer.isEmpty else { return }
      try await askAboutRestore(session, offer, over: session.window)
    }
  }
  session.window.on("destroy") { task.cancel() }
}

/// Asks, and restores or remembers that the user does not want to.
@MainActor func askAboutRestore(_ session: Session, _ offer: RestoreOffer, over window: Widget) async throws {
  let answer = await ask(
    over: window, heading(offer), details(offer),
    [Answer("later", tr("Not Now")), Answer("restore", tr("Restore"), .suggested)])
  guard answer == "restore" else { return try await session.synchroniser.decline(offer) }
  let restored = try await session.synchroniser.restore(offer)
  session.toaster.show(
    trn(
      "{n} entry is back and on its way to the server.", "{n} entries are back and on their way to the server.",
      restored.events))
  _ = try await session.synchroniser.syncNow()
}

private func heading(_ offer: RestoreOffer) -> String {
  guard !offer.events.isEmpty else {
    return trn("Restore {n} unfinished text?", "Restore {n} unfinished texts?", offer.drafts.count)
  }
  return trn(
    "{n} entry on this computer is not on the server", "{n} entries on this computer are not on the server",
    offer.events.count)
}

private func details(_ offer: RestoreOffer) -> String {
  var parts = [tr("A copy of this garden was kept when you signed out. Restore what the server lacks from it?")]
  if !offer.events.isEmpty, !offer.drafts.isEmpty {
    parts.append(
      trn("{n} unfinished text comes back as well.", "{n} unfinished texts come back as well.", offer.drafts.count))
  }
  parts.append(tr("The copy stays. You can also restore later, in the account dialog."))
  return parts.joined(separator: " ")
}
