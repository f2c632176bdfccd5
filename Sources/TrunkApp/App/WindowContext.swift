import GtkKit
import Localization
import Observation
import TrunkAccount
import TrunkKit
import TrunkModel

/// Everything that views and dialogs need: the model, the account model, the settings, and the window with its
/// messages.
///
/// Data flows in one direction: a view calls an intent of the model through `attempt`, the model publishes a new
/// garden, and all followers (`follow`) render it. Views may cache what they derive from the garden, but never change
/// it.
final class WindowContext {
  let model: GardenModel
  let accountModel: AccountModel
  let settings: Settings
  /// The window that dialogs open over.
  let window: Widget
  /// The messages of that window.
  let foot: Foot
  /// Checks the spelling in text fields.
  private(set) lazy var spelling = Spelling(settings)
  /// Today's questions.
  let chosenQuestions: ChosenQuestions
  /// The widget that shows this garden. When it is destroyed, followers of this context stop.
  let scope: Widget
  let unsavedDrafts: UnsavedDrafts

  /// - Parameters:
  ///   - scope: the window by default.
  ///   - chosenQuestions: today's questions in another window of the same garden.
  init(
    model: GardenModel, accountModel: AccountModel, settings: Settings, unsavedDrafts: UnsavedDrafts, window: Widget,
    foot: Foot, scope: Widget? = nil, chosenQuestions: ChosenQuestions = ChosenQuestions()
  ) {
    self.model = model
    self.accountModel = accountModel
    self.settings = settings
    self.unsavedDrafts = unsavedDrafts
    self.window = window
    self.foot = foot
    self.scope = scope ?? window
    self.chosenQuestions = chosenQuestions
  }

  /// The reset day that is shown.
  var today: Day { model.garden.zone.dayKey(model.now) }

  /// The time of rest that `today` belongs to; `nil` if the garden doesn't rest.
  var rest: RestPeriod? { settings.restDays.period(on: today) }

  /// Runs an intent. An error is shown as a message in plain words, in `foot` or the window's, and `onError` is
  /// called. A `CancellationError` needs no message: the user closed the form, whose draft is kept.
  /// - Parameter widget: the widget that shows the result. It is kept alive until then, even if its window is closed.
  func attempt(
    in foot: Foot? = nil, keeping widget: Widget? = nil, onError: (() -> Void)? = nil,
    _ intent: @escaping @MainActor () async throws -> Void
  ) {
    let kept = widget.map { Reference(retaining: $0) }
    Task {  // No widgets but those of `intent`
      do {
        try await intent()
      } catch {
        if !(error is CancellationError) { report(error, in: foot) }
        onError?()
      }
      withExtendedLifetime(kept) {}
    }
  }

  /// Shows an error in plain words, in `foot` if its window is still open, else in the window's.
  func report(_ error: any Error, in foot: Foot? = nil) { report(userMessage(for: error), in: foot) }

  /// Shows a message in `foot` if its window is still open, else in the window's.
  func report(_ message: String, in foot: Foot? = nil) {
    let foot = foot?.isOnScreen == true ? foot : self.foot
    foot?.show(message, seconds: WindowContext.errorSeconds)
  }

  /// What went wrong takes longer to read and to understand than what went right.
  private static let errorSeconds = 12

  /// Shows the problems that were found when the garden was opened. These notices stay until they are dismissed.
  func showOpeningNotices() {
    let problems = settings.problem.map { [userMessage(for: $0)] } ?? []
    for notice in model.openingNotices() + problems { foot.show(notice, seconds: 0) }
    let recoveries = model.recoveryNotices
    guard !recoveries.isEmpty else { return }
    foot.show(recoveries.joined(separator: "\n"), seconds: 0) { [model = model] in
      // A garden that can't be written reports its recovery again at the next start.
      Task {  // No widgets
        try? await model.markRecoveriesSeen()
      }
    }
  }

  /// Shows what other programs write, such as `trunkctl`, until the widget that shows this garden is destroyed.
  func followStore() {
    let model = model
    let task = Task { [weak self] in await model.watchStore { self?.report($0) } }
    scope.on("destroy") { task.cancel() }
  }

  /// Renders like `follow`, but only while the widget is on screen. Earlier changes are rendered when it appears.
  func followShown(_ widget: Widget, render: @escaping @MainActor () -> Void) {
    var isStale = true
    let renderIfStale: @MainActor () -> Void = {
      guard isStale else { return }
      isStale = false
      render()
    }
    widget.on("map", renderIfStale)
    follow(widget) {
      isStale = true
      if widget.isMapped { renderIfStale() }
    }
  }

  /// Hides an entry on this computer, or shows it again.
  /// - Parameters:
  ///   - seq: its number in the log.
  ///   - widget: what the user has pressed.
  func setHidden(_ isHidden: Bool, entry seq: Int64, keeping widget: Widget) {
    attempt(keeping: widget) { [self] in
      try await model.setHidden(isHidden, entry: seq)
      guard isHidden else { return }
      foot.show(
        tr("Hidden on this computer. Backups and your other devices still have it."),
        button: (tr("Undo"), { [self] in attempt { [self] in try await model.setHidden(false, entry: seq) } }),
        isUndo: true)
    }
  }

  /// Calls `render` with the unfinished drafts, now and after every change. While a dialog is open, it waits: the text
  /// typed there must not appear behind it.
  func followDrafts(_ widget: Widget, render: @escaping @MainActor ([UnfinishedDraft]) -> Void) {
    let (model, window, foot) = (model, window, foot)
    let task = Task {
      for await _ in Observations({ (model.garden.eventCount, model.draftRevision, model.now) }) {
        await window.waitUntilNoDialogIsOpen()
        do {
          let drafts = try await model.unfinishedDrafts()
          // The window may be closed by now, before the widget is destroyed.
          guard !Task.isCancelled, foot.isOnScreen else { break }
          render(drafts)
        } catch { report(error) }
      }
    }
    widget.on("destroy") { task.cancel() }
  }

  /// Renders now and after every change of the garden, the displayed time, the profile or the preferences, until the
  /// widget is destroyed; with `sync` also after every change of the account or its sync. A widget that is not on the
  /// screen is rendered when the main loop is idle.
  func follow(_ widget: Widget, sync: Bool = false, render: @escaping @MainActor () -> Void) {
    render()
    let (model, settings, accountModel) = (model, settings, accountModel)
    let task = Task {
      var isFirst = true  // the sequence starts with the current state, which is already rendered
      for await _ in Observations({
        (
          model.garden.eventCount, model.garden.lastKey, model.pageRevision + Int64(model.mergeRevision), model.hidden,
          model.now, model.profile, model.initialSync, settings.revision, sync ? accountModel.revision : 0
        )
      }) {
        // Paint what is on the screen first.
        if !isFirst, !Task.isCancelled, !widget.isMapped { await Timeout.untilIdle() }
        if Task.isCancelled { break }
        if !isFirst { render() }
        isFirst = false
      }
    }
    widget.on("destroy") { task.cancel() }
  }
}
