import GtkKit
import Localization
import TrunkAccount
import TrunkKit
import TrunkModel

/// A small window with one question about one sprout that is due. It opens without the main window, and shares its
/// drafts with the water dialog.
final class QuickWater {
  let context: WindowContext
  let widget: Widget

  private let dialog: DialogWindow
  private let place = bin()
  private let meter = WaterMeter()
  private let left = paragraph("", "hint")
  private let next = button(tr("Water Another")) {}
  private let done = button(tr("Done"), "suggested-action") {}
  private let ending = line(spacing: 8)
  private let questions: WaterQuestions
  private let clock: ActClock
  private let onOpenTrunk: () -> Void
  private lazy var writing = WritingMode(dialog) { [weak self] in self?.section?.subject }
  private var section: WaterSection?
  private var clockWatch: ClockWatch?

  private static let width = 480

  /// - Parameters:
  ///   - window: the main window of the same garden, if it is open.
  ///   - onOpenTrunk: opens the main window.
  init(
    _ desktop: DesktopApplication, model: GardenModel, accountModel: AccountModel, settings: Settings,
    unsavedDrafts: UnsavedDrafts, beside window: MainWindow?, onOpenTrunk: @escaping () -> Void
  ) {
    self.onOpenTrunk = onOpenTrunk
    dialog = DialogWindow(
      over: nil, title: tr("Water"), width: QuickWater.width, content: column(spacing: 12, place, ending))
    widget = dialog.widget
    clock = ActClock(dialog.widget)
    dialog.standAlone(in: desktop.object)
    context = WindowContext(
      model: model, accountModel: accountModel, settings: settings, unsavedDrafts: unsavedDrafts, window: widget,
      foot: dialog.foot, chosenQuestions: window?.context.chosenQuestions ?? ChosenQuestions())
    questions = WaterQuestions(context)
    unsavedDrafts.waterForm = dialog
    dialog.addToHeader(meter.widget)
    ending.append(left.hexpand().valign(.center), next, done)
    next.on("clicked") { [weak self] in self?.showNext() }
    done.on("clicked") { [weak self] in self?.dialog.close() }
    addKeys()
    _ = SafeClose(widget, unsavedDrafts)
    widget.on("destroy") { [weak self] in self?.section?.close() }
    context.followStore()
    clockWatch = ClockWatch(context)
    reportFocus(of: widget) { accountModel }
    context.follow(widget) { [weak self] in self?.render() }
    _ = writing
    widget.keeps(self)
  }

  /// Shows the window, with the cursor in the text.
  func present() {
    dialog.present()
    section?.area.focus()
    context.showOpeningNotices()
  }

  /// Closes the window at once; what was typed is still saved.
  func discard() { if dialog.isOpen { dialog.discard() } }
}

extension QuickWater {
  /// The sprouts that can be watered now, those that need water first; none if no sprout needs any.
  private var due: [Sprout] {
    let (garden, now) = (context.model.garden, context.model.now)
    return garden.waterLeft(at: now) > 0 && !garden.needingWater(at: now).isEmpty ? garden.waterable(at: now) : []
  }

  private func addKeys() {
    widget.ignoreRepeats(of: "<Control>Return")
    for (keys, step) in [("<Alt>Down", 1), ("<Alt>Up", -1)] {
      widget.onShortcut(keys) { [weak self] in self?.move(by: step) }
    }
  }

  private func render() {
    let (garden, now) = (context.model.garden, context.model.now)
    meter.show(garden, now)
    left.setText(WaterMeter.text(garden, now))
    section?.render()
    if section == nil {
      if let sprout = due.first { show(sprout) } else { showNothingDue() }
    }
    ending.visible(section?.isOver ?? false)
    next.visible(!due.isEmpty)
  }

  private func show(_ sprout: Sprout) {
    section?.close()
    let hasOthers = due.contains { !$0.id.hasSameBytes(as: sprout.id) }
    let new = WaterSection(context, sprout, foot: dialog.foot, corner: hasOthers ? choice() : nil)
    section = new
    new.onAsk = { [weak self, weak new] in
      if let self, let new { new.ask(questions.another(about: new.sproutID)) }
    }
    new.onWrite = { [weak self, weak new] in
      if let subject = new?.subject { self?.writing.enter(subject) }
    }
    new.onGrow = { [weak self] in self?.dialog.fit() }
    new.onWatered = { [weak self, weak new] in
      guard let self, let new else { return }
      render()
      dialog.fit()
      done.accessibleDescription(new.result).focus()
      new.begin(.watering)
      clock.run(.watering, on: new.widget) { [strip = new.strip] in strip.time = $0 }
    }
    place.setChild(new.widget)
    new.render()
    new.reserveQuestion(true)
    dialog.fit()
    new.reserveQuestion(false)
    if dialog.widget.isMapped { new.area.focus() }
    new.drafts.restore()
    Task { [weak self] in await self?.ask(new) }
  }

  /// Asks the draft's question, or today's.
  private func ask(_ section: WaterSection) async {
    do { try await questions.load() } catch { context.report(error, in: dialog.foot) }
    await section.drafts.restored()
    guard dialog.isOpen, section === self.section else { return }
    if section.drafts.asked == nil { section.ask(questions.chooseToday(about: section.sproutID)) }
    dialog.fit()
  }

  /// Moves to the next sprout. Not a menu: GTK complains if a menu ends together with the form that contains it.
  private func choice() -> Widget {
    iconButton("go-down-symbolic", name: tr("Choose another sprout")) { [weak self] in self?.move(by: 1) }
  }

  private func choose(_ sproutID: String) {
    guard let sprout = context.model.garden.sprout(id: sproutID) else { return }
    show(sprout)
    render()
  }

  /// Moves to the next sprout that is due, or to the one before it.
  private func move(by step: Int) {
    let due = due
    guard due.count > 1, !dialog.isFullScreen else { return }
    let current = due.firstIndex { section?.sproutID.hasSameBytes(as: $0.id) == true } ?? 0
    choose(due[(current + step + due.count) % due.count].id)
  }

  private func showNext() {
    if let sprout = due.first { choose(sprout.id) }
  }

  private func showNothingDue() {
    let (title, hint) = nothingDue
    let open = button(tr("Open Trunk"), "suggested-action") { [weak self] in
      guard let self else { return }
      onOpenTrunk()
      dialog.close()
    }
    place.setChild(emptyState(icon: "trunk-drop-symbolic", title: title, hint: hint, button: open))
    open.focus()
  }

  private var nothingDue: (title: String, hint: String) {
    if let reason = WaterDialog.nothingToDo(context) { return (tr("Nothing to water"), reason) }
    return context.model.awaitsInitialSync
      ? (tr("Loading your garden…"), tr("It is downloaded from the server once. You can already write."))
      : (tr("Nothing is growing yet"), tr("Plant a sprout, then write about it here."))
  }
}
