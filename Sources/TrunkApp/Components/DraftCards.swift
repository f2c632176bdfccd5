import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The unfinished drafts, each with buttons to continue or discard it. Invisible if there are none.
final class DraftCards {
  let widget: Widget

  private let context: WindowContext
  private let list = boxedList()
  private let isShown: (UnfinishedDraft) -> Bool
  private var drafts: [UnfinishedDraft] = []
  private var rows: [Widget] = []

  /// - Parameter isShown: whether to show a draft.
  init(_ context: WindowContext, where isShown: @escaping (UnfinishedDraft) -> Bool = { _ in true }) {
    (self.context, self.isShown) = (context, isShown)
    widget = column(spacing: 8, sectionHeader(tr("Unfinished")), list.accessibleName(tr("Unfinished"))).visible(false)
    widget.keeps(self)
    context.followDrafts(widget) { [weak self] drafts in
      self?.drafts = drafts
      self?.render()
    }
  }

  /// Call it when `isShown` may return something else.
  func render() {
    rows.forEach { list.remove($0) }
    rows = drafts.filter(isShown).map(row)
    rows.forEach { list.append($0) }
    widget.visible(!rows.isEmpty)
  }

  private func row(_ draft: UnfinishedDraft) -> Widget {
    let garden = context.model.garden
    let title = DraftTexts.title(of: draft, in: garden)
    let resume = button(tr("Continue")) { [weak self] in self?.open(draft) }
    let discard = button(tr("Discard"), "link") { [weak self] in self?.discard(draft) }
    resume.accessibleName(tr("Continue: {title}", ["title": title]))
    discard.accessibleName(tr("Discard: {title}", ["title": title]))
    let preview = preview(of: draft).visible(!draft.text.isEmpty)
    let hint = paragraph("", "hint")
    do {
      try context.model.checkContinuing(draft)
      hint.setText(DraftTexts.hint(of: draft, in: garden, now: context.model.now))
    } catch {
      resume.sensitive(false)
      hint.setText(userMessage(for: error))
    }
    let texts = column(spacing: 3, paragraph(title, "semibold"), preview, hint).hexpand()
    texts.children.forEach { $0.maxChars(DraftCards.textWidth) }
    let buttons = line(spacing: 8, resume, discard).valign(.center)
    let content = wrapping(texts.valign(.center), buttons)
    return contentRow(content.margin(top: 10, bottom: 10, start: 14, end: 14))
  }

  /// The beginning of a draft. A text about a sprout that has ended or is gone can't be continued: it can be read and
  /// copied only here, so it is shown as a whole.
  private func preview(of draft: UnfinishedDraft) -> Widget {
    if let id = draft.sproutID, context.model.garden.sprout(id: id)?.isActive != true {
      return paragraph(draft.text, "journal", selectable: true)
    }
    return paragraph(oneLine(draft.text), "journal").lines(2).ellipsize(mayBeCut(draft.text) ? .end : .none)
  }

  /// The width of the texts beside the buttons, in characters.
  private static let textWidth = 30

  private func open(_ draft: UnfinishedDraft) {
    let window = context.window
    switch draft.subject {
    case .water(let sproutID): window.activate("win.water", target: sproutID)
    case .harvest(let sproutID): window.activate("win.harvest", target: sproutID)
    case .sun: window.activate("win.shine")
    case .seedling: SeedlingDialog(context, continuing: draft.key).present()
    case .plant: PlantDialog(context, continuing: draft.key).present()
    }
  }

  private func discard(_ draft: UnfinishedDraft) {
    let context = context
    context.attempt {
      // If another program has changed the text, its card shows that now.
      guard try await context.model.discard(draft) else { return }
      context.foot.show(
        tr("Draft discarded"),
        button: (tr("Undo"), { context.attempt { try await context.model.bringBack(draft) } }), isUndo: true)
    }
  }
}

/// The texts of an unfinished draft.
private enum DraftTexts {
  static func title(of draft: UnfinishedDraft, in garden: Garden) -> String {
    // The sprout is gone if its planting was undone.
    let sprout = draft.sproutID.flatMap { garden.sprout(id: $0) }.map { ["title": $0.title] }
    switch draft.subject {
    case .water: return sprout.map { tr("Water “{title}”", $0) } ?? tr("Water")
    case .harvest: return sprout.map { tr("Harvest “{title}”", $0) } ?? tr("Harvest")
    case .sun: return tr("Shine")
    case .seedling: return tr("Note an Idea")
    case .plant(let form):
      return form.title.isEmpty ? tr("Plant a sprout") : tr("Plant “{title}”", ["title": String(form.title.trimmed)])
    }
  }

  /// When it was written, and where a sprout would be planted.
  static func hint(of draft: UnfinishedDraft, in garden: Garden, now: Instant) -> String {
    let (day, today) = (garden.zone.dayKey(draft.updated), garden.zone.dayKey(now))
    let begun = tr("started {when}", ["when": Formats.ago(day, today: today)])
    guard case .plant(let form) = draft.subject else { return begun }
    return dotted([form.twig.map { garden.path(ofTwig: $0.id) } ?? "", begun])
  }
}
