import EventStore
import GtkKit
import Localization
import TrunkKit

/// The draft of one form. It is saved shortly after each change, again and again until its newest version is on disk.
///
/// The program doesn't end before that, because another program may hold the garden's lock for longer than the store
/// waits. If it has to end, it sets the draft aside: see `UnsavedDrafts`.
final class DraftSession {
  private(set) var value: DraftContent
  private(set) var isCommitting = false
  /// Shows a version that is not the form's own: the draft on disk, before anything typed since the form was opened.
  /// `nil` once the form is closed.
  var onShow: ((DraftContent) -> Void)?

  /// The folder of the garden.
  let folder: String
  private let form: GardenModel.DraftForm
  private let entity: String
  private var context: WindowContext
  /// Shows errors while the form is open. Weak, because it holds the dialog's content, which holds this object.
  private weak var foot: Foot?
  private var saved: DraftContent
  /// Whether `saved` is what was on disk when the form was opened.
  private var isRead = false
  /// Whether the newest version is in a file, because the program ends.
  private var isSetAside = false
  /// Whether the user has been told that the draft isn't saved.
  private var hasReported = false
  private var pause: Task<Void, Never>?
  private var saving: Task<Void, Never>?
  /// Callers that wait for the result of the next attempt.
  private var waiting: [CheckedContinuation<(any Error)?, Never>] = []
  /// The session of an earlier form whose draft is becoming an event. If that fails, it saves the draft first.
  private var earlier: DraftSession?

  private init(_ form: GardenModel.DraftForm, about entity: String, in context: WindowContext) {
    (self.form, self.entity, self.context, folder) = (form, entity, context, context.model.folder)
    let key = form.draftKey(about: entity)
    let isNew = key.isForm && key.entity == key.origin
    value = DraftContent([:], in: isNew ? key.newSlot() : key)
    saved = value
  }

  /// Returns the session that is still saving the draft of this form after it was closed, or a new one.
  /// - Parameter entity: what the form is about, or the slot of the draft to continue.
  static func open(
    _ form: GardenModel.DraftForm, about entity: String, in context: WindowContext, foot: Foot
  ) -> DraftSession {
    context.unsavedDrafts.offer?.dismiss()
    // It may have been opened in another window.
    let unsaved = context.unsavedDrafts.sessions.last {
      $0.folder == context.model.folder && $0.form == form && $0.entity.hasSameBytes(as: entity)
    }
    let session: DraftSession
    if let unsaved, !unsaved.isCommitting {
      session = unsaved
    } else {
      session = DraftSession(form, about: entity, in: context)
      session.earlier = unsaved
    }
    (session.context, session.foot) = (context, foot)
    return session
  }

  /// The version that is not on disk yet; `nil` if the newest one is.
  private var unsaved: DraftContent? { value == saved ? nil : value }

  /// Call it after every change of the form.
  func change(to value: DraftContent) {
    self.value = value
    start()
  }

  /// Shows the draft that is on disk, such as one from earlier or one that an undo has brought back.
  func restore() {
    // A session that was opened again may have saved its text by now.
    if value != value.emptied { onShow?(value) }
    isRead = false
    start()
  }

  /// Whether a draft on disk is this form's. Before it is read, any of the same form may be.
  func isOwn(_ key: DraftKey) -> Bool { isRead ? key == value.key : key.origin == value.key.origin }

  /// Waits until the draft on disk, if there is one, is shown.
  func restored() async {
    while !isRead, saving != nil { _ = await withCheckedContinuation { waiting.append($0) } }
  }

  /// Saves without waiting for further changes.
  func skipPause() { pause?.cancel() }

  /// Tries once to save the newest version, without waiting for further changes.
  /// - Returns: why it isn't on disk; `nil` if it is.
  func save() async -> (any Error)? {
    guard unsaved != nil || isCommitting else { return nil }
    skipPause()
    return await withCheckedContinuation { waiting.append($0) }
  }

  /// Call it when the form is closed. If it has several fields, offers to discard them; a text is shown where it can be
  /// continued.
  func close() {
    guard onShow != nil else { return }
    onShow = nil
    skipPause()
    guard value.key.isForm, !value.text.isEmpty else { return }
    untilDone { [self] in
      guard await saveFinally() else { return }
      let (model, draft) = (context.model, value)
      context.unsavedDrafts.offer = context.foot.show(
        tr("Your draft is saved."),
        button: (
          tr("Discard"),
          { [context] in
            // A later draft of the same form stays.
            context.attempt { try await model.save(draft.emptied, replacing: draft) }
          }
        ))
    }
  }

  /// Runs `commit`, which makes the newest version an event and removes the draft. If it fails, the draft is saved as
  /// before.
  func commit(_ commit: @MainActor (DraftContent) async throws -> Void) async throws {
    let hold = ApplicationHold()
    defer { withExtendedLifetime(hold) {} }
    isCommitting = true
    // A form that is opened again before the commit ends must wait for it.
    context.unsavedDrafts.add(self)
    skipPause()
    await saving?.value
    defer {
      isCommitting = false
      start()
    }
    if !isRead { try await read() }
    // The event removes a draft only if their texts are equal. The user may still be typing.
    while let unsaved { try await write(unsaved) }
    let committed = value
    try await commit(committed)
    // Undoing the event makes its text a draft again.
    saved = committed.emptied
    if value == committed { value = saved }
  }
}

extension DraftSession {
  /// Whether there is something to read or to save.
  private var hasWork: Bool { unsaved != nil || (!isRead && onShow != nil) }

  private func start() {
    guard hasWork else { return finishAttempt(nil) }
    if unsaved != nil {
      isSetAside = false
      context.unsavedDrafts.add(self)
    }
    guard !isCommitting, saving == nil else { return }
    saving = untilDone { [self] in
      await endEarlier()
      while hasWork, !isCommitting, await attempt() {}
      saving = nil
      if !hasWork { finishAttempt(nil) }
    }
  }

  private func endEarlier() async {
    guard let earlier else { return }
    _ = await earlier.saveFinally()
    self.earlier = nil
  }

  /// Reads the draft on disk, or saves the newest version after a pause.
  /// - Returns: whether to go on. If not, what was typed is set aside.
  private func attempt() async -> Bool {
    do {
      if isRead {
        await wait(milliseconds: DraftPause.typing)
        if let unsaved, !isCommitting { try await write(unsaved) }
      } else {
        try await read()
      }
      hasReported = false
      return true
    } catch {
      guard handle(error) else { return false }
      if !isCommitting { await wait(milliseconds: DraftPause.failure) }
      return true
    }
  }

  private func read() async throws {
    // A form that was filled in before has its own slot.
    if !value.key.isForm || value.text.isEmpty || saved.text.isEmpty {
      let other = try await context.model.unfinished(form, about: entity) ?? saved.emptied
      if other != saved { join(other) }
    }
    isRead = true
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
    let mine = value
    value = mine.joined(after: other, known: saved)
    saved = value.key == other.key ? other : value.emptied
    if value.text != mine.text || value.asked != mine.asked { onShow?(value) }
  }

  /// Waits until nothing is left to save.
  /// - Returns: whether there is a draft on disk.
  private func saveFinally() async -> Bool {
    skipPause()
    while unsaved != nil || isCommitting { _ = await withCheckedContinuation { waiting.append($0) } }
    return !value.text.isEmpty && !isSetAside
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
  private func handle(_ error: any Error) -> Bool {
    finishAttempt(error)
    let isOnScreen = context.foot.isOnScreen
    guard !context.unsavedDrafts.isEnding, isOnScreen || error as? StoreError == .busy else { return !setAside(error) }
    if isOnScreen, !hasReported {
      let reason = userMessage(for: error)
      context.report(unsaved == nil ? reason : tr("Your draft isn’t saved yet. {reason}", ["reason": reason]), in: foot)
      hasReported = true
    }
    return true
  }

  /// - Returns: whether saving ends: the draft is in a file, its garden was removed, or the program can't wait any
  ///   longer.
  private func setAside(_ error: any Error) -> Bool {
    guard unsaved != nil else { return true }
    do {
      try context.model.setAside(value, replacing: saved)
      printError(tr("Your draft will be saved at the next start. {reason}", ["reason": userMessage(for: error)]))
    } catch {
      printError(userMessage(for: error))
      var isGone = false
      if case .moved = error as? StoreError { isGone = true }
      guard isGone || context.unsavedDrafts.isEnding else { return false }
    }
    (saved, isSetAside) = (value, true)
    finishAttempt(nil)
    return true
  }

  private func wait(milliseconds: Int) async {
    guard !context.unsavedDrafts.isEnding else { return }
    // `skipPause` cancels it, which only ends the wait: there is no other error.
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
