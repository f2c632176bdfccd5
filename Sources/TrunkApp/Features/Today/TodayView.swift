import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The start view: what is due today, in the order in which the user would do it, then the tree. In a garden without
/// sprouts it is the form for planting.
final class TodayView {
  /// The form or the page.
  let widget = column()

  private let context: WindowContext
  private let greeting: GreetingHeader
  private let page: Widget
  /// What to do, and beside or below it what was done.
  private let columns, left, right: Widget
  private let clamped: Widget
  /// Shown until the garden is here.
  private let awaited: Widget
  /// The form for planting; `nil` in a garden with sprouts.
  private var planting: FirstPlanting?
  /// Above the form; `nil` without it.
  private var keyringCard: Widget?
  private let book: BookOffer
  private let ready = SproutRows()
  private let readySection: Widget
  private let water: WaterList
  private let hopes: HopesQuestion
  private let sun = SunSection()
  private let memories: Memories
  private let tree: YourTree
  private var sections: [Section] = []
  /// How many sections, from the top, are shown.
  private var shown = 0
  /// Whether to move the focus to the first thing to do when all are shown.
  private var isFocusPending = false

  /// A part of the view; `show` fills it, or hides it if it is empty.
  private struct Section {
    let widget: Widget
    let show: @MainActor (Garden, Instant) -> Void
  }

  init(_ context: WindowContext) {
    self.context = context
    greeting = GreetingHeader(context)
    book = BookOffer(context)
    water = WaterList(context)
    hopes = HopesQuestion(context)
    memories = Memories(context)
    tree = YourTree(context)
    ready.list.accessibleName(tr("Ready to harvest"))
    readySection = column(spacing: 8, sectionHeader(tr("Ready to harvest")), ready.widget)
    let header = column(spacing: 10, greeting.widget, Meters(context).widget)
    awaited = AwaitedGarden(context).widget
    left = column(
      spacing: 22, header, awaited, KeyringCard(context).widget, DraftCards(context).widget, book.widget,
      readySection, water.widget, hopes.widget, sun.widget)
    // Its parts would expand it beside the other column.
    left.hexpand(false)
    right = column(spacing: 22, memories.widget, tree.widget)
    columns = column(spacing: 22, left, right)
    clamped = clamp(
      columns.margin(top: 10, bottom: 28, start: TodayView.margin, end: TodayView.margin))
    page = scrolled(clamped)
    widget.append(page)
    widget.keeps(self)
    greeting.onName = { [weak self] in self?.focus() }
    sections = [
      Section(widget: book.widget) { [weak self] garden, _ in self?.book.show(garden) },
      Section(widget: readySection) { [weak self] in self?.showReady($0, $1) },
      Section(widget: water.widget, show: water.show),
      Section(widget: hopes.widget, show: hopes.show),
      Section(widget: sun.widget, show: sun.show),
      Section(widget: memories.widget, show: memories.show),
      Section(widget: tree.widget, show: tree.show),
    ]
    hideSections()
    context.follow(widget) { [weak self] in self?.render() }
  }

  /// Whether the window is narrow.
  var isNarrow = false {
    didSet {
      guard isNarrow != oldValue else { return }
      greeting.isNarrow = isNarrow
      planting?.isNarrow = isNarrow
      ready.isNarrow = isNarrow
      water.rows.isNarrow = isNarrow
      sun.isNarrow = isNarrow
      render()
    }
  }

  /// Of the window, in pixels.
  var width = 0 {
    didSet {
      guard width != oldValue else { return }
      isWide = Int(Double(width) / textScale) >= TodayView.wideWidth
      tree.wholeWidth =
        isWide
        ? min(width, TodayView.pageWidth) - 2 * TodayView.margin - TodayView.leftWidth - TodayView.gap : nil
    }
  }

  /// Whether there are two columns.
  private var isWide = false {
    didSet {
      guard isWide != oldValue else { return }
      columns.arrange(sideways: isWide, spacing: isWide ? TodayView.gap : 22)
      left.size(width: isWide ? TodayView.leftWidth : -1)
      right.hexpand(isWide)
      right.move(tree.widget, after: isWide ? nil : memories.widget)
      clamped.setClamp(width: isWide ? TodayView.pageWidth : columnWidth)
    }
  }

  /// From this width on, there are two columns, in pixels at the usual size of texts.
  private static let wideWidth = 1200
  /// Of the columns, between them and beside them, in pixels.
  private static let leftWidth = 680, gap = 52, margin = 18, pageWidth = 1500

  /// Focuses the title in the form, or the first thing to do, below the greeting and the meters.
  func focus() {
    if let planting { return planting.focus() }
    _ = (left.children.dropFirst() + right.children).contains { [water] in
      // Its rows come before the link in its heading.
      $0 == water.widget && water.rows.widget.focusFirst() || $0.focusFirst()
    }
  }

  /// Shows the top.
  func showRoot() { page.scrollToTop() }

  private func render() {
    let (garden, now) = (context.model.garden, context.model.now)
    // While the form writes, its sprout may be in the garden already.
    if planting?.isPlanting == true { return }
    let (isNew, isAwaited) = (garden.firstDays(at: now).isBeforePlanting, context.model.awaitsInitialSync)
    page.visible(!isNew || isAwaited)
    awaited.visible(isNew && isAwaited)
    // If the first sprout comes from elsewhere, GTK would move the focus to the first field, for the name.
    if planting?.widget.containsFocus == true, !isNew { isFocusPending = true }
    isNew && !isAwaited ? showForm() : removeForm()
    guard !isNew else { return hideSections() }
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
    guard widget.isMapped else { return showAll() }
    guard shown == 0 else { return }
    showNext()
    widget.onFrame { [weak self] in
      guard let self, shown > 0, shown < sections.count else { return false }
      showNext()
      return true
    }
  }

  private func showAll() {
    while shown < sections.count { showNext() }
  }

  private func showNext() {
    let section = sections[shown]
    shown += 1
    section.widget.visible(true)
    section.show(context.model.garden, context.model.now)
    guard isFocusPending, shown == sections.count else { return }
    isFocusPending = false
    focus()
  }

  private func showReady(_ garden: Garden, _ now: Instant) {
    let sprouts = context.model.today(resting: context.settings.restDays).ready
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
}

// MARK: - The form for planting

extension TodayView {
  private func showForm() {
    guard planting == nil else { return }
    let form = FirstPlanting(context)
    form.onDone = { [weak self] in self?.leaveForm(planted: $0) }
    form.isNarrow = isNarrow
    planting = form
    let card = clamp(KeyringCard(context).widget.margin(top: 10, start: 18, end: 18)).vexpand(false)
    keyringCard = card
    widget.append(card, form.widget)
    // An account's garden may turn out to be empty. Then GTK has moved the focus to what was left.
    if widget.isMapped, context.window.focusedWidget?.takesLetters != true { form.focus() }
  }

  private func removeForm() {
    guard let form = planting else { return }
    planting = nil
    widget.remove(form.widget)
    if let keyringCard { widget.remove(keyringCard) }
    keyringCard = nil
  }

  /// Shows the first sprout at once, with the focus on its row, or an empty form after a seedling was kept.
  private func leaveForm(planted sproutID: String?) {
    removeForm()
    render()
    guard let sproutID else { return focus() }
    showAll()
    water.rows.focus(on: sproutID, saying: tr("Planted."))
  }
}
