import GtkKit
import Localization
import TrunkAccount
import TrunkKit
import TrunkModel

/// The window: a header bar with the view switcher, the content of one garden, and a switcher at the bottom if the
/// window is narrow. The window stays when another garden is shown.
final class MainWindow {
  /// The `AdwApplicationWindow`, which has the `win.` commands.
  let widget: Widget
  private(set) var pane: GardenPane

  var context: WindowContext { pane.context }

  private let settings: Settings
  private let unsavedDrafts: UnsavedDrafts
  private let foot = Foot(closeName: tr("Dismiss"))
  private let place = bin()
  private let status = bin()
  private let switcher = ViewSwitcher()
  private var view: Action?
  /// The day on which the window was left for another program; `nil` while it is in use.
  private var dayOfLeaving: Day?
  /// An invisible strip as wide as the window. GTK 4.8 has no other way to observe the window's size.
  private let widthProbe = drawing(width: 0, height: 0)

  init(
    application: OpaquePointer, model: GardenModel, accountModel: AccountModel, settings: Settings,
    unsavedDrafts: UnsavedDrafts
  ) {
    let state = WindowState.load()
    self.settings = settings
    self.unsavedDrafts = unsavedDrafts
    widget = applicationWindow(application, title: tr("Trunk"))
    widget.windowSize = (state.width, state.height)
    if state.isMaximised { widget.maximise() }
    widget.size(width: 340, height: 294)
    pane = GardenPane(
      model: model, accountModel: accountModel, settings: settings, unsavedDrafts: unsavedDrafts, window: widget,
      foot: foot, page: state.page(on: model.garden.zone.dayKey(model.now)))
    layOut()
    view = widget.addChoice("view", choice: pane.page) { [weak self] name in
      if let route = Route(view: name) { self?.pane.open(route) }
    }
    showContent()
    if !state.isMaximised { pane.fit(width: state.width) }
    WindowCommands.addKeys(to: widget)
    widget.pauseLetters { [weak self] in self?.write($0) }
    reportFocus(of: widget) { [weak self] in self?.context.accountModel }
    widget.onChange(of: "is-active") { [widget] in
      if widget.isActive { settings.reload() }
    }
    widget.onChange(of: "is-active") { [weak self] in self?.followDay() }
    widget.keepsFocusInPlace()
    widget.on("map") { [weak self] in self?.pane.beginFocus() }
    _ = SafeClose(widget, unsavedDrafts) { [weak self] in
      self?.saveState()
      self?.widget.closeDialogs()
    }
    widget.keeps(self)
  }

  /// Begins an entry with what is typed on Today although no field has the focus; elsewhere says how to write.
  /// - Returns: what takes the rest.
  private func write(_ text: String) -> (@MainActor (String) -> Bool)? {
    guard !context.model.garden.growing.isEmpty else { return nil }
    let first = WindowCommands.focusedSprout(in: widget)
    guard pane.navigator.place == .today, widget.openDialog == nil,
      WaterDialog.nothingToDo(context, first: first) == nil
    else {
      foot.show(tr("To write, press W."))
      return nil
    }
    let dialog = WaterDialog(context, first: first)
    dialog.present()
    dialog.type(text)
    return { [weak dialog] in dialog?.type($0) ?? false }
  }

  /// Shows another garden. The window's size, position, view and focus stay the same.
  func show(_ model: GardenModel, _ accountModel: AccountModel) {
    // The dialogs belong to the old garden.
    widget.closeDialogs()
    let focused = FocusedCommand(in: pane.widget, of: widget)
    pane = GardenPane(
      model: model, accountModel: accountModel, settings: settings, unsavedDrafts: unsavedDrafts, window: widget,
      foot: foot, page: pane.page)
    showContent()
    pane.fit(width: widthProbe.width)
    // The form of a garden without sprouts begins with its title.
    if focused?.focus(in: pane.widget) != true { pane.beginFocus() }
  }

  /// Ignores clicks on a garden that is about to be replaced. It looks the same as before, because this takes only a
  /// moment.
  func freeze() { pane.widget.targetable(false) }

  private func showContent() {
    switcher.stack = pane.navigator.stack
    switcher.onReselect = { [weak self] in self?.pane.showRoot() }
    status.setChild(pane.status.widget)
    place.setChild(pane.widget)
    pane.onPage = { [weak self] in self?.showPage() }
    showPage()
    pane.context.showOpeningNotices()
  }

  private func showPage() {
    view?.choice = pane.page
    // Shown in place of the switcher if the window is narrow.
    switcher.setTitle(pane.title)
  }

  private func layOut() {
    let header = headerBar(
      title: switcher.widget,
      // As wide as what is at the end, so that there is room for the tabs in the middle.
      start: [iconButton("system-search-symbolic", name: tr("Search"), command: "win.search"), status],
      end: [
        menuButton("open-menu-symbolic", name: tr("Main menu"), isPrimary: true, mainMenu()),
        iconButton("list-add-symbolic", name: tr("Plant a sprout"), command: "win.plant"),
      ])
    foot.setContent(column(widthProbe, place.vexpand()))
    widget.setWindowContent(column(header, foot.widget.vexpand(), switcher.bar))
    // This runs during size allocation, so changes to the size must wait for the next turn of the loop.
    widthProbe.on("resize") { [weak self] in
      Task { if let self { self.pane.fit(width: self.widthProbe.width) } }
    }
  }

  /// Saves the window's size and view.
  private func saveState() {
    var state = WindowState()
    (state.width, state.height) = widget.windowSize
    state.isMaximised = widget.isMaximised
    state.page = pane.page
    state.day = context.today.description
    state.save()
  }

  /// Opens Today when the user returns to the window on a new day, unless something is being written.
  private func followDay() {
    guard widget.isActive else { return dayOfLeaving = widget.openDialog == nil ? context.today : nil }
    let today = context.model.garden.zone.dayKey(context.model.clock.now())
    defer { dayOfLeaving = nil }
    guard let dayOfLeaving, dayOfLeaving != today, widget.focusedWidget?.takesLetters != true else { return }
    pane.open(.today)
  }
}

/// The command of the focused button, to focus the same button after the garden was replaced.
private struct FocusedCommand {
  private let name: String?

  /// - Parameter content: only buttons inside it count.
  /// - Returns: `nil` if the focus is elsewhere.
  init?(in content: Widget, of window: Widget) {
    guard let focused = window.focusedWidget, content.contains(focused) else { return nil }
    name = focused.actionName
  }

  /// Focuses the button with this command.
  /// - Returns: whether there is one.
  func focus(in content: Widget) -> Bool {
    // A hidden widget would take the focus, and key presses would have no effect.
    guard let name, content.isMapped else { return false }
    if content.actionName == name, content.focus() { return true }
    return content.children.contains { focus(in: $0) }
  }
}

/// The entries of the window's menu.
@MainActor private func mainMenu() -> [MenuEntry] {
  [
    .section([
      .item(tr("Plant a Sprout…"), action: "win.plant", key: "n"),
      .item(tr("Note an Idea…"), action: "win.seedling"),
      .item(tr("Undo"), action: "win.undo", key: "<Control>z"),
    ]),
    .section([
      .item(tr("Export, Print and Import…"), action: "win.transfer"),
      .item(tr("Account and Sync…"), action: "win.account-and-sync"),
    ]),
    .section([
      .item(tr("Preferences"), action: "win.preferences"),
      .item(tr("Keyboard Shortcuts"), action: "win.shortcuts"),
      .item(tr("Handbook"), action: "win.handbook"),
      .item(tr("About Trunk"), action: "win.about"),
      .item(tr("Quit"), action: "app.quit"),
    ]),
  ]
}
