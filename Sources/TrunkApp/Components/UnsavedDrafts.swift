import GtkKit

/// The drafts that are not on disk yet, of all gardens. It outlives windows, so that a form that is opened again
/// continues with the same text instead of saving a second version of it.
final class UnsavedDrafts {
  private struct Form: Hashable {
    let folder: String
    let name: String
  }

  /// The window in which the user waters. There is only one, because two would each keep their own text of a draft.
  var waterForm: DialogWindow? {
    get { lastWaterForm?.isOpen == true ? lastWaterForm : nil }
    set { lastWaterForm = newValue }
  }
  private weak var lastWaterForm: DialogWindow?

  private var writers: [Form: DraftWriter] = [:]
  /// Whether the program is about to end: drafts that can't be saved now are set aside.
  private(set) var isEnding = false

  var isEmpty: Bool { writers.isEmpty }

  /// - Parameters:
  ///   - name: of the form.
  ///   - folder: of its garden.
  func writer(_ name: String, of folder: String) -> DraftWriter? { writers[Form(folder: folder, name: name)] }

  func add(_ writer: DraftWriter) { writers[Form(folder: writer.folder, name: writer.name)] = writer }

  func remove(_ writer: DraftWriter) { writers[Form(folder: writer.folder, name: writer.name)] = nil }

  /// Tries once to save every draft.
  /// - Parameter folder: of a garden; `nil` for the drafts of all gardens.
  /// - Returns: why a draft could not be saved; `nil` if all are on disk.
  func saveAll(of folder: String? = nil) async -> (any Error)? {
    var problem: (any Error)?
    for writer in Array(writers.values) where folder.map({ $0 == writer.folder }) ?? true {
      if let error = await writer.save() { problem = problem ?? error }
    }
    return problem
  }

  /// Tries once more to save every draft, and sets aside those that still can't be saved. The program ends after that.
  func end() {
    isEnding = true
    for writer in Array(writers.values) { writer.skipPause() }
  }

  /// Another window was opened before the program ended.
  func resume() { isEnding = false }
}
