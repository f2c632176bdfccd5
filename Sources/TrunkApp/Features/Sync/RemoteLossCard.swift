import EventStore
import GtkKit
import Localization
import SyncEngine
import TrunkKit

/// Asks what to do when the server lacks entries that it had confirmed.
final class RemoteLossCard {
  let widget: Widget
  /// The window that contains the card.
  weak var window: DialogWindow?

  private let context: WindowContext
  private let numbers = paragraph("")
  private let later: Widget

  init(_ context: WindowContext) {
    self.context = context
    later = button(tr("Not Now")) {}
    let answers = wrapping(spacing: 8)
    widget = column(
      spacing: 10, numbers,
      paragraph(
        tr(
          "You can upload the missing entries again, or remove them from this computer too. Before anything is removed, Trunk writes a backup."
        ), "hint"), answers
    ).css("card")
    answers.append(
      button(tr("Upload Again"), "suggested-action") { [weak self] in self?.carryOut(.uploadAgain) },
      button(tr("Remove Them Here Too"), "destructive-action") { [weak self] in self?.carryOut(.followServer) }, later)
    later.on("clicked") { [weak self] in self?.deferDecision() }
    widget.keeps(self)
  }

  func show(_ status: SyncStatus) {
    widget.visible(status.remoteLoss != nil)
    later.visible(!status.isRemoteLossDeferred)
    guard let loss = status.remoteLoss else { return }
    numbers.setText(loss.sentence + " " + tr("Nothing is removed here until you decide."))
  }

  private func carryOut(_ decision: RemoteLoss.Decision) {
    let context = context
    context.attempt(in: window?.foot) {
      if let problem = try await context.accountModel.sync(.decision(decision)).problem { throw problem }
    }
  }

  private func deferDecision() {
    let context = context
    context.attempt(in: window?.foot) { try await context.accountModel.deferRemoteLoss() }
  }
}
