import GardenStore
import Gardening
import GtkKit
import Localization
import Sync

/// The running program: one instance for each session, its commands and its window.
public final class Application {
  /// The id of the desktop entry and the bus name.
  static let id = "garden.trunk.trunk"

  /// The `GtkApplication`, which has the `app.` commands.
  let object: OpaquePointer

  private let reference: Reference
  private let settings = Settings()
  private var styleSheet: StyleSheet?
  private var window: MainWindow?
  /// A command that was asked for before there was a window to carry it out.
  private var waiting: String?
  /// The garden is read while GTK starts; `nil` once its window is closed.
  private var opening: Task<Opened, any Error>?
  private var upkeep: Timeout?
  /// What follows a window that was closed. Cancelling it only keeps it from waiting for the server.
  private var ending: Task<Void, Never>?
  /// A window was closed: what it left to be written holds the program, and nobody may be so impatient as to end it before.
  private var hasClosed = false
  /// Another garden is about to be shown in the window.
  private var isReplacing = false
  /// No other window is to come.
  private var isQuitting = false

  /// How long a closed window goes on sending, in seconds.
  private static let farewell: Int64 = 5
  /// In milliseconds: so often is looked whether a backup is due.
  private static let hour = 3_600_000

  public init() {
    Program.leaveNoCoreDumps()
    object = adw_application_new(Self.id, G_APPLICATION_DEFAULT_FLAGS).cast()
    reference = Reference(adopting: object)
    opening = Application.open(settings)
    object.on("startup") { [weak self] in self?.startUp() }
    object.on("activate") { [weak self] in self?.activate() }
  }

  /// Runs until the last window is closed or `app.quit`, and returns the exit code.
  public func run(arguments: [String]) -> Int32 {
    var copies: [UnsafeMutablePointer<CChar>?] = arguments.map { g_strdup($0) }
    defer { copies.forEach { g_free($0) } }
    return g_application_run(object.cast(), Int32(copies.count), &copies)
  }

  private typealias Opened = (gardener: Gardener, synchroniser: Synchroniser)

  /// Opens the garden of the account that is signed in, or the one of this computer.
  /// - Parameter closing: what has to be done before.
  private static func open(
    _ settings: Settings, fresh: SignIn.Outcome? = nil, after closing: Task<Void, Never>? = nil,
    missingFile: GardenStore.MissingFile = .fails
  ) -> Task<Opened, any Error> {
    Task {
      await closing?.value
      let current = try CurrentAccount().load()
      let folder = current?.folder ?? Folders.garden()
      let gardener = try await Task.detached { try await Gardener.open(folder: folder, missingFile: missingFile) }.value
      return (gardener, Synchroniser(gardener, current: current, settings: settings, fresh: fresh))
    }
  }

  /// Replaces the garden in the window after a sign-in or sign-out.
  private func replaceGarden(_ fresh: SignIn.Outcome?) {
    guard let window, !isReplacing else { return }
    isReplacing = true
    upkeep = nil
    let old = window.session
    old.synchroniser.onAccountChange = nil
    window.widget.closeDialogs()
    window.freeze()
    // A window that is closed now leaves the rest to this.
    g_application_hold(object.cast())
    ending = Task {
      await old.gardener.finishWriting()
      await old.synchroniser.stop()
      // After signing out there is nothing to be kept for the next start.
      guard fresh != nil else { return }
      do { try await old.gardener.close() } catch {
        // What was derived is derived again; the log is on the disk.
        complain(plainWords(error))
      }
    }
    let opening = Application.open(settings, fresh: fresh, after: ending)
    self.opening = opening
    Task {
      await show(opening, in: window)
      g_application_release(object.cast())
    }
  }

  /// Shows another garden in a window, as soon as it is open.
  private func show(_ opening: Task<Opened, any Error>, in window: MainWindow) async {
    do {
      let opened = try await opening.value
      isReplacing = false
      guard self.window === window else { return }
      window.show(opened.gardener, opened.synchroniser)
      begin(opened)
      askAboutUpload(window.session)
      // Signing out in a terminal must not bring the window to the front; a command that waits does.
      if waiting != nil { present(window) }
    } catch {
      explain(error)
      if self.window === window { gtk_window_destroy(window.widget.cast()) }
      isReplacing = false
    }
  }

  private func startUp() {
    if let display = gdk_display_get_default() { styleSheet = StyleSheet(on: display) }
    StyleSheet.scheme = settings.appearance.scheme
    gtk_window_set_default_icon_name(Self.id)
    object.addAction("quit") { [weak self] in self?.quit() }
    onTermination { [weak self] in
      self?.quit()
      // A session that ends does not wait for a server.
      self?.ending?.cancel()
    }
    // The desktop offers these also while no window is there.
    for (name, command) in [("plant", "win.plant"), ("water", "win.water::"), ("shine", "win.shine")] {
      object.addAction(name) { [weak self] in
        self?.waiting = command
        self?.activate()
      }
    }
    for (position, page) in MainWindow.pageNames.enumerated() {
      object.setKeys(["<Control>\(position + 1)"], for: "win.view::\(page)")
    }
    for (keys, command) in [
      (["<Control>q"], "app.quit"), (["<Control>f"], "win.search"),
      (["<Control>n"], "win.seedling"), (["<Control>comma"], "win.preferences"),
      (["<Control>question"], "win.shortcuts"), (["<Control>r", "F5"], "win.sync-now"),
    ] {
      object.setKeys(keys, for: command)
    }
  }

  /// Shows the window; a second launch comes here too and raises it.
  private func activate() {
    isQuitting = false
    if let window { return present(window) }
    // The last window was just closed: what it has not sent, the new one sends. It need not wait for what the old one still
    // does: a garden may be open twice.
    ending?.cancel()
    let opening = opening ?? Application.open(settings)
    self.opening = opening
    // Without this the program would end, having no window yet.
    g_application_hold(object.cast())
    Task {
      do {
        show(try await opening.value)
      } catch {
        explain(error)
      }
      g_application_release(object.cast())
    }
  }

  private func show(_ opened: Opened) {
    guard window == nil, !isQuitting else { return }
    let (gardener, synchroniser) = opened
    let made = MainWindow(
      application: object, gardener: gardener, synchroniser: synchroniser, settings: settings)
    window = made
    made.widget.on("destroy") { [weak self, weak made] in
      if let made, self?.window === made { self?.closed() }
    }
    Measurement.startIfAsked(made.session, application: object)
    made.widget.onFirstFrame { [weak self] in self?.begin(opened) }
    present(made)
  }

  /// Begins what follows the first frame: syncing, and a little later the backup of the day.
  private func begin(_ opened: Opened) {
    let (gardener, synchroniser) = opened
    synchroniser.onAccountChange = { [weak self] in self?.replaceGarden($0) }
    synchroniser.start()
    upkeep = Timeout.after(milliseconds: 10_000) { [weak self] in self?.keepUp(gardener) }
  }

  private func present(_ window: MainWindow) {
    gtk_window_present(window.widget.cast())
    // A command that comes while the garden changes is for the one that comes.
    guard let command = waiting, !isReplacing else { return }
    waiting = nil
    // Two dialogs about the same thing would each keep their own words.
    if let dialog = window.widget.openDialog {
      gtk_window_present(dialog.cast())
    } else {
      _ = window.widget.activate(command)
    }
  }

  /// The garden can't be opened: says why, and offers to try again. Where its file is missing, also to go on without it.
  private func explain(_ error: any Error) {
    let window: Widget = adw_application_window_new(object.cast())
    gtk_window_set_title(window.cast(), tr("Trunk"))
    gtk_window_set_default_size(window.cast(), 480, 420)
    func way(_ title: String, missingFile: GardenStore.MissingFile) -> Widget {
      button(title) { [weak self] in
        guard let self else { return }
        opening = Application.open(settings, missingFile: missingFile)
        activate()
        gtk_window_destroy(window.cast())
      }
    }
    var title = tr("Your garden could not be opened")
    var ways = [way(tr("Try Again"), missingFile: .fails)]
    if case StoreError.missing(_, let copies) = error {
      title = tr("Your garden’s file is missing")
      ways.append(way(tr("Start Over"), missingFile: .startsOver))
      if copies != nil { ways.insert(way(tr("Restore Newest Backup"), missingFile: .restoresBackup), at: 0) }
    }
    gtk_widget_add_css_class(ways[0], "suggested-action")
    let buttons = column(spacing: 8)
    ways.forEach { buttons.append($0) }
    adw_application_window_set_content(
      window.cast(),
      column(
        headerBar(),
        emptyState(icon: "dialog-warning-symbolic", title: title, hint: plainWords(error), button: buttons)
          .expandDown()))
    gtk_window_present(window.cast())
  }

  /// What can wait until the first entries may have been written, and must not slow them: the backup of the day. A
  /// window may stay open for weeks.
  private func keepUp(_ gardener: Gardener) {
    let secondFolder = settings.backupFolder
    func again(in milliseconds: Int) {
      upkeep = Timeout.after(milliseconds: milliseconds) { [weak self] in self?.keepUp(gardener) }
    }
    // A second folder that is not there today is told of once a day.
    window?.session.attempt(onError: { again(in: 24 * Self.hour) }) {
      try await gardener.backUpIfDue(secondFolder: secondFolder)
      again(in: Self.hour)
    }
  }

  /// The window is gone, and its dialogs with it. When the last entries and drafts are on the disk, what waits is sent;
  /// what was derived is kept for the next start, and the day's backup is made if it was not yet. Then the program ends.
  private func closed() {
    guard let session = window?.session else { return }
    let (gardener, synchroniser) = (session.gardener, session.synchroniser)
    (window, opening, upkeep) = (nil, nil, nil)
    hasClosed = true
    // What goes is being closed already, and what comes was never shown.
    guard !isReplacing else { return }
    // Nobody is left who could take anything back.
    gardener.offersUndo = false
    g_application_hold(object.cast())
    let secondFolder = settings.backupFolder
    ending = Task {
      await gardener.finishWriting()
      await synchroniser.sendLast(within: Application.farewell)
      await synchroniser.stop()
      do {
        try await gardener.close()
        try await gardener.backUpIfDue(secondFolder: secondFolder)
      } catch {
        // Nobody is left to be told, and the log itself is safe: the next start reads it again.
        complain(plainWords(error))
      }
      g_application_release(object.cast())
    }
  }

  private func quit() {
    isQuitting = true
    ending?.cancel()
    if let window = window?.widget ?? gtk_application_get_active_window(object.cast())?.cast() {
      gtk_window_close(window.cast())
    } else if !hasClosed {
      g_application_quit(object.cast())
    }
  }
}

extension Settings.Appearance {
  var scheme: AdwColorScheme {
    switch self {
    case .system: ADW_COLOR_SCHEME_DEFAULT
    case .light: ADW_COLOR_SCHEME_FORCE_LIGHT
    case .dark: ADW_COLOR_SCHEME_FORCE_DARK
    }
  }
}
