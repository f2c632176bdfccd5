import GtkKit
import Localization
import TrunkAccount
import TrunkKit
import TrunkModel

/// Harvests a sprout in three steps: reread what was written, judge how it grew, write what to take along. Then it
/// shows what became of it.
final class HarvestDialog {
  private let context: WindowContext
  private let sproutID: String
  private let dialog: DialogWindow
  private let actionButton: Widget
  private let steps = label("", "hint").xalign(0.5)
  private let title = paragraph("", "moment-title")
  private let problem = paragraph("", "trouble")
  private let reread: HarvestReread
  private let judge = HarvestJudge()
  private let write: HarvestWrite
  private let form = column(spacing: 6)
  private let outcome: HarvestPage
  private let drafts: TextDraft
  private var progress = HarvestProgress()
  private var wasActive: Bool?
  private lazy var action = BusyAction(context, foot: dialog.foot, form: form) { [dialog] in dialog.isOpen }
  private lazy var writing = WritingMode(dialog) { [weak self] in self?.subject }

  /// The size of the dialog in pixels. Each step fits into it.
  private static let size = (width: 520, height: 575)

  /// - Parameter sproutID: a sprout that is ready to harvest.
  init(_ context: WindowContext, _ sproutID: String) {
    (self.context, self.sproutID) = (context, sproutID)
    let content = column()
    dialog = DialogWindow(
      over: context.window, title: tr("Harvest"), closeTitle: tr("Later"), width: HarvestDialog.size.width,
      height: HarvestDialog.size.height, content: content)
    actionButton = dialog.addActionButton(tr("Next"), "harvest", keys: tr("Ctrl+Enter")) {}
    reread = HarvestReread(context)
    write = HarvestWrite(context)
    drafts = TextDraft(context, .harvest, about: sproutID, area: write.area, foot: dialog.foot)
    outcome = HarvestPage(context, sproutID, dialog)
    form.append(
      steps, title, problem, reread.widget, judge.widget.visible(false), write.widget.vexpand().visible(false))
    content.append(form.vexpand(), outcome.widget)
    connect()
    context.follow(dialog.widget) { [weak self] in self?.render() }
    dialog.widget.keeps(self)
  }

  func present() {
    dialog.present()
    focusStep()
    drafts.restore()
  }
}

extension HarvestDialog {
  /// The text and its question, for writing mode; `nil` if nothing can be written now.
  private var subject: WritingMode.Subject? {
    isWriting && !action.isBusy ? (write.area, HarvestWrite.question) : nil
  }

  private var isWriting: Bool { form.isVisible && progress.step == .write }

  private func connect() {
    actionButton.on("clicked") { [weak self] in self?.advance() }
    judge.onChoose = { [weak self] result in self?.take(result) }
    write.area.onChange = { [weak self] in
      self?.drafts.changed()
      self?.write.isOffering = false
    }
    write.onWordless = { [weak self] in self?.harvest() }
    write.onFullScreen = { [weak self] in
      guard let self, let subject else { return }
      writing.enter(subject)
    }
    drafts.onAsked = { [weak self] asked in
      if let progress = HarvestProgress(asked) { self?.show(progress) }
    }
    dialog.widget.onShortcut("<Alt>Left") { [weak self] in self?.goBack() }
    dialog.widget.onDigit { [weak self] in self?.choose($0) ?? false }
    // In full screen, too.
    dialog.onSubmit { [weak self] in
      self?.dialog.leaveFullScreen()
      self?.advance()
    }
    dialog.widget.on("destroy") { [weak self] in self?.drafts.close() }
    dialog.returnsFocus(context) { [weak self] in self?.wasActive == false ? self?.sproutID : nil }
    _ = writing
  }

  private func render() {
    let (garden, now) = (context.model.garden, context.model.now)
    let sprout = garden.sprout(id: sproutID)
    if let sprout, !sprout.isActive, sprout.harvest == nil {
      // It was uprooted elsewhere. Closing keeps what was written.
      dialog.close()
      return context.report(IntentError.notGrowing(title: sprout.title))
    }
    let isActive = sprout?.isActive ?? true
    if wasActive == true, !isActive, !action.isBusy {
      form.releaseFocus()
      if !write.area.text.trimmed.isEmpty { dialog.foot.show(tr("Your draft is saved.")) }
    }
    form.visible(isActive)
    outcome.widget.visible(!isActive)
    actionButton.visible(isActive).sensitive(sprout?.isReady(at: now) ?? false)
    showStep()
    guard let sprout else { return problem.setText(IntentError.unknownSprout.message) }
    title.setText(clamped(sprout.title, to: oneLineLimit))
    problem.visible(!sprout.isReady(at: now))
    problem.setText(
      IntentError.notReady(title: sprout.title, due: Formats.date(sprout.harvestDue, in: garden.zone)).message)
    reread.show(sprout, in: garden, now: now)
    judge.show(sprout, in: garden, now: now)
    write.show(sprout, result: progress.result, in: garden, now: now)
    outcome.show(sprout, in: garden, now: now)
    // The harvest was undone: its result and reflection are a draft again.
    if wasActive == false, isActive {
      drafts.restore()
      focusStep()
    }
    wasActive = isActive
  }

  /// Shows the step, its way back and its way on.
  private func showStep() {
    let step = progress.step
    reread.widget.visible(step == .reread)
    judge.widget.visible(step == .judge)
    write.widget.visible(step == .write)
    showTrail()
    actionButton.setText(step == .write ? tr("Harvest") : tr("Next"))
    let isForm = form.isVisible
    dialog.closeTitle = !isForm ? tr("Close") : step == .reread ? tr("Later") : tr("Back")
    dialog.onBack = nil
    if isForm, step != .reread { dialog.onBack = { [weak self] in self?.goBack() } }
  }

  /// `✓ Reread · Judge · Write`.
  private func showTrail() {
    let all = HarvestProgress.Step.allCases
    let current = all.firstIndex(of: progress.step) ?? 0
    let names = all.enumerated().map { index, step in
      let name = escaped(step.name)
      return index < current ? "✓ " + name : index == current ? "<b>" + name + "</b>" : name
    }
    steps.setMarkup(dotted(names))
    steps.accessibleName(
      tr("Step {n} of {count}: {name}", ["n": "\(current + 1)", "count": "\(all.count)", "name": progress.step.name]))
  }

  private func show(_ progress: HarvestProgress) {
    let isOther = progress.step != self.progress.step
    self.progress = progress
    judge.result = progress.result
    render()
    guard isOther else { return }
    dialog.withoutScrolling { focusStep() }
    dialog.scrollToTop()
  }

  private func focusStep() {
    switch progress.step {
    case .reread: if !reread.focus() { actionButton.focus() }
    case .judge: judge.focus()
    case .write: write.area.focus()
    }
  }

  private func go(to step: HarvestProgress.Step) {
    write.isOffering = false
    show(HarvestProgress(step, result: progress.result))
    save()
  }

  private func goBack() {
    guard form.isVisible, !action.isBusy else { return }
    switch progress.step {
    case .reread: return
    case .judge: go(to: .reread)
    case .write: go(to: .judge)
    }
  }

  /// A key chooses a result only where the results are shown.
  private func choose(_ result: Int) -> Bool {
    guard form.isVisible, progress.step == .judge, (1...5).contains(result) else { return false }
    judge.choose(result)
    return true
  }

  private func take(_ result: Int) {
    progress.result = result
    save()
    render()
  }

  /// Keeps the steps as a draft once there is something to keep.
  private func save() {
    if progress.result != nil { drafts.ask(progress.asked) }
  }

  /// Goes to the next step, and harvests after the last one. Without words, only a separate button harvests: never a
  /// key that is pressed once more.
  private func advance() {
    guard actionButton.isSensitive, actionButton.isVisible, !action.isBusy else { return }
    switch progress.step {
    case .reread: go(to: .judge)
    case .judge: if progress.result == nil { judge.demand() } else { go(to: .write) }
    case .write: if write.area.text.trimmed.isEmpty { write.offer() } else { harvest() }
    }
  }

  private func harvest() {
    guard actionButton.isSensitive, actionButton.isVisible, let result = progress.result else { return }
    let before = context.treeState
    action.run {
      try await self.drafts.finish {
        try await self.context.model.harvest(self.sproutID, result: result, reflection: $0)
      }
    } done: {
      self.render()
      self.outcome.begin(from: before)
    } onError: {
      self.write.area.focus()
    }
  }
}

extension HarvestProgress.Step {
  fileprivate var name: String {
    switch self {
    case .reread: trc("harvest", "Reread")
    case .judge: trc("harvest", "Judge")
    case .write: trc("harvest", "Write")
    }
  }
}
