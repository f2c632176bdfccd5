import GtkKit
import Observation
import TrunkAccount

/// Asks the questions about the window's garden that the user hasn't answered, and reports a sign-out. Each comes by
/// itself only once; after that, it is in the account dialog. Closing the window doesn't answer it.
final class DueQuestions {
  private enum Question {
    case upload, restore
  }

  private var asked: Set<Question> = []

  /// Forgets which questions were asked, because another garden is shown.
  func startOver() { asked = [] }

  /// Asks one question after the other, each when the garden is complete and no dialog is open.
  /// - Parameter isNew: whether the user has just signed in. The question about earlier entries then comes immediately.
  func ask(_ context: WindowContext, isNew: Bool) {
    let task = Task {
      await context.window.waitUntilNoDialogIsOpen()
      guard !Task.isCancelled else { return }
      guard context.accountModel.account != nil else { return showSignOutNote(context) }
      if !isNew { await waitForDownload(context.accountModel) }
      await askAboutUpload(context)
      await waitForDownload(context.accountModel)
      await context.window.waitUntilNoDialogIsOpen()
      guard !Task.isCancelled, asked.insert(.restore).inserted else { return }
      offerRestore(context)
    }
    // The task holds the foot, and so the content of a closed window.
    for widget in [context.scope, context.window] { widget.on("destroy") { task.cancel() } }
  }

  private func askAboutUpload(_ context: WindowContext) async {
    guard !Task.isCancelled, !asked.contains(.upload) else { return }
    do {
      let contents = try await undecidedContents(context.accountModel)
      await context.window.waitUntilNoDialogIsOpen()
      guard !Task.isCancelled, !contents.isEmpty else { return }
      try await TrunkApp.askAboutUpload(context, contents)
    } catch {
      context.report(error)
    }
    if !Task.isCancelled { asked.insert(.upload) }
  }

  private func undecidedContents(_ accountModel: AccountModel) async throws -> LocalContents {
    try await accountModel.localUpload.isDeclined() ? LocalContents() : accountModel.localUpload.contents()
  }

  /// Waits until a sync has succeeded and its events are in the garden.
  private func waitForDownload(_ accountModel: AccountModel) async {
    for await isComplete in Observations({ accountModel.status.lastSuccess != nil && !accountModel.isGardenIncomplete })
    {
      if isComplete || Task.isCancelled { return }
    }
  }
}
