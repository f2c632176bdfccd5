import GtkKit

/// The drafts that are not on disk yet, of all gardens. It outlives windows, so that a form that is opened again
/// continues with the same text instead of saving a second version of it.
final class UnsavedDrafts {
  /// The window in which the user waters. There is only one, because two would each keep their own text of a draft.
  var waterForm: DialogWindow? {
    get { lastWaterForm?.isOpen == true ? lastWaterForm : nil }
    set { lastWaterForm = newValue }
  }
  private weak var lastWaterForm: DialogWindow?

  /// Offers to discard the draft of the form that was closed last. A form that opens ends the offer: it may continue
  /// that draft.
  weak var offer: FootMessage?
  private(set) var sessions: [DraftSession] = []
  /// Whether the program is about to end: drafts that can't be saved now are set aside.
  private(set) var isEnding = false

  var isEmpty: Bool { sessions.isEmpty }

  func add(_ session: DraftSession) {
    if !sessions.contains(where: { $0 === session }) { sessions.append(session) }
  }

  func remove(_ session: DraftSession) { sessions.removeAll { $0 === session } }

  /// Tries once to save every draft.
  /// - Parameter folder: of a garden; `nil` for the drafts of all gardens.
  /// - Returns: why a draft could not be saved; `nil` if all are on disk.
  func saveAll(of folder: String? = nil) async -> (any Error)? {
    var problem: (any Error)?
    for session in sessions where folder.map({ $0 == session.folder }) ?? true {
      if let error = await session.save() { problem = problem ?? error }
    }
    return problem
  }

  /// Tries once more to save every draft, and sets aside those that still can't be saved. The program ends after that.
  func end() {
    isEnding = true
    for session in sessions { session.skipPause() }
  }

  /// Another window was opened before the program ended.
  func resume() { isEnding = false }
}
