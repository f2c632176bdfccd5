import GtkKit
import Localization
import TreePicture
import TrunkAccount
import TrunkKit
import TrunkModel

/// The weekly reflection: a twig, a question about it, and the text.
final class ShineDialog {
  private let context: WindowContext
  private let dialog: DialogWindow
  private let actionButton: Widget
  private let place = paragraph("", "semibold")
  private let note = paragraph("", "hint")
  private let question = paragraph("", "question")
  private let area: TextArea
  private let drafts: TextDraft
  private let hint = paragraph("", "hint").hexpand()
  private let page = column(spacing: 12)
  /// The twig on its limb, and after the reflection its words.
  private let act: ActPage
  private let clock: ActClock
  /// The twig that the sun has shone on here.
  private var answered: Node?
  private let rest: Widget
  private let returns = paragraph("", "hint").centred()
  private var questions = Questions(recentWater: [], recentSun: [])
  private var asked: (twig: Node, question: String)?
  /// The twigs that were shown, the latest last.
  private var shown: [Node] = []
  private lazy var action = BusyAction(context, foot: dialog.foot, form: area.widget) { [dialog] in dialog.isOpen
  }
  private lazy var writing = WritingMode(dialog) { [weak self] in self?.subject }

  init(_ context: WindowContext) {
    self.context = context
    let content = column()
    dialog = DialogWindow(over: context.window, title: tr("Shine"), closeTitle: tr("Close"), content: content)
    clock = ActClock(dialog.widget)
    act = ActPage(context)
    actionButton = dialog.addActionButton(tr("Answer"), "sun", keys: tr("Ctrl+Enter")) {}
    area = TextArea(
      name: tr("Reflection"), placeholder: tr("Take your time; the light stays"), limit: .reflection,
      height: 160)
    context.spelling.check(area)
    drafts = TextDraft(context, .sun, about: "", area: area, foot: dialog.foot)
    rest = column(
      spacing: 10, SunDisc(isReady: false, size: 48).widget,
      paragraph(tr("The sun has shone this week"), "title-3").centred(), returns)
    rest.css("empty-state").halign(.center)
    content.append(act.widget, page, rest)
    let names = column(spacing: 2, place, note).valign(.center).hexpand()
    let another = button(tr("Another Twig"), "link") { [weak self] in self?.ask() }
    let fullScreen = WritingMode.button(name: tr("Write in full screen")) { [weak self] in
      if let self, let subject { writing.enter(subject) }
    }
    page.append(
      line(
        spacing: 12, SunDisc(isReady: true, size: 30).widget.valign(.start), names,
        fullScreen.valign(.start)), question,
      area.widget, line(spacing: 10, hint, another))
    connect()
    context.follow(dialog.widget) { [weak self] in self?.render() }
    dialog.widget.keeps(self)
  }

  func present() {
    // Reserve two lines for the question: the window's height is computed before the question is known.
    question.setText("\n")
    dialog.present()
    question.setText("")
    area.focus()
    drafts.restore()
    Task {
      do {
        questions = try await context.model.questions()
      } catch { context.report(error, in: dialog.foot) }
      await drafts.restored()
      guard dialog.isOpen else { return }
      let before = drafts.asked ?? context.chosenQuestions.question(about: "", on: context.today)
      if let before, let twig = before.twig {
        show((twig, before.question))
      } else {
        let garden = context.model.garden
        show(questions.sun(SunDraw(garden, at: context.model.now), label: garden.label))
      }
      dialog.fit()
    }
  }
}

extension ShineDialog {
  private func connect() {
    actionButton.on("clicked") { [weak self] in self?.shine() }
    area.onSubmit = { [weak self] in self?.shine() }
    area.onChange = { [weak self] in
      guard let self else { return }
      drafts.changed()
      showHint(isEmpty: false)
    }
    dialog.widget.on("destroy") { [weak self] in self?.drafts.close() }
    _ = writing
  }

  /// The text and its question, for writing mode; `nil` if nothing can be written now.
  private var subject: WritingMode.Subject? {
    guard !action.isBusy, page.isVisible, let asked else { return nil }
    return (area, asked.question)
  }

  private func ask() {
    var random = SystemRandomNumberGenerator()
    let garden = context.model.garden
    let draw = SunDraw(garden, at: context.model.now)
    let twig = draw.another(besides: shown, using: &random)
    let question = questions.sun(
      about: twig, beginnings: draw.isAboutBeginnings(on: twig), label: garden.label, using: &random)
    context.chosenQuestions.set(.init(question, on: twig), about: "", on: context.today)
    show((twig, question))
  }

  private func show(_ next: (twig: Node, question: String)) {
    let garden = context.model.garden
    asked = next
    shown.append(next.twig)
    drafts.ask(.init(next.question, on: next.twig))
    place.setText(garden.path(ofTwig: next.twig.id))
    note.setText(garden.note(of: next.twig))
    let tree = context.treeState
    act.picture.show(.sun, from: tree, to: tree, twig: next.twig)
    question.setText(next.question)
    area.describe(next.question)
  }

  private func render() {
    let (garden, now) = (context.model.garden, context.model.now)
    let isReady = garden.sunLeft(at: now) > 0
    // The reflection was undone.
    let isUndone = isReady && answered != nil && !action.isBusy
    if isUndone { endAct() }
    if page.isVisible, !isReady, answered == nil, !action.isBusy {
      page.releaseFocus()
      if !area.text.trimmed.isEmpty { dialog.foot.show(tr("Your draft is saved.")) }
    }
    // A reflection from elsewhere was undone.
    if isReady, !page.isVisible, answered == nil, !isUndone { drafts.restore() }
    page.visible(isReady)
    actionButton.visible(isReady)
    act.widget.visible(isReady || answered != nil)
    rest.visible(!isReady && answered == nil)
    let time = Formats.moment(garden.zone.nextWeek(after: now), now: now, in: garden.zone)
    returns.setText(tr("It returns {time}.", ["time": time]))
    showHint(isEmpty: false)
    if isUndone { area.focus() }
  }

  private func showHint(isEmpty: Bool) {
    hint.setText(isEmpty ? tr("Write a few words first.") : tr("Saved as you type"))
    hint.css("wood", when: isEmpty)
  }

  private func shine() {
    guard !action.isBusy, let asked else { return }
    if area.text.trimmed.isEmpty {
      showHint(isEmpty: true)
      return area.focus()
    }
    let (before, words) = (
      context.treeState, OwnWords.quoted(area.text, orTitle: context.model.garden.path(ofTwig: asked.twig.id))
    )
    action.run {
      self.answered = asked.twig
      try await self.drafts.finish {
        try await self.context.model.shine(asked.twig, text: $0, question: asked.question)
      }
    } done: {
      self.render()
      self.begin(words, from: before, on: asked.twig)
    } onError: {
      self.answered = nil
      self.area.focus()
    }
  }

  /// Lets the sun shine on the twig. The words stay until the dialog is closed.
  private func begin(_ words: String, from before: TreeState, on twig: Node) {
    let place = context.model.garden.path(ofTwig: twig.id)
    act.fill()
    dialog.focusClosing(tr("The sun has shone on {place}.", ["place": place]))
    act.show(words)
    dialog.offerUndo(context, .shine, of: twig.id, tr("The sun has shone on {place}.", ["place": place]))
    act.picture.show(.sun, from: before, to: context.treeState, twig: twig, at: 0)
    clock.run(.sun, on: dialog.widget) { [act] in act.show(.sun, at: $0) }
  }

  private func endAct() {
    answered = nil
    act.show("")
    if let asked { show(asked) }
    drafts.restore()
  }
}
