import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The start view: what is due today, in the order in which the user would do it.
final class TodayView {
  let widget: Widget

  private let context: WindowContext
  private let content: Widget
  private let page: Widget
  /// Created on demand: most gardens never need it.
  private var welcome: EmptyGarden?
  private let ready = SproutRows()
  private let readySection: Widget
  private let water = SproutRows()
  private let waterHeader = sectionHeader(trc("noun", "Water"))
  private let sun = SunSection()
  private let next = NextHarvest()
  private let greeting: GreetingHeader
  private let memories: Memories
  private let chart: SoilChart
  private var sections: [Section] = []
  /// How many sections, from the top, are shown.
  private var shown = 0

  /// A part of the view; `show` fills it, or hides it if it is empty.
  private struct Section {
    let widget: Widget
    let show: @MainActor (Garden, Instant) -> Void
  }

  init(_ context: WindowContext) {
    self.context = context
    greeting = GreetingHeader(context)
    memories = Memories(context)
    chart = SoilChart(context)
    ready.list.accessibleName(tr("Ready to harvest"))
    water.list.accessibleName(trc("noun", "Water"))
    readySection = column(spacing: 8, sectionHeader(tr("Ready to harvest")), ready.widget)
    let waterSection = column(spacing: 8, waterHeader, water.widget)
    content = column(
      spacing: 22, readySection, waterSection, sun.widget, next.widget, memories.widget, chart.widget)
    let header = column(spacing: 10, greeting.widget, Meters(context).widget)
    page = column(spacing: 22, header, DraftCards(context).widget, content, NameQuestion(context).widget)
    widget = scrolled(clamp(page.margin(top: 10, bottom: 28, start: 18, end: 18)))
    widget.keeps(self)
    sections = [
      Section(widget: readySection) { [weak self] in self?.showReady($0, $1) },
      Section(widget: waterSection) { [weak self] in self?.showWater($0, $1) },
      Section(widget: sun.widget, show: sun.show),
      Section(widget: next.widget, show: next.show),
      Section(widget: memories.widget, show: memories.show),
      Section(widget: chart.widget) { [chart] _, _ in chart.render() },
    ]
    hideSections()
    context.follow(widget) { [weak self] in self?.render() }
  }

  /// Whether the window is narrow.
  var isNarrow = false {
    didSet {
      guard isNarrow != oldValue else { return }
      greeting.isNarrow = isNarrow
      for rows in [ready, water] { rows.isNarrow = isNarrow }
      next.isNarrow = isNarrow
      render()
    }
  }

  /// Focuses the first thing to do, below the greeting and the meters.
  func focus() {
    _ = page.children.dropFirst().contains { $0.focusFirst() }
  }

  /// Shows the top.
  func showRoot() { widget.scrollToTop() }

  private func render() {
    let (garden, now) = (context.model.garden, context.model.now)
    let isEmpty = garden.isEmpty
    content.visible(!isEmpty)
    welcome?.widget.visible(isEmpty)
    if isEmpty {
      hideSections()
      return showWelcome()
    }
    for section in sections.prefix(shown) { section.show(garden, now) }
    showMore()
  }

  private func hideSections() {
    shown = 0
    for section in sections { section.widget.visible(false) }
  }

  /// Shows the hidden sections. If the garden appears while the view is on the screen, each section is drawn in a
  /// separate frame, because styling and laying out all of them takes longer than one frame.
  private func showMore() {
    guard widget.isMapped else {
      while shown < sections.count { showNext() }
      return
    }
    guard shown == 0 else { return }
    showNext()
    widget.onFrame { [weak self] in
      guard let self, shown > 0, shown < sections.count else { return false }
      showNext()
      return true
    }
  }

  private func showNext() {
    let section = sections[shown]
    shown += 1
    section.widget.visible(true)
    section.show(context.model.garden, context.model.now)
  }

  private func showWelcome() {
    guard welcome == nil else { return }
    let made = EmptyGarden(
      context, title: tr("A garden of your own"),
      hint: tr(
        "Plant a sprout: something you want to grow. Water it with a few lines a day, let the sun shine on one part of your life each week, and harvest when its season is over. Every harvest makes the soil grow."
      ))
    page.append(made.widget)
    welcome = made
  }

  private var today: Today { context.model.today(resting: context.settings.restDays) }

  private func showReady(_ garden: Garden, _ now: Instant) {
    let sprouts = today.ready
    readySection.visible(!sprouts.isEmpty)
    ready.show(
      sprouts.map { sprout in
        SproutRows.Item(
          sprout: sprout, kind: "ready",
          note: trn(
            "planted {date}, {n} watering", "planted {date}, {n} waterings", sprout.waterings.count,
            ["date": Formats.dayAndMonth(sprout.plantedAt)])
        ) {
          button(tr("Harvest"), "harvest", command: "win.harvest::" + sprout.id)
            .accessibleName(tr("Harvest “{title}”", ["title": sprout.title]))
        }
      }, in: garden, now: now)
  }

  private func showWater(_ garden: Garden, _ now: Instant) {
    let left = garden.waterLeft(at: now)
    let today = today
    // Ready sprouts are in the section above. Resting ones can be watered, too.
    let due = (today.due + today.resting).map { sprout in
      let kind = left > 0 && today.resting.isEmpty ? "due" : "dry"
      return SproutRows.Item(sprout: sprout, kind: kind, note: lastWatered(sprout, garden, now)) {
        guard left > 0 else { return label("") }
        return button(tr("Water"), "water", command: "win.water::" + sprout.id)
          .accessibleName(tr("Water “{title}”", ["title": sprout.title]))
      }
    }
    let done = today.watered.map { sprout in
      SproutRows.Item(sprout: sprout, kind: "done", note: tr("watered today")) {
        icon("trunk-drop-symbolic").css("water")
      }
    }
    water.show(due + done, in: garden, now: now)
    waterHeader.setNote(waterNote(garden, now, isDue: !due.isEmpty, isDone: !done.isEmpty))
  }

  private func waterNote(_ garden: Garden, _ now: Instant, isDue: Bool, isDone: Bool) -> String {
    let left = garden.waterLeft(at: now)
    if !isDue && !isDone {
      return garden.growing.isEmpty
        ? tr("nothing is growing; press N to plant") : tr("nothing else is growing; press N to plant")
    }
    if left == 0 {
      return tr(
        "all used; more {time}",
        ["time": Formats.moment(garden.zone.nextReset(after: now), now: now, in: garden.zone)])
    }
    guard isDue else { return tr("everything is watered today") }
    if let rest = context.rest {
      return tr("resting until {date}", ["date": Formats.dayAndYear(rest.last, today: context.today)])
    }
    return tr("{n} of {total} left today", ["n": "\(left)", "total": "\(Soil.waterings)"])
  }

  private func lastWatered(_ sprout: Sprout, _ garden: Garden, _ now: Instant) -> String {
    guard let last = garden.lastWatered(sprout, at: now) else {
      return tr("planted {when}", ["when": Formats.ago(sprout.plantedAt.day, today: context.today)])
    }
    return tr("last watered {when}", ["when": Formats.ago(last.day, today: context.today)])
  }
}
