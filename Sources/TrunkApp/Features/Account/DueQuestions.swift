import GtkKit
import Observation
import TrunkAccount
import TrunkKit

/// Asks what the user has to decide about the garden that a window shows, and tells of a sign-out. What isn’t answered is
/// asked again by the next run of the program.
final class DueQuestions {
  private enum Question {
    case upload, restore
  }

  private var asked: Set<Question> = []

  /// Asks again: another garden is shown.
  func startOver() { asked = [] }

  /// Asks one question after the other, each when the garden is here and no dialog is open.
  /// - Parameter isNew: the user has just signed in, and is asked about earlier entries at once.
  func ask(_ context: WindowContext, isNew: Bool) {
    let task = Task {
      await context.window.waitUntilNoDialogIsOpen()
      guard !Task.isCancelled else { return }
      guard context.accountModel.account != nil else { return tellOfSignOut(context) }
      if !isNew { await isDownloaded(context.accountModel) }
      await askAboutUpload(context)
      await isDownloaded(context.accountModel)
      await context.window.waitUntilNoDialogIsOpen()
      guard !Task.isCancelled, asked.insert(.restore).inserted else { return }
      offerRestore(context)
    }
    // The toaster, which the task holds, keeps the content of a window that is closed.
    for widget in [context.scope, context.window] { widget.on("destroy") { task.cancel() } }
  }

  private func askAboutUpload(_ context: WindowContext) async {
    guard !Task.isCancelled, !asked.contains(.upload) else { return }
    do {
      let count = try await uploadableCount(context.accountModel)
      await context.window.waitUntilNoDialogIsOpen()
      guard !Task.isCancelled, count > 0 else { return }
      try await TrunkApp.askAboutUpload(context, count: count)
    } catch {
      context.tell(error)
    }
    // A window that was closed has not been answered.
    if !Task.isCancelled { asked.insert(.upload) }
  }

  private func uploadableCount(_ accountModel: AccountModel) async throws -> Int {
    try await accountModel.localUpload.isUndecided() ? accountModel.localUpload.count() : 0
  }

  /// Waits until a sync has succeeded and all that it brought is in the garden.
  private func isDownloaded(_ accountModel: AccountModel) async {
    for await isHere in Observations({ accountModel.status.lastSuccess != nil && !accountModel.isPartway }) {
      if isHere || Task.isCancelled { return }
    }
  }
}
