import EventStore
import GtkKit
import Localization
import TrunkAccount
import TrunkKit

/// The application: its commands and its window. One instance runs in each desktop session.
public final class Application {
  /// The id of the desktop entry and the bus name.
  static let id = "garden.trunk.trunk"

  let desktop = DesktopApplication(id: Application.id)
  let settings = Settings()
  private var styleSheet: StyleSheet?
  var window: MainWindow?
  var quickWater: QuickWater?
  /// A command that was requested before there was a window to run it in.
  var pendingCommand: String?
  /// The addresses of pages and files to open once there is a window.
  var links: [String] = []
  /// The garden being opened; `nil` once its last window is closed.
  var opening: Task<Opened, any Error>?
  var dailyBackup: DailyBackup?
  /// The work after a window was closed. Cancelling it only skips waiting for the server.
  var ending: Task<Void, Never>?
  /// A window was closed. Its unfinished writes keep the program alive, and `quit` must not end it before they are
  /// done.
  var hasClosed = false
  /// The window is about to show another garden.
  var isReplacing = false
  let questions = DueQuestions()
  let unsavedDrafts = UnsavedDrafts()
  var reminders: Reminders?
  /// No further window may open.
  var isQuitting = false

  public init() {
    Program.prepare()
    opening = Application.open(settings)
    // Translators: the arguments of trunk in its help: an address such as trunk://today, or an export file.
    desktop.describe(arguments: tr("[link | file]"))
    desktop.addOption("water", tr("Open a small window to water one sprout"), command: "quick-water")
    desktop.describe(option: "version", tr("Print the version"))
    desktop.object.on("startup") { [weak self] in self?.startUp() }
    desktop.object.on("activate") { [weak self] in self?.activate() }
    desktop.object.onFiles("open") { [weak self] addresses in
      self?.links = addresses
      self?.activate()
    }
  }

  /// Runs until the last window is closed or `app.quit`, and returns the exit code.
  public func run(arguments: [String]) -> Int32 { desktop.run(arguments: arguments) }

  /// The context of an open window.
  var context: WindowContext? { window?.context ?? quickWater?.context }

  private func startUp() {
    styleSheet = StyleSheet()
    StyleSheet.scheme = settings.appearance.scheme
    addCommands()
    onTermination { [weak self] in
      // There may be no time for questions.
      self?.unsavedDrafts.end()
      self?.quit()
      // When the desktop session ends, don't wait for a server.
      self?.ending?.cancel()
    }
    reminders = Reminders(
      desktop, open: { [weak self] in self?.open($0) }, withGarden: { [weak self] in try await self?.withGarden($0) })
  }

  /// Runs `body` with the garden of a window or, without one, with the garden on the disk.
  private func withGarden(_ body: @MainActor (Opened) async throws -> Void) async throws {
    if let context { return try await body((context.model, context.accountModel)) }
    let opening = opening ?? Application.open(settings)
    // A window that opens later must not show the garden as it is now.
    self.opening = nil
    let opened = try await opening.value
    var failure: (any Error)?
    do { try await body(opened) } catch { failure = error }
    // If a window was already waiting for this garden, it shows it now, so the garden stays open.
    if context?.model !== opened.model {
      await opened.accountModel.stop()
      try await opened.model.close()
    }
    if let failure { throw failure }
  }

  /// Shows the window, or raises it. A second launch also calls this.
  func activate() {
    isQuitting = false
    unsavedDrafts.resume()
    if let window { return present(window) }
    openGarden { [weak self] in self?.show($0) }
  }

  /// Shows the small window for one entry, or raises the one in which the user already waters.
  func waterQuickly() {
    isQuitting = false
    unsavedDrafts.resume()
    if let form = unsavedDrafts.waterForm { return form.present() }
    openGarden { [weak self] in self?.showQuickWater($0) }
  }

  /// Opens the garden, unless it is open already, and explains an error.
  private func openGarden(
    missingFile: EventStore.MissingFile = .fails, then show: @escaping (Opened) -> Void
  ) {
    // The last window was just closed: the new one sends what is still pending. It needn't wait for the old one,
    // because a garden can be open twice.
    ending?.cancel()
    let opening = opening ?? Application.open(settings, missingFile: missingFile)
    self.opening = opening
    // Without a window or a hold, the application would exit.
    desktop.hold()
    Task {  // No widgets but those that `show` makes
      do {
        show(try await opening.value)
      } catch {
        explain(error, then: show)
      }
      desktop.release()
    }
  }

  private func showQuickWater(_ opened: Opened) {
    guard !isQuitting else { return }
    if let form = unsavedDrafts.waterForm { return form.present() }
    let (model, accountModel) = opened
    let made = QuickWater(
      desktop, model: model, accountModel: accountModel, settings: settings, unsavedDrafts: unsavedDrafts,
      beside: window, onOpenTrunk: { [weak self] in self?.activate() })
    quickWater = made
    made.widget.on("destroy") { [weak self, weak made] in
      guard let self, let made, quickWater === made else { return }
      quickWater = nil
      closed(made.context)
    }
    Measurement.startIfAsked(made, application: desktop)
    if window == nil { made.widget.onFirstFrame { [weak self] in self?.begin(opened) } }
    made.present()
  }

  func show(_ opened: Opened) {
    guard window == nil, !isQuitting else { return }
    let (model, accountModel) = opened
    let made = MainWindow(
      application: desktop.object, model: model, accountModel: accountModel, settings: settings,
      unsavedDrafts: unsavedDrafts)
    window = made
    made.widget.on("destroy") { [weak self, weak made] in
      guard let self, let made, window === made else { return }
      window = nil
      closed(made.context)
    }
    Measurement.startIfAsked(made.pane, application: desktop)
    made.widget.onFirstFrame { [weak self, weak made] in
      if let made { self?.begin(opened, in: made) }
    }
    present(made)
  }

  /// Starts what follows the first frame of the main window: also asks the questions that are due.
  func begin(_ opened: Opened, in window: MainWindow, isNew: Bool = false) {
    begin(opened)
    questions.ask(window.context, isNew: isNew)
    window.pane.buildViews()
  }

  /// Starts what follows the first frame of any window: syncing, and 10 seconds later the daily backup.
  private func begin(_ opened: Opened) {
    let (model, accountModel) = opened
    accountModel.onAccountChange = { [weak self] in self?.replaceGarden($0) }
    accountModel.saveDrafts = { [unsavedDrafts, weak self] closesForms in
      if closesForms { self?.closeForms() }
      if let problem = await unsavedDrafts.saveAll(of: model.folder) { throw problem }
    }
    accountModel.start()
    dailyBackup = context.map(DailyBackup.init)
  }

  func present(_ window: MainWindow) {
    window.widget.presentWindow()
    // While the garden is being replaced, commands and links wait for the new one.
    guard !isReplacing else { return }
    window.pane.open(links)
    links = []
    guard let command = pendingCommand else { return }
    pendingCommand = nil
    // Two dialogs on the same subject would each keep their own text.
    if let dialog = window.widget.openDialog {
      dialog.presentWindow()
    } else {
      _ = window.widget.activate(command)
    }
  }

  func explain(_ error: any Error, then show: @escaping (Opened) -> Void) {
    presentOpeningProblem(error, in: desktop) { [weak self] missingFile in
      self?.opening = nil
      self?.openGarden(missingFile: missingFile, then: show)
    }
  }
}
