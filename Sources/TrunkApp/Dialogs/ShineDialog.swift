import Garden
import Gardening
import GtkKit
import Localization

/// The reflection of the week: a twig, a question about it, and what is written.
final class ShineDialog {
  private let session: Session
  private let dialog: DialogWindow
  private let deed: Widget
  private let place = paragraph("", "semibold")
  private let note = paragraph("", "hint")
  private let question = paragraph("", "question")
  private let area: TextArea
  private let drafts: DraftKeeper
  private let hint = paragraph("", "hint").expand()
  private let page = column(spacing: 12)
  private let rest: Widget
  private let returns = paragraph("", "hint").centred()
  private var questions = Questions(recentWater: [], recentSun: [])
  private var asked: (twig: Node, question: String)?
  private var isBusy = false

  init(_ session: Session) {
    self.session = session
    let content = column()
    dialog = DialogWindow(over: session.window, title: tr("Shine"), closeTitle: tr("Close"), content: content)
    // Translators: {change} has its sign, as in +0.05.
    deed = dialog.addDeed(
      tr("Shine {change}", ["change": numbers(Formats.gain(Soil.sunGain))]), "sun", keys: tr("Ctrl+Enter")
    ) {}
    area = TextArea(
      name: tr("Reflection"), placeholder: tr("Take your time, the light stays"), limit: Limits.journal, height: 160)
    drafts = DraftKeeper(session, .sun, about: "", area: area, toaster: dialog.toaster)
    rest = column(
      spacing: 10, SunDisc(isReady: false, size: 48).widget,
      paragraph(tr("The sun has shone this week"), "title-3").centred(), returns)
    rest.css("empty-state").align(GTK_ALIGN_CENTER)
    content.append(page, rest)
    let names = column(spacing: 2, place, note).alignDown(GTK_ALIGN_CENTER).expand()
    let another = button(tr("Another Twig"), "link") { [weak self] in self?.ask() }
    page.append(
      line(spacing: 12, SunDisc(isReady: true, size: 30).widget.alignDown(GTK_ALIGN_START), names), question,
      area.widget, line(spacing: 10, hint, another))
    connect()
    session.follow(dialog.widget) { [weak self] in self?.render() }
    dialog.widget.keeps(self)
  }

  func present() {
    // Two lines free for the question: the window is made as high as its content before it is known.
    question.setText("\n")
    dialog.present()
    question.setText("")
    area.focus()
    drafts.restore()
    Task {
      do {
        questions = try await session.gardener.questions()
      } catch { session.tell(error, in: dialog.toaster) }
      await drafts.restored()
      guard dialog.isOpen else { return }
      if let before = drafts.asked, let twig = before.twig { show((twig, before.question)) } else { ask() }
      dialog.fit()
    }
  }
}

extension ShineDialog {
  private func connect() {
    deed.on("clicked") { [weak self] in self?.shine() }
    area.onSubmit = { [weak self] in self?.shine() }
    area.onChange = { [weak self] in
      guard let self else { return }
      drafts.changed()
      showHint(isEmpty: false)
    }
    dialog.widget.on("destroy") { [weak self] in self?.drafts.close() }
  }

  private func ask() {
    var random = SystemRandomNumberGenerator()
    let garden = session.gardener.garden
    var next = questions.sun(label: garden.label, using: &random)
    // "Another" must not show the same place again.
    while next.twig == asked?.twig { next = questions.sun(label: garden.label, using: &random) }
    show(next)
  }

  private func show(_ next: (twig: Node, question: String)) {
    let garden = session.gardener.garden
    asked = next
    drafts.ask(.init(next.question, on: next.twig))
    place.setText(garden.path(ofTwig: next.twig.id))
    note.setText(garden.note(of: next.twig))
    question.setText(next.question)
    area.describe(next.question)
  }

  private func render() {
    let (garden, now) = (session.gardener.garden, session.gardener.now)
    let isReady = garden.sunLeft(at: now) > 0
    page.visible(isReady)
    deed.visible(isReady)
    rest.visible(!isReady)
    let time = Formats.moment(garden.zone.nextWeek(after: now), now: now, in: garden.zone)
    returns.setText(tr("It returns {time}.", ["time": time]))
    showHint(isEmpty: false)
  }

  private func showHint(isEmpty: Bool) {
    hint.setText(isEmpty ? tr("Write a few words first.") : tr("Kept as you type"))
    hint.css("wood", when: isEmpty)
  }

  private func shine() {
    guard !isBusy, let asked else { return }
    if area.text.trimmed.isEmpty {
      showHint(isEmpty: true)
      return area.focus()
    }
    isBusy = true
    area.widget.sensitive(false)
    session.attempt(
      in: dialog.toaster,
      onError: { [weak self] in
        guard let self, dialog.isOpen else { return }
        isBusy = false
        area.widget.sensitive(true)
        area.focus()
      }
    ) { [self] in
      let text = await drafts.settle()
      try await session.gardener.shine(asked.twig, text: text, prompt: asked.question)
      if dialog.isOpen { dialog.close() }
    }
  }
}
