import GtkKit
import Localization
import TrunkAccount
import TrunkKit
import TrunkModel

/// The commands of the window, used by menus, buttons, keys and D-Bus.
final class WindowCommands {
  private let context: WindowContext
  private let undoOffer: UndoOffer
  let links: LinkOpener

  /// - Parameter showPlanting: shows the form that is all of Today in a garden without sprouts.
  init(_ context: WindowContext, _ navigator: Navigator, showPlanting: @escaping @MainActor () -> Void) {
    self.context = context
    undoOffer = UndoOffer(context)
    links = LinkOpener(context, navigator)
    let window = context.window
    addRoutes(to: window, navigator)
    window.addAction("undo") { [undoOffer, foot = context.foot] in
      if !foot.undo() { undoOffer.undo() }
    }
    window.addSwitch("last-tended", isOn: context.settings.showsLastTended) { [weak navigator] isOn in
      context.attempt { try context.settings.set(showsLastTended: isOn) }
      if isOn { navigator?.open(.tree) }
    }
    window.addAction("open-link") { [links] address in links.open(address) }
    context.scope.onDrop { [links] in links.open($0) }
    window.addAction("plant") {
      let model = context.model
      let hasForm = model.garden.firstDays(at: model.now).isBeforePlanting && !model.awaitsInitialSync
      hasForm ? showPlanting() : PlantDialog(context).present()
    }
    addDialogs(to: window)
  }

  /// The commands that open a page.
  private func addRoutes(to window: Widget, _ navigator: Navigator) {
    let context = context
    window.addAction("search") { [weak navigator] in navigator?.open(.search()) }
    window.addAction("find") { [weak navigator] text in navigator?.open(.search(text)) }
    window.addAction("seedlings") { [weak navigator] in navigator?.open(.seedlings) }
    window.addAction("entry") { [weak navigator] seq in
      if let seq = Int64(seq) { navigator?.open(.entry(seq)) }
    }
    window.addAction("page") { [weak navigator] id in
      if let id = Int64(id) { navigator?.open(.page(id)) }
    }
    window.addAction("sprout") { [weak navigator] id in navigator?.open(.sprout(id)) }
    window.addAction("leaf") { [weak navigator] id in navigator?.open(.leaf(id)) }
    window.addAction("twig") { [weak navigator] id in navigator?.open(.twig(id)) }
    window.addAction("branch") { [weak navigator] index in
      if let index = Int(index) { navigator?.open(.branch(index)) }
    }
    window.addAction("limb") { [weak navigator] index in
      navigator?.showTree(of: Int(index).flatMap { (0..<8).contains($0) ? $0 : nil })
    }
    window.addAction("time") { [weak navigator] in
      if TimeMode.hasPast(context) { navigator?.showTime() }
    }
    window.addAction("grow") { [weak navigator] year in
      if let year = Int32(year) { navigator?.showGrowth(in: year) }
    }
    window.addAction("month") { [weak navigator] month in
      if let month = Period(month, today: context.today) { navigator?.openJournal(at: month.last) }
    }
    // Without a number, the year of today.
    window.addAction("year") { [weak navigator] year in
      navigator?.open(.year(Int32(year) ?? context.today.year))
    }
  }

  /// Commands for one object take its id as the target; an empty id means the first suitable one.
  private func addDialogs(to window: Widget) {
    let context = context
    window.addAction("water") { id in
      let first = id.isEmpty ? nil : id
      guard let reason = WaterDialog.nothingToDo(context, first: first) else {
        return WaterDialog(context, first: first).present()
      }
      context.foot.show(reason)
    }
    window.addAction("seedling") { SeedlingDialog(context).present() }
    addSeedlings(to: window)
    window.addAction("shine") { ShineDialog(context).present() }
    window.addAction("harvest") { id in
      let model = context.model
      guard let sprout = id.isEmpty ? model.garden.ready(at: model.now).first?.id : id else {
        context.foot.show(nothingToHarvest(context))
        return
      }
      ifDownloaded(context) { HarvestDialog(context, sprout).present() }
    }
    window.addAction("uproot") { id in ifDownloaded(context) { UprootDialog(context, id).present() } }
    window.addAction("edit") { id in EditDialog(context, id).present() }
    window.addAction("continue-leaf") { id in
      PlantDialog(context, prefill: context.model.continuation(ofLeaf: id)).present()
    }
    window.addAction("upcoming") { UpcomingHarvests(context).present() }
    addSync(to: window)
    addWindows(to: window)
  }

  /// Commands that open logs, preferences, files and help.
  private func addWindows(to window: Widget) {
    let context = context
    window.addAction("soil-log") { SoilLog(context).present() }
    window.addAction("water-log") { JournalLog(context, .water).present() }
    window.addAction("sun-log") { JournalLog(context, .sun).present() }
    window.addAction("preferences") { PreferencesDialog(context).present() }
    window.addAction("backups") { PreferencesDialog(context, page: .data).present() }
    window.addAction("transfer") { TransferDialog(context).present() }
    window.addAction("import") { ImportChooser(context).present() }
    window.addAction("import-file") { path in context.attempt { try await ImportDialog.present(context, path) } }
    window.addAction("export") { ExportDialog.choose(context) }
    window.addAction("save-poster") { PosterDialog(context).present() }
    window.addAction("export-journal") { BookDialog(context).present() }
    window.addAction("book") { year in
      context.attempt { BookWindow(context, try await context.model.bookYears(), Int32(year)).present() }
    }
    window.addAction("export-sprout") { id in BookDialog(context, aboutSprout: id).present() }
    window.addAction("shortcuts") { ShortcutsWindow(over: window).present() }
    window.addAction("help") { HelpWindow(over: window).present() }
    window.addAction("handbook") { Handbook.present(over: window) }
    window.addAction("about") { presentAbout(over: window) }
  }

  private func addSeedlings(to window: Widget) {
    let context = context
    func withSeedling(_ id: String, _ body: (Seedling) -> Void) {
      guard let seedling = context.model.garden.seedling(id: id) else {
        return context.report(IntentError.unknownSeedling)
      }
      body(seedling)
    }
    window.addAction("plant-seedling") { id in withSeedling(id) { PlantDialog(context, seedling: $0).present() } }
    window.addAction("edit-seedling") { id in withSeedling(id) { EditSeedlingDialog(context, $0).present() } }
    window.addAction("delete-seedling") { id in context.attempt { try await context.model.deleteSeedling(id) } }
  }

  private func addSync(to window: Widget) {
    let context = context
    let accountModel = context.accountModel
    window.addAction("storage") { StorageDialog(context).present() }
    window.addAction("sync") { SyncDetails(context).present() }
    window.addAction("sync-now") { context.attempt { _ = try await accountModel.sync() } }
    window.addAction("account") {
      accountModel.signInState == .local ? signIn(context) : AccountDialog(context).present()
    }
    window.addAction("account-and-sync") {
      accountModel.signInState == .local ? StorageDialog(context).present() : AccountDialog(context).present()
    }
    window.addAction("sign-in") { signIn(context) }
    window.addAction("unlock-keyring") { context.attempt { try await accountModel.unlockKeyring() } }
  }

  /// Shortcuts that text fields also use. A key controller handles them only if no field does; accelerators of the
  /// application would get them first, even while the user types.
  static func addKeys(to window: Widget) {
    window.onKey { press in
      switch press.modifiers {
      case []:
        if press.characters.contains("/") { return window.activate("win.search") }
        if press.characters.contains("s") { return window.runLetter(for: "win.shine") }
        if press.characters.contains("n") { return window.runLetter(for: "win.plant") }
        if press.characters.contains("h") { return window.runLetter(for: "win.harvest", target: "") }
        if press.characters.contains("t") { return window.runLetter(for: "win.time") }
        return press.characters.contains("w")
          && window.runLetter(for: "win.water", target: focusedSprout(in: window) ?? "")
      case .control:
        let command = press.characters.contains("z") ? "win.undo" : view(of: press)
        return command.map { window.activate($0) } ?? false
      default: return false
      }
    }
  }

  /// The id of the sprout whose row, or a button in it, has the focus.
  static func focusedSprout(in window: Widget) -> String? {
    sequence(first: window.focusedWidget, next: { $0?.parent }).lazy
      .first { $0?.actionName == "win.sprout" }??.actionTarget
  }

  /// The command of a digit that needs Shift on the user's keyboard; the application's accelerators know the others.
  private static func view(of press: KeyPress) -> String? {
    let digits = press.characters.lazy.compactMap(\.wholeNumberValue)
    return digits.first.flatMap { (1...Route.views.count).contains($0) ? "win.view::" + Route.views[$0 - 1].view : nil }
  }
}

extension Widget {
  /// Lets W in here be about one sprout, and H if it is ready. Elsewhere they are about the first one that needs water
  /// or is ready.
  /// - Parameter sproutID: returns its id; `nil` if there is none now.
  func tendsSprout(in model: GardenModel, _ sproutID: @escaping () -> String?) {
    onKey { [self] press in
      guard press.modifiers.isEmpty, let id = sproutID() else { return false }
      if press.characters.contains("h"), model.garden.sprout(id: id)?.isReady(at: model.now) == true {
        return runLetter(for: "win.harvest", target: id)
      }
      return press.characters.contains("w") && runLetter(for: "win.water", target: id)
    }
  }

  fileprivate func runLetter(for command: String, target: String? = nil) -> Bool {
    runLetter { [self] in activate(command, target: target) }
    return true
  }
}

/// Why there is nothing to harvest: when the next sprout is ready.
private func nothingToHarvest(_ context: WindowContext) -> String {
  let (garden, now) = (context.model.garden, context.model.now)
  guard let next = garden.upcoming(at: now).first else { return tr("No sprout is ready to harvest yet.") }
  let time = garden.timeLeft(of: next, at: now)
  return tr("“{title}” is ready in {time}.", ["title": clamped(next.title, to: 60), "time": time])
}

/// Opens the sign-in dialog, after asking for the server if none is set.
private func signIn(_ context: WindowContext) {
  context.attempt {
    if let signIn = try await context.accountModel.signIn.begin() {
      SignInDialog(context, signIn).present()
    } else {
      ServerDialog(context) { signIn(context) }.present()
    }
  }
}

/// Runs `open` if the whole garden is here; otherwise shows why the action isn't possible yet.
private func ifDownloaded(_ context: WindowContext, _ open: () -> Void) {
  do {
    try context.model.checkInitialSync()
    open()
  } catch { context.report(error) }
}

/// Shows authors, license and website.
func presentAbout(over parent: Widget) {
  About(
    name: tr("Trunk"), icon: Application.id, version: Release.version, developer: tr("The Trunk authors"),
    copyright: tr("© 2026 The Trunk authors"),
    comments: tr("A calm place to tend your life: plan, write, reflect, harvest."), website: "https://trunk.garden"
  ).present(over: parent)
}
