import GtkKit
import Localization
import TrunkAccount
import TrunkKit
import TrunkModel

/// Harvests a sprout: what was written about it, its result and a reflection. Then it shows what became of it.
final class HarvestDialog {
  private let context: WindowContext
  private let sproutID: String
  private let dialog: DialogWindow
  private let actionButton: Widget
  private let title = paragraph("", "title-3")
  private let story = paragraph("", "hint")
  private let written: FirstAndLast
  private let marks: Segments
  private let blooms = column(spacing: 6).css("card")
  private let bloomSection: Widget
  private let hint = paragraph("", "hint").margin(start: 2)
  private let area: TextArea
  private let drafts: DraftKeeper
  /// Offers to harvest without a reflection. It appears after an attempt to save nothing with Ctrl+Enter.
  private let wordless = column(spacing: 2).visible(false)
  private let form = column(spacing: 18)
  private let problem = paragraph("", "trouble")
  private let outcome: HarvestPage
  private var wasActive: Bool?
  private lazy var action = BusyAction(context, toaster: dialog.toaster, form: form) { [dialog] in dialog.isOpen }
  private lazy var writing = WritingMode(dialog) { [weak self] in self?.subject }

  /// - Parameter sproutID: a sprout that is ready to harvest.
  init(_ context: WindowContext, _ sproutID: String) {
    (self.context, self.sproutID) = (context, sproutID)
    let content = column()
    dialog = DialogWindow(
      over: context.window, title: tr("Harvest"), closeTitle: tr("Later"), content: content
    )
    actionButton = dialog.addActionButton(tr("Harvest"), "harvest", keys: tr("Ctrl+Enter")) {}
    written = FirstAndLast(context, about: sproutID)
    written.dialog = dialog
    marks = Segments(.tiles, name: tr("How did it grow?"), (1...5).map(Self.mark), selected: nil)
    area = TextArea(
      name: tr("What will you take with you from this?"), placeholder: tr("A sentence for later years"),
      limit: .reflection)
    context.spelling.check(area)
    drafts = DraftKeeper(context, .harvest, about: sproutID, area: area, toaster: dialog.toaster)
    bloomSection = captioned(tr("What you hoped for when you planted it"), blooms)
    outcome = HarvestPage(context, sproutID, dialog)
    form.append(
      column(spacing: 2, title, story, problem.margin(top: 10)), captioned(tr("What you wrote"), written.widget),
      bloomSection, captioned(tr("How did it grow?"), marks.widget, hint),
      column(
        spacing: 7,
        line(
          spacing: 8,
          paragraph(tr("What will you take with you from this?"), "caption-title").margin(start: 2).hexpand(),
          WritingMode.button(name: tr("Write in full screen")) { [weak self] in self?.enterWritingMode() }),
        area.widget, wordless))
    wordless.append(
      paragraph(tr("One sentence for later? You can also harvest without words."), "hint", "wood").margin(start: 2),
      button(tr("Harvest Without Words"), "link", "flush") { [weak self] in self?.harvest() }.halign(.start)
        .margin(start: 2))
    content.append(form, outcome.widget)
    connect()
    context.follow(dialog.widget) { [weak self] in self?.render() }
    dialog.widget.keeps(self)
  }

  func present() {
    dialog.present()
    dialog.withoutScrolling { marks.focus() }
    drafts.restore()
  }
}

extension HarvestDialog {
  /// The chosen result, 1…5.
  private var result: Int? { marks.choice.map { $0 + 1 } }

  /// The text and its question, for writing mode; `nil` if nothing can be written now.
  private var subject: WritingMode.Subject? {
    action.isBusy || !form.isVisible ? nil : (area, tr("What will you take with you from this?"))
  }

  private func enterWritingMode() {
    if let subject { writing.enter(subject) }
  }

  private static func mark(_ result: Int) -> String {
    tr("{n}\n{name}", ["n": "\(result)", "name": Formats.result(result)])
  }

  private func connect() {
    actionButton.on("clicked") { [weak self] in self?.harvest() }
    marks.onSelect = { [weak self] _ in
      self?.hint.visible(false)
      self?.render()
    }
    area.onChange = { [weak self] in
      self?.drafts.changed()
      self?.wordless.visible(false)
    }
    area.onSubmit = { [weak self] in self?.submit() }
    // From the results, too.
    form.onShortcut("<Control>Return") { [weak self] in self?.submit() }
    dialog.widget.ignoreRepeats(of: "<Control>Return")
    dialog.widget.on("destroy") { [weak self] in self?.drafts.close() }
    hint.visible(false)
    _ = writing
  }

  private func render() {
    let (garden, now) = (context.model.garden, context.model.now)
    let sprout = garden.sprout(id: sproutID)
    let isActive = sprout?.isActive ?? true
    form.visible(isActive)
    actionButton.visible(isActive).sensitive(sprout?.isReady(at: now) ?? false)
    outcome.widget.visible(!isActive)
    dialog.closeTitle = isActive ? tr("Later") : tr("Close")
    guard let sprout else {
      problem.setText(IntentError.unknownSprout.message)
      return
    }
    title.setText(oneLine(sprout.title))
    story.setText(
      tr("{place} · {story}", ["place": garden.path(ofTwig: sprout.twigID), "story": sprout.story]))
    problem.visible(!sprout.isReady(at: now))
    problem.setText(
      IntentError.notReady(title: sprout.title, due: Formats.date(sprout.harvestDue, in: garden.zone)).message)
    written.show(sprout, in: garden)
    showBlooms(of: sprout)
    outcome.show(sprout, in: garden, now: now)
    // The harvest was undone: its reflection is a draft again.
    if wasActive == false, isActive { drafts.restore() }
    if let wasActive, wasActive != isActive { dialog.fit() }
    wasActive = isActive
  }

  /// Shows the sprout's bloom lines with the results 1, 3 and 5, and highlights those next to the selected result.
  private func showBlooms(of sprout: Sprout) {
    blooms.removeAll()
    let texts = [(1, sprout.bloomWither), (3, sprout.bloomBudding), (5, sprout.bloomFlourish)]
    for (mark, text) in texts {
      guard let text, !text.isEmpty else { continue }
      let isNear = result.map { abs(mark - $0) <= 1 } ?? true
      let quotation = paragraph(tr("“{text}”", ["text": text]), "journal-excerpt", isNear ? "second" : "placeholder")
        .hexpand()
      let number = label("\(mark)", "numeric", isNear ? "semibold" : "placeholder").valign(.start)
      blooms.append(line(spacing: 10, number, quotation))
    }
    bloomSection.visible(!blooms.children.isEmpty)
  }

  /// Harvests by Ctrl+Enter, which asks for words first. Without words, a button does it: never this key pressed again.
  private func submit() {
    guard result != nil, area.text.trimmed.isEmpty, actionButton.isSensitive, actionButton.isVisible else {
      return harvest()
    }
    wordless.visible(true)
    dialog.fit()
    area.focus()
  }

  private func harvest() {
    guard actionButton.isSensitive, actionButton.isVisible else { return }
    guard let result else {
      hint.setText(tr("First choose how it grew."))
      hint.visible(true).css("wood")
      return marks.focus()
    }
    action.run {
      self.outcome.isNew = true
      try await self.drafts.finish {
        try await self.context.model.harvest(self.sproutID, result: result, reflection: $0)
      }
    } done: {
      self.render()
      self.outcome.begin()
    } onError: {
      self.area.focus()
    }
  }
}

extension Sprout {
  /// `31 waterings since 22 August`.
  fileprivate var story: String {
    let date = Formats.dayAndMonth(plantedAt)
    guard !waterings.isEmpty else { return tr("planted {date}", ["date": date]) }
    return trn(
      "{n} watering since {date}", "{n} waterings since {date}", waterings.count, ["date": date])
  }
}
