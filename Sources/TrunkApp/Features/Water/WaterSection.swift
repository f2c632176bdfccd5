import GtkKit
import Localization
import TreePicture
import TrunkAccount
import TrunkKit
import TrunkModel

/// One sprout of the water dialog, with its shoot, a question and a text.
final class WaterSection {
  let sproutID: String
  let widget: Widget
  let area: TextArea
  let drafts: TextDraft

  /// Called when the user asks for another question.
  var onAsk: (() -> Void)?
  /// Called when the user starts writing mode.
  var onWrite: (() -> Void)?
  /// Called when the section needs more height.
  var onGrow: (() -> Void)?
  /// Called when the text leaves its field, before it is written; returns whether another text has the focus now.
  var onSave: (() -> Bool)?
  /// Called when the sprout was watered here, before the act of it begins.
  var onWatered: (() -> Void)?

  /// Whether it can be watered now.
  var isDue: Bool { state == .due }

  /// Whether a text can be typed into it now.
  var takesText: Bool { isDue && !action.isBusy }

  /// Whether it was watered today, or no longer grows.
  var isOver: Bool { state == .watered || state == .gone }

  private enum State {
    case due, watered, waterless, gone
  }

  private let context: WindowContext
  // It holds the content of its dialog, which includes this object.
  private weak var foot: Foot?
  /// The shoot of the sprout. What is written becomes a leaf of it.
  let strip: ActPicture
  private let title = paragraph("", "semibold")
  private let place = paragraph("", "hint")
  /// The watering is being undone: its text will return, and the user will want to continue it.
  private var isReturning = false
  /// The number of the sprout's waterings when it was last shown.
  private var waterings = 0
  private let head = line(spacing: 12)
  private let mark = icon("trunk-drop-symbolic").css("water")
  private let question = paragraph("", "question")
  private let page: Widget
  /// What was written, in the place of its field.
  private let words = paragraph("", "journal").margin(top: 12, bottom: 4, start: 15, end: 15)
  private var written: String?
  /// What is needed to write, and not to read.
  private var tools: [Widget] = []
  private var shown: TreeState.Leaflet?
  /// Until then, an empty text isn't asked for words: the key may belong to the entry before.
  private var pauseEnd: ContinuousClock.Instant?
  private let hint = paragraph("", "hint")
  /// The same, on one line with the keys, where there is room for both.
  private let shortHint = label("", "hint")
  private let waterButton: Widget
  /// Offered until noon; whether it is ticked is not remembered.
  private let forYesterday: Widget
  /// Waters without an entry. It appears after an attempt to save nothing, so that no key pressed twice does that.
  private let wordlessButton = button(tr("Water Without Words"), "link", "flush") {}
  private var state: State?
  private var showsEmptyHint = false
  private lazy var action = BusyAction(context, foot: foot, form: area.widget) { [weak self] in
    self?.isClosed == false
  }
  private var isClosed = false
  /// The shoot before the latest watering.
  private var before: TreeState.Leaflet?

  /// - Parameter corner: shown beside the title.
  init(_ context: WindowContext, _ sprout: Sprout, foot: Foot, corner: Widget? = nil) {
    (self.context, self.foot) = (context, foot)
    sproutID = sprout.id
    strip = ActPicture(context, height: 56, isPartOfTree: false)
    area = TextArea(
      name: tr("Entry about {title}", ["title": sprout.title]), placeholder: tr("A few words are plenty"),
      limit: .entry)
    context.spelling.check(area)
    drafts = TextDraft(context, .water, about: sprout.id, area: area, foot: foot)
    waterButton = button(tr("Water"), "water") {}
    page = column(spacing: 10)
    forYesterday = checkBox(tr("For yesterday")).css("hint").halign(.start)
    widget = group(sprout.title, spacing: 10)

    let hints = firstThatFits().hexpand().valign(.center)
    hints.addVariant(line(spacing: 10, shortHint.ellipsize(.none).hexpand(), label(tr("Ctrl+Enter"), "hint")))
    hints.addVariant(hint)
    // The accessible name includes the title: the dialog has up to three of these buttons.
    waterButton.accessibleName(tr("Water “{title}”", ["title": sprout.title]))
    wordlessButton.accessibleName(tr("Water “{title}” without words", ["title": sprout.title]))
    let another = iconButton("view-refresh-symbolic", name: tr("Another question")) { [weak self] in self?.onAsk?() }
    another.accessibleName(tr("Another question about “{title}”", ["title": sprout.title]))
    let fullScreen = WritingMode.button(name: tr("Write in full screen")) { [weak self] in self?.onWrite?() }
    fullScreen.accessibleName(tr("Write about “{title}” in full screen", ["title": sprout.title]))
    let corners = line(spacing: 2, another.css("faint"), fullScreen).valign(.start)
    let actions = column(
      spacing: 10, line(spacing: 10, hints, waterButton), wordlessButton.halign(.start).visible(false))
    let days = line(forYesterday)
    tools = [corners, area.widget, days, actions]
    page.append(line(spacing: 8, question.hexpand(), corners), area.widget, words, days, actions)
    let names = column(spacing: 1, title, place).valign(.center).hexpand()
    let undo = undoButton(context, .water, of: sprout.id, foot) { [weak self] in self?.isReturning = true }
    head.append(names)
    let top = line(spacing: 12, head.hexpand(), undo, mark.valign(.center))
    if let corner { top.append(corner) }
    widget.append(top, strip.widget, page)
    forYesterday.on("toggled") { [weak self] in self?.render() }
    waterButton.on("clicked") { [weak self] in self?.water() }
    wordlessButton.on("clicked") { [weak self] in self?.save() }
    area.onSubmit = { [weak self] in self?.water() }
    area.onChange = { [weak self] in self?.changed() }
    drafts.onAsked = { [weak self] in self?.ask($0.question) }
    widget.keeps(self)
  }

  /// The text and its question, for writing mode; `nil` if nothing can be written now.
  var subject: WritingMode.Subject? { takesText ? (area, drafts.asked?.question ?? "") : nil }

  /// Reserves two lines for the question while the window's height is computed.
  func reserveQuestion(_ isReserved: Bool) {
    question.setText(isReserved ? "\n" : "")
  }

  /// Shows the question to answer.
  func ask(_ question: String) {
    drafts.ask(.init(question))
    self.question.setText(question)
    area.describe(question)
  }

  /// Saves the draft; call it when the dialog is closed and its widgets are gone.
  func close() {
    isClosed = true
    drafts.close()
  }

  /// Shows the current state of the sprout.
  func render() {
    let (garden, now) = (context.model.garden, context.model.now)
    let sprout = garden.sprout(id: sproutID)
    if let sprout {
      let leaflet = TreeState.Leaflet(sprout, garden, garden.zone.dayKey(now))
      if leaflet != shown, !action.isBusy { strip.show(leaflet) }
      shown = leaflet
      title.setText(oneLine(sprout.title))
      let note = tr("{title}, {place}", ["title": sprout.title, "place": garden.path(ofTwig: sprout.twigID)])
      widget.accessibleName(note)
    }
    let new: State =
      if let sprout, sprout.isActive {
        isForYesterday(sprout, garden, now) ? .due : stateToday(sprout, garden, now)
      } else {
        .gone
      }
    place.setText(note(new, sprout))
    returnText(to: sprout)
    guard new != state else { return }
    let old = state
    state = new
    // Its text disappears, although the user may be writing it.
    if old == .due || old == .waterless, isOver, !action.isBusy {
      area.widget.releaseFocus()
      if !area.text.trimmed.isEmpty { foot?.show(tr("Your draft is saved.")) }
    }
    show(new)
    // On a new day, there is no draft.
    if old == .watered { drafts.restore() }
  }
}

extension WaterSection {
  /// After an undo, the text is a draft again. A watering for yesterday changes no state, so waterings are counted.
  private func returnText(to sprout: Sprout?) {
    let count = sprout?.waterings.count ?? 0
    defer { waterings = count }
    guard count < waterings, state == .due else { return }
    drafts.restore()
    if isReturning { area.focus() }
    isReturning = false
  }

  private func stateToday(_ sprout: Sprout, _ garden: Garden, _ now: Instant) -> State {
    if garden.wasWatered(sprout, onDayOf: now) { return .watered }
    return garden.waterLeft(at: now) > 0 ? .due : .waterless
  }

  /// Whether the entry is for yesterday; offers it while it is possible.
  private func isForYesterday(_ sprout: Sprout, _ garden: Garden, _ now: Instant) -> Bool {
    let isPossible = garden.canWaterForYesterday(sprout, at: now)
    forYesterday.visible(isPossible)
    // If nothing can be written for today, it is for yesterday, and can't be changed.
    let hasChoice = stateToday(sprout, garden, now) == .due
    forYesterday.sensitive(hasChoice)
    if isPossible, state == nil, !hasChoice { forYesterday.isChecked = true }
    if !isPossible { forYesterday.isChecked = false }
    return isPossible && forYesterday.isChecked
  }

  private func show(_ state: State) {
    if state != .watered { written = nil }
    let isOver = isOver
    page.visible(!isOver || written?.isEmpty == false)
    for tool in tools { tool.visible(!isOver) }
    words.visible(isOver)
    words.setText(written ?? "")
    mark.visible(state == .watered)
    head.css("spent", when: isOver)
    waterButton.sensitive(state == .due)
    showsEmptyHint = false
    showHint()
    // The button that had the focus is gone.
    if isReturning, state == .due { area.focus() }
    isReturning = false
  }

  /// The note below the title.
  private func note(_ state: State, _ sprout: Sprout?) -> String {
    switch (state, sprout) {
    case (.watered, _): return tr("Watered today")
    case (.gone, _), (_, nil): return tr("No longer growing")
    case (.due, let sprout?), (.waterless, let sprout?):
      return SproutTexts.placeAndTime(of: sprout, in: context.model.garden, now: context.model.now)
    }
  }

  private func showHint() {
    let text = hintText
    for hint in [hint, shortHint] {
      hint.setText(text)
      hint.css("wood", when: showsEmptyHint)
    }
    wordlessButton.visible(showsEmptyHint)
  }

  private var hintText: String {
    if showsEmptyHint { return tr("A few words, or leave it for today") }
    guard state == .waterless else { return tr("Saved as you type") }
    let model = context.model
    let returns = model.garden.zone.nextReset(after: model.now)
    return tr(
      "No water is left. It returns {time}. Your text is saved until then.",
      ["time": Formats.moment(returns, now: model.now, in: model.garden.zone)])
  }

  private func changed() {
    drafts.changed()
    if pauseEnd != nil {
      // What was said of the watering before isn't about this text.
      area.describe(drafts.asked?.question ?? "")
      pauseEnd = nil
    }
    if showsEmptyHint {
      showsEmptyHint = false
      showHint()
    }
  }

  private func water() {
    guard takesText else { return }
    guard area.text.trimmed.isEmpty else { return save() }
    if let pauseEnd, pauseEnd > .now { return }
    if !showsEmptyHint {
      showsEmptyHint = true
      showHint()
      onGrow?()
    }
    area.focus()
    widget.announce(hintText)
  }

  private func save() {
    guard takesText else { return }
    let before = shown
    written = String(area.text.trimmed)
    let hasNext = onSave?() ?? false
    action.run {
      try await self.drafts.finish { [self] text in
        try await context.model.water(
          sproutID, text: text, question: drafts.asked?.question, on: forYesterday.isChecked ? .yesterday : .today)
      }
    } done: {
      self.before = before
      self.render()
      self.onWatered?()
      // After an entry for yesterday, today's is still to be written.
      if self.isDue { self.written = nil }
    } onError: {
      self.written = nil
      if !hasNext { self.area.focus() }
    }
  }
}

// MARK: - The act

extension WaterSection {
  /// What stands for the latest entry where there is room for a sentence.
  var ownWords: String {
    OwnWords.quoted(written, orTitle: context.model.garden.sprout(id: sproutID)?.title ?? "")
  }

  /// What a screen reader says of the watering, at the place that gets the focus.
  var result: String {
    guard let sprout = context.model.garden.sprout(id: sproutID) else { return "" }
    return trn(
      "Watered. {title} has {n} leaf.", "Watered. {title} has {n} leaves.", sprout.waterings.count,
      ["title": sprout.title])
  }

  /// Takes the focus while another sprout is being watered. For a moment, Ctrl+Enter doesn't ask for words.
  func follow() {
    pauseEnd = .now + WaterSection.pause
    area.focus()
  }

  /// Says that another sprout was watered, unless something is written here by now.
  func announce(_ result: String) {
    guard area.text.isEmpty else { return }
    area.describe([result, drafts.asked?.question].compactMap(\.self).joined(separator: " "))
  }

  private static let pause = Duration.milliseconds(700)

  /// Prepares the strip for the act of a watering.
  func begin(_ act: Act) {
    guard let shown, let before else { return }
    strip.show(shown, watered: act, from: before)
  }
}
