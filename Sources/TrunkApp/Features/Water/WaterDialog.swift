import GtkKit
import Localization
import TreePicture
import TrunkKit
import TrunkModel

/// The journal's daily dialog: up to three due sprouts, each with a question and a text.
final class WaterDialog {
  private let context: WindowContext
  private let dialog: DialogWindow
  private let meter = WaterMeter()
  private var sections: [WaterSection] = []
  private let questions: WaterQuestions
  private let clock: ActClock
  private let page = column(spacing: 18)
  /// The limb with today's leaves, after the day's last watering.
  private let day: ActPage
  /// The sprout that was watered last.
  private var lastWatered: String?
  private lazy var writing = WritingMode(dialog) { [weak self] in self?.sectionInUse?.subject }

  /// - Parameter first: the id of the sprout to show first, if it is due.
  init(_ context: WindowContext, first: String? = nil) {
    self.context = context
    questions = WaterQuestions(context)
    context.unsavedDrafts.waterForm?.discard()
    day = ActPage(context, height: 60)
    dialog = DialogWindow(
      over: context.window, title: tr("Water"), closeTitle: tr("Close"),
      content: crossfading(page, day.widget.visible(false)))
    clock = ActClock(dialog.widget)
    day.fill()
    context.unsavedDrafts.waterForm = dialog
    dialog.addToHeader(meter.widget)
    let due = Self.due(context.model, first: first)
    sections = due.map { WaterSection(context, $0, foot: dialog.foot) }
    for (position, section) in sections.enumerated() {
      if position > 0 { page.append(rule()) }
      page.append(section.widget)
      section.onAsk = { [weak self, weak section] in
        if let self, let section { section.ask(questions.another(about: section.sproutID)) }
      }
      section.onWrite = { [weak self, weak section] in
        if let self, let subject = section?.subject { writing.enter(subject) }
      }
      section.onGrow = { [weak self] in self?.dialog.fit() }
      section.onSave = { [weak self] in self?.moveOn(from: position) != nil }
      section.onWatered = { [weak self] in self?.watered(position) }
    }
    if sections.isEmpty { page.append(emptyContent()) }
    dialog.widget.ignoreRepeats(of: "<Control>Return")
    dialog.widget.onKey { [weak self] press in self?.takeEarly(press) ?? false }
    dialog.widget.on("destroy") { [weak self] in self?.sections.forEach { $0.close() } }
    dialog.returnsFocus(context) { [weak self] in self?.lastWatered }
    context.follow(dialog.widget) { [weak self] in self?.render() }
    _ = writing
    dialog.widget.keeps(self)
  }

  /// Shows the dialog at once, even while its drafts can't be read, so that typed text reaches its field.
  func present() {
    sections.forEach { $0.reserveQuestion(true) }
    dialog.present()
    sections.forEach { $0.reserveQuestion(false) }
    sections.first?.area.focus()
    sections.forEach { $0.drafts.restore() }
    Task {
      do {
        try await questions.load()
      } catch { context.report(error, in: dialog.foot) }
      for section in sections {
        await section.drafts.restored()
        guard dialog.isOpen else { return }
        if section.drafts.asked == nil { section.ask(questions.chooseToday(about: section.sproutID)) }
      }
      if dialog.isOpen { dialog.fit() }
    }
  }
}

extension WaterDialog {
  /// Writes at the cursor of the text in use, as if it was typed there.
  /// - Returns: whether there is such a text.
  @discardableResult
  func type(_ text: String) -> Bool {
    guard dialog.isOpen, let area = sectionInUse?.area else { return false }
    area.type(text)
    return true
  }

  /// Takes what is typed before the desktop has given the dialog the keyboard: GTK sends these keys to the window
  /// itself, not to its field.
  private func takeEarly(_ press: KeyPress) -> Bool {
    let isText = press.typed.unicodeScalars.contains { $0.value >= 0x20 && $0.value != 0x7f }
    guard !dialog.widget.isActive, press.modifiers.isDisjoint(with: [.control, .alt]), isText else { return false }
    return type(press.typed)
  }

  /// The sprouts to water now. Without a first one, there are none if everything is watered: ready sprouts need
  /// nothing.
  private static func due(_ model: GardenModel, first: String?) -> [Sprout] {
    let (garden, now) = (model.garden, model.now)
    var due = garden.waterable(at: now)
    if let position = due.firstIndex(where: { first?.hasSameBytes(as: $0.id) == true }) {
      due.insert(due.remove(at: position), at: 0)
    } else if garden.needingWater(at: now).isEmpty {
      due = []
    }
    due = Array(due.prefix(garden.waterLeft(at: now)))
    // What can't be written for today may be for yesterday.
    if let sprout = first.flatMap({ garden.sprout(id: $0) }), !due.contains(sprout),
      garden.canWaterForYesterday(sprout, at: now)
    {
      return [sprout]
    }
    return due
  }

  /// The section whose text has the focus, otherwise the first one to write in.
  private var sectionInUse: WaterSection? { sections.first { $0.area.hasFocus } ?? sections.first { $0.isDue } }

  private func render() {
    meter.show(context.model.garden, context.model.now)
    sections.forEach { $0.render() }
    // The last watering was undone.
    if day.isShown, let section = sections.first(where: \.isDue) {
      // An act that still runs would show the day again.
      clock.finish()
      showDay(false)
      section.area.focus()
    }
  }

  /// Moves the focus to the next text, unless the user already writes another one.
  private func moveOn(from position: Int, isSaved: Bool = false) -> WaterSection? {
    let order = sections[(position + 1)...] + sections[..<position] + (isSaved ? [sections[position]] : [])
    let open = order.filter(\.takesText)
    if let used = open.first(where: { $0.area.hasFocus }) { return used }
    open.first?.follow()
    return open.first
  }

  /// Moves to the next text and lets the leaf grow; after the day's last watering, shows the day.
  private func watered(_ position: Int) {
    let section = sections[position]
    lastWatered = section.sproutID
    let left = context.model.garden.drops(at: context.model.now).left
    if left == 0, !sections.contains(where: \.isDue) { return endDay(after: section) }
    // After an entry for yesterday, the same sprout's for today may be next.
    if let next = moveOn(from: position, isSaved: true) {
      next.announce(section.result)
    } else {
      dialog.focusClosing(section.result)
    }
    section.begin(.watering)
    clock.run(.watering, on: section.widget) { [strip = section.strip] in strip.time = $0 }
  }

  /// When the page fades into the limb, in milliseconds.
  private static let fading = (start: 400.0, end: 550.0)

  /// After the last watering, the dialog becomes the limb with the leaves of today, until it is closed.
  private func endDay(after section: WaterSection) {
    dialog.focusClosing(section.result + " " + tr("Everything is watered for today."))
    section.begin(.dayEnd)
    let (garden, now, state) = (context.model.garden, context.model.now, context.treeState)
    let sprouts = garden.wateredToday(at: now)
      .compactMap { sprout in garden.waterings(of: sprout).last.map { (sprout.id, $0.time.instant) } }
      .sorted { $0.1 < $1.1 }.map(\.0)
    day.show(section.ownWords)
    day.picture.show { width, height, palette in
      ActStage(dayOf: sprouts, state, width: width, height: height, palette: palette)
    }
    clock.run(.dayEnd, on: dialog.widget) { [weak self, strip = section.strip] time in
      guard let self else { return }
      let (start, end) = WaterDialog.fading
      strip.time = time
      day.widget.visible(time >= start).opacity((time - start) / (end - start))
      page.opacity((end - time) / (end - start))
      if time >= end, page.isVisible {
        showDay(true)
        // Until then, the section has its own button.
        dialog.offerUndo(context, .water, of: section.sproutID, tr("Watered for today."))
      }
      day.show(.dayEnd, at: time)
    }
  }

  private func showDay(_ isShown: Bool) {
    guard isShown == page.isVisible else { return }
    // The window keeps its size.
    page.visible(!isShown).opacity(1)
    day.widget.visible(isShown)
    dialog.scrollToTop()
  }

  /// Why there is nothing to water in a garden that grows; `nil` if there is, or if nothing grows.
  /// - Parameter first: the id of the sprout that the user wants to water, if it is a particular one.
  static func nothingToDo(_ context: WindowContext, first: String? = nil) -> String? {
    let (garden, now) = (context.model.garden, context.model.now)
    guard !garden.growing.isEmpty, due(context.model, first: first).isEmpty else { return nil }
    let values = ["time": Formats.moment(garden.zone.nextReset(after: now), now: now, in: garden.zone)]
    let isDue =
      !garden.needingWater(at: now).isEmpty
      || garden.waterable(at: now).contains { first?.hasSameBytes(as: $0.id) == true }
    return isDue
      ? tr("The water is used up for today. It returns {time}.", values)
      : tr("Everything is watered today. You can water again {time}.", values)
  }

  private func emptyContent() -> Widget {
    if context.model.awaitsInitialSync { return AwaitedGarden.loading() }
    return emptyState(
      icon: "trunk-sprout-symbolic", title: tr("Nothing is growing yet"),
      hint: tr("Plant a sprout, then write about it here."),
      button: button(tr("Plant a Sprout"), "plant") { [weak self] in
        if let self { dialog.leave(context, for: "win.plant") }
      })
  }
}
