import EventStore
import GtkKit
import Localization
import TrunkKit

/// Saves the draft of one form shortly after each change, and tries again until its newest version is on disk.
///
/// The program doesn't end before that, because another program may hold the garden's lock for longer than the store
/// waits. If it has to end, it sets the draft aside: see `UnsavedDrafts`.
final class DraftWriter {
  /// The name of the form.
  let name: String
  /// The folder of the garden.
  let folder: String
  private(set) var version: DraftContent
  /// Whether the draft from earlier, if there is one, is part of `version`.
  private(set) var hasEarlier = false
  /// The object that fills in the form: that of the dialog that was opened last.
  weak var keeper: AnyObject?

  private var context: WindowContext
  /// Shows errors while the dialog of the draft is open. It holds the content of that dialog, which includes this object.
  private weak var toaster: Toaster?
  private var saved: DraftContent
  /// Nothing is saved: the earlier draft is still being read, or the text is becoming an event.
  private var isBlocked = false
  /// Whether the user has been told that the draft isn't saved.
  private var hasTold = false
  private var pause: Task<Void, Never>?
  private var saving: Task<Void, Never>?
  /// They wait for the result of the next attempt.
  private var waiting: [CheckedContinuation<(any Error)?, Never>] = []

  private init(_ name: String, _ empty: DraftContent, _ context: WindowContext) {
    (self.name, folder, self.context) = (name, context.model.folder, context)
    (version, saved) = (empty, empty)
  }

  /// Returns the writer that is still saving the draft of this form after its dialog was closed, or a new one.
  /// - Parameters:
  ///   - name: of the form.
  ///   - empty: the draft without any text.
  static func of(_ name: String, empty: DraftContent, in context: WindowContext, toaster: Toaster) -> DraftWriter {
    let writer =
      context.unsavedDrafts.writer(name, of: context.model.folder) ?? DraftWriter(name, empty, context)
    (writer.context, writer.toaster) = (context, toaster)
    return writer
  }

  /// The version that is not on disk yet; `nil` if the newest one is.
  var unsaved: DraftContent? { version == saved ? nil : version }

  func change(to version: DraftContent) {
    self.version = version
    start()
  }

  /// Saves nothing until `resume`.
  func block() { isBlocked = true }

  /// - Parameters:
  ///   - version: the form with the draft from earlier.
  ///   - saved: the version on disk, if it was read.
  func resume(with version: DraftContent, saved: DraftContent? = nil) {
    if let saved { self.saved = saved }
    hasEarlier = true
    isBlocked = false
    change(to: version)
  }

  /// Saves without waiting for further changes; call it when the dialog is closed.
  func hurry() { pause?.cancel() }

  /// Tries once to save the newest version, without waiting for further changes.
  /// - Returns: why it isn't on disk; `nil` if it is.
  func save() async -> (any Error)? {
    guard unsaved != nil else { return nil }
    hurry()
    return await withCheckedContinuation { waiting.append($0) }
  }

  /// Waits until the newest version is on disk.
  func saveFinally() async {
    hurry()
    while unsaved != nil { _ = await withCheckedContinuation { waiting.append($0) } }
  }

  /// Runs `commit`, which makes the text an event and removes the draft. If it fails, the draft is saved as before.
  /// - Parameter empty: the draft without any text.
  func replace(with empty: DraftContent, by commit: @MainActor () async throws -> Void) async throws {
    let hold = ApplicationHold()
    defer { withExtendedLifetime(hold) {} }
    isBlocked = true
    hurry()
    await saving?.value
    defer {
      isBlocked = false
      start()
    }
    // The event removes a draft only if their texts are equal. The user may still be typing.
    while let unsaved {
      try await context.model.keep(unsaved)
      saved = unsaved
    }
    let committed = version
    try await commit()
    // Undoing the event makes its text a draft again.
    (saved, hasEarlier) = (empty, false)
    if version == committed { version = empty }
  }

  /// Waits before the next attempt to read the earlier draft.
  /// - Returns: whether to try again. If not, what is typed now was set aside.
  func waits(afterReading error: any Error) async -> Bool {
    guard triesAgain(after: error, telling: plainWords(error)) else { return false }
    await wait(milliseconds: DraftPause.failure)
    return true
  }
}

extension DraftWriter {
  private func start() {
    guard unsaved != nil else { return finishAttempt(nil) }
    context.unsavedDrafts.add(self)
    guard !isBlocked, saving == nil else { return }
    saving = untilDone { [self] in
      repeat {
        if !isBlocked { await wait(milliseconds: DraftPause.typing) }
      } while await saveNewest()
      saving = nil
      if unsaved == nil { finishAttempt(nil) }
    }
  }

  /// Saves the newest version.
  /// - Returns: whether another version was made in the meantime.
  private func saveNewest() async -> Bool {
    while let unsaved, !isBlocked {
      do {
        try await context.model.keep(unsaved)
        (saved, hasTold) = (unsaved, false)
        return self.unsaved != nil && !isBlocked
      } catch {
        let message = tr("Your draft isn’t saved yet. {reason}", ["reason": plainWords(error)])
        guard triesAgain(after: error, telling: message) else { return false }
        if !isBlocked { await wait(milliseconds: DraftPause.failure) }
      }
    }
    return false
  }

  /// - Parameter error: why the newest version isn't on disk; `nil` if it is.
  private func finishAttempt(_ error: (any Error)?) {
    if error == nil { context.unsavedDrafts.remove(self) }
    let waiting = waiting
    self.waiting = []
    for continuation in waiting { continuation.resume(returning: error) }
  }

  /// Tells the user once about an error.
  /// - Returns: whether to try again. If not, the draft was set aside.
  private func triesAgain(after error: any Error, telling message: String) -> Bool {
    finishAttempt(error)
    let isOnScreen = context.toaster.isOnScreen
    guard !context.unsavedDrafts.isEnding, isOnScreen || error as? StoreError == .busy else {
      setAside(error)
      return false
    }
    if isOnScreen, !hasTold {
      context.tell(message, in: toaster)
      hasTold = true
    }
    return true
  }

  private func setAside(_ error: any Error) {
    do {
      try context.model.setAside(version)
      printError(tr("Your draft will be saved at the next start. {reason}", ["reason": plainWords(error)]))
    } catch {
      printError(plainWords(error))
    }
    saved = version
  }

  private func wait(milliseconds: Int) async {
    guard !context.unsavedDrafts.isEnding else { return }
    // Cancelling it, as `hurry` does, only ends the wait.
    let pause = Task { _ = try? await Task.sleep(for: .milliseconds(milliseconds)) }
    self.pause = pause
    await pause.value
  }
}

/// Pauses between two attempts to save a draft, in milliseconds.
private enum DraftPause {
  /// The most typing that is lost if the program is killed.
  static let typing = 250
  static let failure = 2000
}
