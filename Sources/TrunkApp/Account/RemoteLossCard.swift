import GardenStore
import Gardening
import GtkKit
import Localization
import Sync

/// Asks what to do when the server has far fewer entries than this computer.
final class RemoteLossCard {
  let widget: Widget
  /// The window that it is in.
  weak var window: DialogWindow?

  private let session: Session
  private let numbers = paragraph("")
  private let later: Widget

  init(_ session: Session) {
    self.session = session
    later = button(tr("Not Now")) {}
    let answers = wrapping(spacing: 8)
    widget = column(
      spacing: 10, numbers,
      paragraph(
        tr(
          "Keep Mine and Upload sends the missing entries to the server again. Follow the Server removes them from this computer too. A backup was made before you were asked."
        ), "hint"), answers
    ).css("card")
    answers.append(
      button(tr("Keep Mine and Upload"), "suggested-action") { [weak self] in self?.answer(.keepMine) },
      button(tr("Follow the Server"), "destructive-action") { [weak self] in self?.answer(.followServer) }, later)
    later.on("clicked") { [weak self] in self?.answer(.notNow) }
    widget.keeps(self)
  }

  func show(_ status: SyncStatus) {
    widget.visible(status.remoteLoss != nil)
    later.visible(!status.isRemoteLossDeferred)
    guard let loss = status.remoteLoss else { return }
    numbers.setText(
      tr(
        "The server has {server} entries, this computer {local}. Of those that the server had confirmed, {missing} are missing there. Nothing is removed here until you decide.",
        ["server": "\(loss.server)", "local": "\(loss.local)", "missing": "\(loss.missing)"]))
  }

  private func answer(_ answer: RemoteLoss.Answer) {
    let session = session
    session.attempt(in: window?.toaster) { try await session.synchroniser.answer(answer) }
  }
}
