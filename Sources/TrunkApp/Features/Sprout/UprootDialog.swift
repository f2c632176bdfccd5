import GtkKit
import Localization
import TreePicture
import TrunkKit
import TrunkModel

/// Uproots a sprout, after what was written about it can be read, and offers to keep the idea. Then it shows what
/// stays.
final class UprootDialog {
  private let context: WindowContext
  private let sproutID: String
  private let dialog: DialogWindow
  private let actionButton: Widget
  private let title = paragraph("", "moment-title")
  private let story = paragraph("", "hint")
  private let written: FirstAndLast
  private let keeping = AlsoSwitch(
    tr("Keep the idea as a seedling"), tr("It costs nothing and can be planted again."))
  private let consequence = paragraph("", "second")
  private let form = column(spacing: 18)
  private let outcome = column(spacing: 12)
  private let act: ActPage
  private let clock: ActClock
  /// The tree that is shown.
  private var tree: TreeState?
  private let remains = paragraph("", "second").centred()
  private let next: Widget
  private lazy var action = BusyAction(context, foot: dialog.foot, form: form) { [dialog] in dialog.isOpen }

  /// - Parameter sproutID: the sprout to uproot.
  init(_ context: WindowContext, _ sproutID: String) {
    (self.context, self.sproutID) = (context, sproutID)
    let content = column()
    dialog = DialogWindow(over: context.window, title: tr("Uproot"), closeTitle: tr("Cancel"), content: content)
    clock = ActClock(dialog.widget)
    act = ActPage(context)
    actionButton = dialog.addActionButton(tr("Uproot"), "destructive-action") {}
    written = FirstAndLast(context)
    next = button(tr("Back to Today"), "suggested-action") {}.halign(.center)
    form.append(
      column(spacing: 2, title, story),
      column(spacing: 7, paragraph(tr("What you wrote"), "caption-title"), written.widget), consequence, keeping.widget)
    outcome.append(act.widget, remains, next.margin(top: 6, bottom: 12))
    content.append(form, outcome)
    written.onResize = { [weak self] in self?.render() }
    actionButton.on("clicked") { [weak self] in self?.uproot() }
    next.on("clicked") { [weak self] in
      if let self { dialog.leave(context, for: "win.view", target: Route.today.view) }
    }
    context.follow(dialog.widget) { [weak self] in self?.render() }
    dialog.widget.keeps(self)
  }

  func present() {
    let sprout = context.model.garden.sprout(id: sproutID)
    guard let sprout, sprout.isActive else {
      dialog.discard()
      return context.report(sprout.map { IntentError.notGrowing(title: $0.title) } ?? IntentError.unknownSprout)
    }
    dialog.present()
    dialog.withoutScrolling { keeping.focus() }
  }
}

extension UprootDialog {
  private func render() {
    let (garden, now) = (context.model.garden, context.model.now)
    guard let sprout = garden.sprout(id: sproutID) else { return }
    if sprout.harvest != nil {
      // It was harvested elsewhere.
      dialog.close()
      return context.report(IntentError.notGrowing(title: sprout.title))
    }
    form.visible(sprout.isActive)
    actionButton.visible(sprout.isActive)
    outcome.visible(!sprout.isActive)
    dialog.closeTitle = sprout.isActive ? tr("Cancel") : tr("Close")
    title.setText(tr("Uproot “{title}”?", ["title": clamped(sprout.title, to: oneLineLimit)]))
    story.setText(SproutTexts.placeAndTime(of: sprout, in: garden, now: now))
    written.show(garden.items(garden.waterings(of: sprout)))
    consequence.setText(tr("A quarter of its soil comes back. What you wrote about it stays in the journal."))
    if case .uprooted(let at, _) = sprout.state { showOutcome(of: sprout, at: at, in: garden) }
    dialog.fit()
  }

  private func showOutcome(of sprout: Sprout, at time: EventTime, in garden: Garden) {
    let idea = garden.seedlings.contains { $0.twigID.hasSameBytes(as: sprout.twigID) && $0.createdAt == time }
    let sentences = [
      garden.roomSentence,
      sprout.waterings.isEmpty ? nil : tr("What you wrote stays in the journal."),
      idea ? tr("The idea waits among your seedlings.") : nil,
    ]
    remains.setText(sentences.compactMap(\.self).joined(separator: " "))
    act.show(OwnWords.quoted(written.lastWords, orTitle: clamped(sprout.title, to: oneLineLimit)))
    let tree = context.treeState
    guard tree != self.tree, let twig = sprout.node else { return }
    self.tree = tree
    act.picture.show(.uprooting, from: tree, to: tree, twig: twig, sproutID: sproutID)
  }

  private func uproot() {
    guard actionButton.isVisible else { return }
    let (isKept, before) = (keeping.isOn, context.treeState)
    action.run {
      try await self.context.model.uproot(self.sproutID, creatingSeedling: isKept)
    } done: {
      self.render()
      self.next.accessibleDescription(tr("Uprooted.")).focus()
      self.begin(from: before)
    }
  }

  /// The leaves sink.
  private func begin(from before: TreeState) {
    dialog.offerUndo(context, .uproot, of: sproutID, tr("Uprooted."))
    guard let sprout = context.model.garden.sprout(id: sproutID), let twig = sprout.node else { return }
    act.picture.show(.uprooting, from: before, to: context.treeState, twig: twig, sproutID: sproutID, at: 0)
    clock.run(.uprooting, on: dialog.widget) { [act] in act.show(.uprooting, at: $0) }
  }
}

/// A switch in a question for an optional extra action; off at first.
private final class AlsoSwitch {
  let widget: Widget
  private(set) var isOn = false

  init(_ title: String, _ hint: String) {
    widget = boxedList()
    widget.append(switchRow(title, hint, isOn: false) { [weak self] in self?.isOn = $0 })
    widget.keeps(self)
  }

  func focus() { widget.focusFirst() }
}
