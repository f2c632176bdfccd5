import Garden
import Gardening
import GtkKit
import Localization

/// One sprout of the water dialog: what it is, a question, what is written about it.
final class WaterSection {
  let sproutID: String
  let widget: Widget
  let area: TextArea
  let drafts: DraftKeeper

  /// Called for another question.
  var onAsk: (() -> Void)?
  /// Called when it was watered here.
  var onWatered: (() -> Void)?

  /// Whether it can be watered now.
  var isDue: Bool { state == .due }

  private enum State {
    case due, watered, waterless, gone
  }

  private let session: Session
  // It holds the content of its dialog, and thereby this.
  private weak var toaster: Toaster?
  private let ring = Ring(size: 34)
  private let title = paragraph("", "semibold")
  private let place = paragraph("", "hint")
  /// What was written comes back, and whoever wants it back goes on with it.
  private var isReturning = false
  private let head = line(spacing: 12)
  private let mark = icon("trunk-drop-symbolic").css("water")
  private let question = paragraph("", "question")
  private let page: Widget
  private let hint: Widget
  private let deed: Widget
  private var state: State?
  private var isNudged = false
  private var isBusy = false
  private var isClosed = false

  init(_ session: Session, _ sprout: Sprout, toaster: Toaster) {
    (self.session, self.toaster) = (session, toaster)
    sproutID = sprout.id
    area = TextArea(
      name: tr("Entry about {title}", ["title": sprout.title]), placeholder: tr("A few words are plenty"),
      limit: Limits.journal)
    drafts = DraftKeeper(session, .water, about: sprout.id, area: area, toaster: toaster)
    hint = paragraph("", "hint").expand()
    // Translators: {change} has its sign, as in +0.05.
    deed = button(tr("Water {change}", ["change": numbers(Formats.gain(Soil.waterGain))]), "water") {}
    page = column(spacing: 10)
    widget = group(sprout.title, spacing: 10)

    let keys = droppable(label(tr("Ctrl+Enter"), "hint"))
    // Said with the title: there are up to three of each in the dialog.
    deed.named(tr("Water “{title}”", ["title": sprout.title]))
    let another = iconButton("view-refresh-symbolic", name: tr("Another question")) { [weak self] in self?.onAsk?() }
    another.named(tr("Another question about “{title}”", ["title": sprout.title]))
    page.append(
      line(spacing: 8, question.expand(), another.css("faint").alignDown(GTK_ALIGN_START)), area.widget,
      line(spacing: 10, hint.alignDown(GTK_ALIGN_CENTER), keys, deed))
    let names = column(spacing: 1, title, place).alignDown(GTK_ALIGN_CENTER).expand()
    let undo = undoButton(session, sprout.id, toaster) { [weak self] in self?.isReturning = true }
    head.append(ring.widget, names)
    widget.append(line(spacing: 12, head.expand(), undo, mark.alignDown(GTK_ALIGN_CENTER)), page)
    deed.on("clicked") { [weak self] in self?.water() }
    area.onSubmit = { [weak self] in self?.water() }
    area.onChange = { [weak self] in self?.changed() }
    drafts.onAsked = { [weak self] in self?.ask($0.question) }
    widget.keeps(self)
  }

  /// Holds two lines free for a question, while the window is made as high as its content.
  func reserveQuestion(_ isReserved: Bool) {
    question.setText(isReserved ? "\n" : "")
  }

  /// Shows the question that is answered here.
  func ask(_ question: String) {
    drafts.ask(.init(question))
    self.question.setText(question)
    area.describe(question)
  }

  /// Keeps what was typed; call it when the dialog is gone, and with it every widget.
  func close() {
    isClosed = true
    drafts.close()
  }

  /// Shows the sprout as it is in the garden now.
  func render() {
    let (garden, now) = (session.gardener.garden, session.gardener.now)
    let sprout = garden.sprout(id: sproutID)
    if let sprout {
      ring.progress = sprout.progress(at: now)
      title.setText(oneLine(sprout.title))
      let note = tr("{title}, {place}", ["title": sprout.title, "place": garden.path(ofTwig: sprout.twigID)])
      widget.named(note)
    }
    let new: State =
      if let sprout, sprout.isActive {
        if garden.wasWatered(sprout, onDayOf: now) {
          .watered
        } else {
          garden.waterLeft(at: now) > 0 ? .due : .waterless
        }
      } else {
        .gone
      }
    place.setText(note(new, sprout))
    guard new != state else { return }
    let old = state
    state = new
    show(new)
    // Undone, or a new day: what was written before is a draft again, or there is none.
    if old == .watered { drafts.restore() }
  }
}

extension WaterSection {
  private func show(_ state: State) {
    page.visible(state == .due || state == .waterless)
    mark.visible(state == .watered)
    head.css("spent", when: state == .watered || state == .gone)
    deed.sensitive(state == .due)
    isNudged = false
    showHint()
    // The button that had the focus is gone.
    if isReturning, state == .due { area.focus() }
    isReturning = false
  }

  /// What is said below the title.
  private func note(_ state: State, _ sprout: Sprout?) -> String {
    switch (state, sprout) {
    case (.watered, _): return tr("Watered today")
    case (.gone, _), (_, nil): return tr("No longer growing")
    case (.due, let sprout?), (.waterless, let sprout?):
      let (garden, now) = (session.gardener.garden, session.gardener.now)
      return tr("{place} · {time}", ["place": garden.path(ofTwig: sprout.twigID), "time": sprout.timeToGo(at: now)])
    }
  }

  private func showHint() {
    let gardener = session.gardener
    if isNudged {
      hint.setText(tr("Nothing written yet. One word is enough, or water once more to leave it at that."))
    } else if state == .waterless {
      let returns = gardener.garden.zone.nextReset(after: gardener.now)
      hint.setText(
        tr(
          "No water is left. It returns {time}; what you write is kept until then.",
          ["time": Formats.moment(returns, now: gardener.now, in: gardener.garden.zone)]))
    } else {
      hint.setText(tr("Kept as you type"))
    }
    hint.css("wood", when: isNudged)
  }

  private func changed() {
    drafts.changed()
    if isNudged {
      isNudged = false
      showHint()
    }
  }

  private func water() {
    guard isDue, !isBusy else { return }
    if area.text.trimmed.isEmpty, !isNudged {
      isNudged = true
      showHint()
      return area.focus()
    }
    isBusy = true
    // What is typed while the entry is on its way would belong to nothing.
    area.widget.sensitive(false)
    session.attempt(
      in: toaster,
      onError: { [weak self] in
        guard let self, !isClosed else { return }
        rest()
        area.focus()
      }
    ) { [self] in
      let text = await drafts.settle()
      try await session.gardener.water(sproutID, text: text.trimmed.isEmpty ? "" : text, prompt: drafts.asked?.question)
      drafts.clear()
      guard !isClosed else { return }
      rest()
      render()
      onWatered?()
    }
  }

  private func rest() {
    isBusy = false
    area.widget.sensitive(true)
  }
}

extension Sprout {
  /// `34 days to go`, or that it can be harvested.
  func timeToGo(at now: Instant) -> String {
    isReady(at: now) ? tr("ready to harvest") : tr("{time} to go", ["time": Formats.left(until: harvestDue, now: now)])
  }
}
