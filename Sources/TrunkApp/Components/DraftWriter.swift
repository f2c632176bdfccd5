import EventStore
import GtkKit
import Localization
import TrunkKit

/// Saves one draft shortly after each change, and tries again until its newest version is on disk.
///
/// The program doesn't end before that, because another program may hold the garden's lock for longer than the store
/// waits. After an error that waiting doesn't fix, such as a full disk, it tries as long as there is a window that shows
/// the error, and gives up without one.
final class DraftWriter<Version: Equatable> {
  private let context: WindowContext
  private let key: String
  private let write: @MainActor (Version) async throws -> Void
  /// Shows errors while the dialog of the draft is open. It holds the content of that dialog, which includes this object.
  private weak var toaster: Toaster?
  private(set) var version: Version
  private var saved: Version
  /// Nothing is saved: the old draft is still being read, or the text is becoming an event.
  private var isBlocked = false
  /// Whether the user has been told that the draft isn't saved.
  private var hasTold = false
  private var pause: Task<Void, Never>?
  private var saving: Task<Void, Never>?

  private init(
    _ context: WindowContext, _ key: String, _ version: Version,
    write: @escaping @MainActor (Version) async throws -> Void
  ) {
    (self.context, self.key, self.write) = (context, key, write)
    (self.version, saved) = (version, version)
  }

  /// Returns the writer that is still saving this draft after its dialog was closed, or a new one.
  /// - Parameters:
  ///   - version: the version without any text.
  ///   - write: saves a version on disk.
  static func of(
    _ key: String, in context: WindowContext, toaster: Toaster, empty version: Version,
    write: @escaping @MainActor (Version) async throws -> Void
  ) -> DraftWriter {
    let writer = context.unsavedDrafts[key] as? DraftWriter ?? DraftWriter(context, key, version, write: write)
    writer.toaster = toaster
    return writer
  }

  /// Whether the newest version is on disk.
  var isSaved: Bool { version == saved }

  /// The version that is not on disk yet; `nil` if the newest one is.
  var unsaved: Version? { isSaved ? nil : version }

  func change(to version: Version) {
    self.version = version
    start()
  }

  /// Saves nothing until `resume`.
  func block() { isBlocked = true }

  /// - Parameter saved: the version on disk, if it was read.
  func resume(with version: Version, saved: Version? = nil) {
    if let saved { self.saved = saved }
    isBlocked = false
    change(to: version)
  }

  /// Saves without waiting for further changes; call it when the dialog is closed.
  func flush() { pause?.cancel() }

  /// Waits until the newest version is on disk, or until saving is given up.
  func settle() async {
    flush()
    while let saving { await saving.value }
  }

  /// Runs `commit`, which makes the text an event and removes the draft. If it fails, the draft is saved as before.
  /// - Parameter empty: the version without any text.
  func replace(with empty: Version, by commit: @MainActor () async throws -> Void) async throws {
    let hold = ApplicationHold()
    defer { withExtendedLifetime(hold) {} }
    isBlocked = true
    pause?.cancel()
    await saving?.value
    defer { resume(with: version) }
    // The event removes a draft only if their texts are equal. The user may still be typing.
    while let unsaved {
      try await write(unsaved)
      saved = unsaved
    }
    let committed = version
    try await commit()
    saved = empty
    guard version == committed else { return }
    version = empty
    context.unsavedDrafts[key] = nil
  }
}

extension DraftWriter {
  private func start() {
    guard !isSaved, !isBlocked, saving == nil else { return }
    context.unsavedDrafts[key] = self
    saving = untilDone { [self] in
      repeat { await wait(milliseconds: DraftPause.typing) } while await save()
      saving = nil
      if isSaved { context.unsavedDrafts[key] = nil }
    }
  }

  /// Saves the newest version.
  /// - Returns: whether another version was made in the meantime.
  private func save() async -> Bool {
    while !isSaved, !isBlocked {
      let version = version
      do {
        try await write(version)
        (saved, hasTold) = (version, false)
        return !isSaved && !isBlocked
      } catch {
        guard tell(error) else { return false }
        await wait(milliseconds: DraftPause.failure)
      }
    }
    return false
  }

  /// - Returns: whether to try again.
  private func tell(_ error: any Error) -> Bool {
    guard context.toaster.isOnScreen else {
      if error as? StoreError == .busy { return true }
      complain(plainWords(error))
      return false
    }
    // Once is enough: it tries again every few seconds.
    if !hasTold { context.tell(tr("Your draft isn’t saved yet. {reason}", ["reason": plainWords(error)]), in: toaster) }
    hasTold = true
    return true
  }

  private func wait(milliseconds: Int) async {
    guard !isBlocked else { return }
    // Cancelling it, as `flush` does, only ends the wait.
    let pause = Task { _ = try? await Task.sleep(for: .milliseconds(milliseconds)) }
    self.pause = pause
    await pause.value
  }
}

/// Pauses between two attempts to save a draft, in milliseconds.
private enum DraftPause {
  /// The most typing that is lost if the program is killed.
  static let typing = 250
  /// The store itself waits for a lock, so this is only for errors that it reports at once.
  static let failure = 2000
}
