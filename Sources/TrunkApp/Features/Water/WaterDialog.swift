import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The journal's daily dialog: up to three due sprouts, each with a question and a text.
final class WaterDialog {
  private let context: WindowContext
  private let dialog: DialogWindow
  private let drops = Drops(filled: 0, of: Soil.waterings)
  private let meter = group("")
  private var sections: [WaterSection] = []
  private let questions: WaterQuestions
  private lazy var writing = WritingMode(dialog) { [weak self] in self?.sectionInUse?.subject }

  /// - Parameter first: the id of the sprout to show first, if it is due.
  init(_ context: WindowContext, first: String? = nil) {
    self.context = context
    questions = WaterQuestions(context)
    context.unsavedDrafts.waterForm?.discard()
    let content = column(spacing: 18)
    dialog = DialogWindow(over: context.window, title: tr("Water"), closeTitle: tr("Close"), content: content)
    context.unsavedDrafts.waterForm = dialog
    meter.append(drops.widget)
    dialog.addToHeader(meter.margin(start: 12, end: 6).valign(.center))
    let due = Self.due(context.model, first: first)
    sections = due.map { WaterSection(context, $0, toaster: dialog.toaster) }
    for (position, section) in sections.enumerated() {
      if position > 0 { content.append(rule()) }
      content.append(section.widget)
      section.onAsk = { [weak self, weak section] in
        if let self, let section { section.ask(questions.another(about: section.sproutID)) }
      }
      section.onWrite = { [weak self, weak section] in
        if let self, let subject = section?.subject { writing.enter(subject) }
      }
      section.onGrow = { [weak self] in self?.dialog.fit() }
      section.onWatered = { [weak self] in self?.advance(from: position) }
    }
    if sections.isEmpty { content.append(emptyContent()) }
    dialog.widget.ignoreRepeats(of: "<Control>Return")
    dialog.widget.on("destroy") { [weak self] in self?.sections.forEach { $0.close() } }
    context.follow(dialog.widget) { [weak self] in self?.render() }
    _ = writing
    dialog.widget.keeps(self)
  }

  func present() {
    sections.forEach { $0.reserveQuestion(true) }
    dialog.present()
    sections.forEach { $0.reserveQuestion(false) }
    sections.first?.area.focus()
    sections.forEach { $0.drafts.restore() }
    Task {
      do {
        try await questions.load()
      } catch { context.report(error, in: dialog.toaster) }
      for section in sections {
        await section.drafts.restored()
        guard dialog.isOpen else { return }
        if section.drafts.asked == nil { section.ask(questions.today(about: section.sproutID)) }
      }
      if dialog.isOpen { dialog.fit() }
    }
  }
}

extension WaterDialog {
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
    let left = context.model.garden.waterLeft(at: context.model.now)
    drops.filled = left
    let text = tr("{n} of {total} waterings left", ["n": "\(left)", "total": "\(Soil.waterings)"])
    meter.accessibleName(text).tooltip(text)
    sections.forEach { $0.render() }
  }

  /// Moves to the next text, or closes the dialog if nothing is left to water.
  private func advance(from position: Int) {
    let order = sections[(position + 1)...] + sections[...position]
    if let next = order.first(where: { $0.isDue }) { next.area.focus() } else { dialog.close() }
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
