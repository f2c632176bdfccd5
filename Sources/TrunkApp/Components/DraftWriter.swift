import EventStore
import GtkKit
import Localization
import TrunkKit

/// What shows a draft, and is told if another program has changed it.
protocol DraftForm: AnyObject {
  /// Shows the whole draft.
  func show(_ draft: DraftContent)
}

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
  /// The keeper of the dialog that was opened last.
  weak var keeper: (any DraftForm)?

  private var context: WindowContext
  /// Shows errors while the dialog of the draft is open. Weak, because it holds that dialog's content, which holds this
  /// object.
  private weak var foot: Foot?
  private var saved: DraftContent
  /// The earlier draft is still being read, so nothing is saved.
  private var isReading = false
  /// The text is becoming an event, so nothing else is saved.
  private(set) var isCommitting = false
  /// Whether the newest version is in a file, because the program ends.
  private var isSetAside = false
  /// Whether the user has been told that the draft isn't saved.
  private var hasReported = false
  private var pause: Task<Void, Never>?
  private var saving: Task<Void, Never>?
  /// Callers that wait for the result of the next attempt.
  private var waiting: [CheckedContinuation<(any Error)?, Never>] = []

  private init(_ name: String, _ empty: DraftContent, _ context: WindowContext) {
    (self.name, folder, self.context) = (name, context.model.folder, context)
    (version, saved) = (empty, empty)
  }

  /// Returns the writer that is still saving the draft of this form after its dialog was closed, or a new one.
  /// - Parameters:
  ///   - name: of the form.
  ///   - empty: the draft without any text.
  static func of(_ name: String, empty: DraftContent, in context: WindowContext, foot: Foot) -> DraftWriter {
    let writer =
      context.unsavedDrafts.writer(name, of: context.model.folder) ?? DraftWriter(name, empty, context)
    (writer.context, writer.foot) = (context, foot)
    return writer
  }

  /// The version that is not on disk yet; `nil` if the newest one is.
  var unsaved: DraftContent? { version == saved ? nil : version }

  func change(to version: DraftContent) {
    self.version = version
    start()
  }

  /// Saves nothing until `resume`: the earlier draft must not be overwritten before it was read.
  func pauseForReading() { isReading = true }

  /// Waits until the running commit has succeeded or failed.
  func waitForCommit() async {
    while isCommitting { _ = await withCheckedContinuation { waiting.append($0) } }
  }

  /// - Parameters:
  ///   - version: the form with the draft from earlier.
  ///   - saved: the version on disk, if it was read.
  func resume(with version: DraftContent, saved: DraftContent? = nil) {
    if let saved { self.saved = saved }
    hasEarlier = true
    isReading = false
    change(to: version)
  }

  /// Lets the running attempt to save end. After `pauseForReading`, none follows.
  func endAttempt() async {
    skipPause()
    await saving?.value
  }

  /// Like `resume`, when the draft was known before, but another program may have changed it, for example by undoing an
  /// entry.
  func resume(joining other: DraftContent) {
    if other != saved { join(other) }
    resume(with: version)
  }

  /// Saves without waiting for further changes; call it when the dialog is closed.
  func skipPause() { pause?.cancel() }

  /// Tries once to save the newest version, without waiting for further changes.
  /// - Returns: why it isn't on disk; `nil` if it is.
  func save() async -> (any Error)? {
    guard unsaved != nil || isCommitting else { return nil }
    skipPause()
    return await withCheckedContinuation { waiting.append($0) }
  }

  /// Waits until nothing is left to save.
  /// - Returns: whether there is a draft on disk.
  func saveFinally() async -> Bool {
    skipPause()
    while unsaved != nil || isCommitting { _ = await withCheckedContinuation { waiting.append($0) } }
    return !version.text.isEmpty && !isSetAside
  }

  /// Runs `commit`, which makes the text an event and removes the draft. If it fails, the draft is saved as before.
  /// - Parameter empty: the draft without any text.
  func replace(with empty: DraftContent, by commit: @MainActor () async throws -> Void) async throws {
    let hold = ApplicationHold()
    defer { withExtendedLifetime(hold) {} }
    isCommitting = true
    // If the form is opened again before the commit ends, it must get this writer.
    context.unsavedDrafts.add(self)
    await endAttempt()
    defer {
      isCommitting = false
      start()
    }
    // The event removes a draft only if their texts are equal. The user may still be typing.
    while let unsaved { try await write(unsaved) }
    let committed = version
    try await commit()
    // Undoing the event makes its text a draft again.
    (saved, hasEarlier) = (empty, false)
    if version == committed { version = empty }
  }

  /// Tells the user that the earlier draft can't be read, and waits before the next attempt.
  /// - Returns: whether to try again. If not, the text typed so far was set aside.
  func retry(afterReading error: any Error) async -> Bool {
    guard handle(error, reporting: userMessage(for: error)) else { return false }
    await wait(milliseconds: DraftPause.failure)
    return true
  }
}

extension DraftWriter {
  private var isPaused: Bool { isReading || isCommitting }

  private func start() {
    guard unsaved != nil else { return finishAttempt(nil) }
    isSetAside = false
    context.unsavedDrafts.add(self)
    guard !isPaused, saving == nil else { return }
    saving = untilDone { [self] in
      repeat {
        if !isPaused { await wait(milliseconds: DraftPause.typing) }
      } while await saveNewest()
      saving = nil
      if unsaved == nil { finishAttempt(nil) }
    }
  }

  /// Saves the newest version.
  /// - Returns: whether another version was made in the meantime.
  private func saveNewest() async -> Bool {
    while let unsaved, !isPaused {
      do {
        try await write(unsaved)
        hasReported = false
        return self.unsaved != nil && !isPaused
      } catch {
        let message = tr("Your draft isn’t saved yet. {reason}", ["reason": userMessage(for: error)])
        guard handle(error, reporting: message) else { return false }
        if !isPaused { await wait(milliseconds: DraftPause.failure) }
      }
    }
    return false
  }

  /// Saves a version. If another program has changed the draft, for example by undoing an entry, the form gets both
  /// texts, and nothing is saved yet.
  private func write(_ new: DraftContent) async throws {
    guard let other = try await context.model.save(new, replacing: saved) else {
      saved = new
      return
    }
    join(other)
  }

  private func join(_ other: DraftContent) {
    version = version.joined(after: other, known: saved)
    saved = other
    keeper?.show(version)
  }

  /// - Parameter error: why the newest version isn't on disk; `nil` if it is.
  private func finishAttempt(_ error: (any Error)?) {
    if error == nil, !isCommitting { context.unsavedDrafts.remove(self) }
    let waiting = waiting
    self.waiting = []
    for continuation in waiting { continuation.resume(returning: error) }
  }

  /// Reports an error to the user once, or sets the draft aside if the program ends or has no window to show the
  /// error.
  /// - Returns: whether to try again. If not, the draft was set aside.
  private func handle(_ error: any Error, reporting message: String) -> Bool {
    finishAttempt(error)
    let isOnScreen = context.foot.isOnScreen
    guard !context.unsavedDrafts.isEnding, isOnScreen || error as? StoreError == .busy else { return !setAside(error) }
    if isOnScreen, !hasReported {
      context.report(message, in: foot)
      hasReported = true
    }
    return true
  }

  /// - Returns: whether saving ends: the draft is in a file, its garden was removed, or the program can't wait any
  ///   longer.
  private func setAside(_ error: any Error) -> Bool {
    do {
      try context.model.setAside(version, replacing: saved)
      printError(tr("Your draft will be saved at the next start. {reason}", ["reason": userMessage(for: error)]))
    } catch {
      printError(userMessage(for: error))
      var isGone = false
      if case .moved = error as? StoreError { isGone = true }
      guard isGone || context.unsavedDrafts.isEnding else { return false }
    }
    (saved, isSetAside) = (version, true)
    finishAttempt(nil)
    return true
  }

  private func wait(milliseconds: Int) async {
    guard !context.unsavedDrafts.isEnding else { return }
    // Cancelling it, as `skipPause` does, only ends the wait.
    let pause = Task {  // No widgets
      _ = try? await Task.sleep(for: .milliseconds(milliseconds))
    }
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
