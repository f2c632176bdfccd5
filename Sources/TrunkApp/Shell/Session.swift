import Gardening
import GtkKit
import Localization
import Observation

/// What every view and dialog is given: the gardener that it reads and asks, and the window that it speaks through.
///
/// The way is one way round: a view calls an intent of the gardener through `attempt`, the gardener publishes a new
/// garden, and everything that `follow`s renders itself from it. No view keeps a part of the garden.
final class Session {
  let gardener: Gardener
  let synchroniser: Synchroniser
  let settings: Settings
  /// The window that dialogs open over.
  let window: Widget
  /// The toasts of that window.
  let toaster: Toaster
  /// What shows this garden: when it is destroyed, nothing of this context is followed any more.
  let scope: Widget

  /// - Parameter scope: the window, if nothing is said.
  init(
    gardener: Gardener, synchroniser: Synchroniser, settings: Settings, window: Widget, toaster: Toaster,
    scope: Widget? = nil
  ) {
    self.gardener = gardener
    self.synchroniser = synchroniser
    self.settings = settings
    self.window = window
    self.toaster = toaster
    self.scope = scope ?? window
  }

  /// The account's garden has not been downloaded yet: that it is empty here means nothing.
  var isAwaitingGarden: Bool { synchroniser.account != nil && gardener.initialSync != .done }

  /// Runs an intent. An error becomes a toast in plain words, in `toaster` or the window's, and `onError` is called.
  /// - Parameter widget: what the result is shown in: it lives until then, even if its window is closed meanwhile.
  func attempt(
    in toaster: Toaster? = nil, keeping widget: Widget? = nil, onError: (() -> Void)? = nil,
    _ intent: @escaping @MainActor () async throws -> Void
  ) {
    let kept = widget.map { Reference(retaining: $0) }
    Task {
      do {
        try await intent()
      } catch {
        tell(error, in: toaster)
        onError?()
      }
      withExtendedLifetime(kept) {}
    }
  }

  /// Shows an error in plain words, in `toaster` if its window is still open, else in the window's.
  func tell(_ error: any Error, in toaster: Toaster? = nil) {
    let toaster = toaster?.isOnScreen == true ? toaster : self.toaster
    toaster?.show(plainWords(error))
  }

  /// Renders now, and again whenever the garden, the time shown, the user or a preference has changed, until the widget is
  /// destroyed; with `sync` also whenever something about the account or its sync has.
  func follow(_ widget: Widget, sync: Bool = false, render: @escaping @MainActor () -> Void) {
    render()
    let (gardener, settings, synchroniser) = (gardener, settings, synchroniser)
    let task = Task {
      var isFirst = true  // the sequence begins with the present state, which is rendered already
      for await _ in Observations({
        (
          gardener.garden.eventCount, gardener.garden.lastKey, gardener.now, gardener.profile,
          gardener.initialSync, settings.revision, sync ? synchroniser.revision : 0
        )
      }) {
        if Task.isCancelled { break }
        if !isFirst { render() }
        isFirst = false
      }
    }
    widget.on("destroy") { task.cancel() }
  }
}
