import EventStore
import GtkKit
import Localization
import TrunkKit

/// Explains why the garden can't be opened and offers to try again. If its file is missing, also offers to restore the
/// newest backup or to start over.
/// - Parameter open: opens the garden again.
func presentOpeningProblem(
  _ error: any Error, in application: DesktopApplication,
  open: @escaping @MainActor (EventStore.MissingFile) -> Void
) {
  let window = applicationWindow(application.object, title: tr("Trunk"))
  window.windowSize = (480, 420)
  func openButton(_ title: String, missingFile: EventStore.MissingFile) -> Widget {
    button(title) {
      open(missingFile)
      window.destroyWindow()
    }
  }
  var title = tr("Your garden could not be opened")
  var choices = [openButton(tr("Try Again"), missingFile: .fails)]
  if case StoreError.missing(_, let copies) = error {
    title = tr("Your garden’s file is missing")
    choices.append(openButton(tr("Start Over"), missingFile: .startsOver))
    if copies != nil { choices.insert(openButton(tr("Restore Newest Backup"), missingFile: .restoresBackup), at: 0) }
  }
  choices[0].css("suggested-action")
  let buttons = column(spacing: 8)
  choices.forEach { buttons.append($0) }
  window.setWindowContent(
    column(
      headerBar(),
      emptyState(icon: "dialog-warning-symbolic", title: title, hint: userMessage(for: error), button: buttons)
        .vexpand()))
  window.presentWindow()
}
