import Garden
import Gardening
import GtkKit
import Localization

/// The journal's daily page: up to three sprouts that are due, a question and a text for each.
final class WaterDialog {
  private let session: Session
  private let dialog: DialogWindow
  private let drops = Drops(filled: 0, of: Soil.waterings)
  private let meter = group("")
  private var sections: [WaterSection] = []
  private var questions = Questions(recentWater: [], recentSun: [])

  /// - Parameter first: the id of the sprout that comes first, if it is due.
  init(_ session: Session, first: String? = nil) {
    self.session = session
    let content = column(spacing: 18)
    dialog = DialogWindow(over: session.window, title: tr("Water"), closeTitle: tr("Close"), content: content)
    meter.append(drops.widget)
    adw_header_bar_pack_end(dialog.header.cast(), meter.margin(end: 6).alignDown(GTK_ALIGN_CENTER))
    let due = Self.due(session.gardener, first: first)
    sections = due.map { WaterSection(session, $0, toaster: dialog.toaster) }
    for (position, section) in sections.enumerated() {
      if position > 0 { content.append(rule()) }
      content.append(section.widget)
      section.onAsk = { [weak self, weak section] in
        if let self, let section { ask(section) }
      }
      section.onWatered = { [weak self] in self?.goOn(from: position) }
    }
    if sections.isEmpty { content.append(nothingToDo()) }
    dialog.ignoreRepeats(of: "<Control>Return")
    dialog.widget.on("destroy") { [weak self] in self?.sections.forEach { $0.close() } }
    session.follow(dialog.widget) { [weak self] in self?.render() }
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
        questions = try await session.gardener.questions()
      } catch { session.tell(error, in: dialog.toaster) }
      for section in sections {
        await section.drafts.restored()
        guard dialog.isOpen else { return }
        if section.drafts.asked == nil { ask(section) }
      }
      if dialog.isOpen { dialog.fit() }
    }
  }
}

extension WaterDialog {
  private static func due(_ gardener: Gardener, first: String?) -> [Sprout] {
    var due = gardener.garden.due(at: gardener.now)
    if let position = due.firstIndex(where: { $0.id == first }) {
      due.insert(due.remove(at: position), at: 0)
    }
    return Array(due.prefix(gardener.garden.waterLeft(at: gardener.now)))
  }

  private func ask(_ section: WaterSection) {
    var random = SystemRandomNumberGenerator()
    section.ask(questions.water(using: &random))
  }

  private func render() {
    let left = session.gardener.garden.waterLeft(at: session.gardener.now)
    drops.filled = left
    let text = tr("{n} of {total} waterings left", ["n": "\(left)", "total": "\(Soil.waterings)"])
    meter.named(text).tooltip(text)
    sections.forEach { $0.render() }
  }

  /// On to the next text, or out when nothing is left to water.
  private func goOn(from position: Int) {
    let order = sections[(position + 1)...] + sections[...position]
    if let next = order.first(where: { $0.isDue }) { next.area.focus() } else { dialog.close() }
  }

  private func nothingToDo() -> Widget {
    let (garden, now) = (session.gardener.garden, session.gardener.now)
    let returns = Formats.moment(garden.zone.nextReset(after: now), now: now, in: garden.zone)
    if garden.waterLeft(at: now) == 0 {
      return emptyState(
        icon: "trunk-drop-symbolic", title: tr("The water is used up for today"),
        hint: tr("It returns {time}.", ["time": returns]))
    }
    if !garden.growing.isEmpty {
      return emptyState(
        icon: "trunk-drop-symbolic", title: tr("Everything that grows has been watered today"),
        hint: tr("Each sprout takes water once a day. They are thirsty again {time}.", ["time": returns]))
    }
    if session.isAwaitingGarden { return EmptyGarden.loading() }
    return emptyState(
      icon: "trunk-sprout-symbolic", title: tr("Nothing grows yet"),
      hint: tr("Water goes to what you have planted. Plant a sprout, and write about it here."),
      button: button(tr("Plant a Sprout"), "plant") { [weak self] in
        guard let self else { return }
        dialog.close()
        PlantDialog(session).present()
      })
  }
}
