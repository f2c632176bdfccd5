import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// Narrows the journal to kinds of entries, a place, a leaf, results and a time. Each choice takes effect immediately.
final class JournalFilterDialog {
  private let context: WindowContext
  private let dialog: DialogWindow
  private var filter: TimelineFilter
  private let onChange: @MainActor (TimelineFilter) -> Void
  private let kind: PickRow
  private let branch: PickRow
  private let twig = PickRow(tr("Twig"), [""])
  private let leaf = row("", end: icon("go-next-symbolic")) {}.css("pick").subtitleLines(2)
  private let result: PickRow
  private let from = LimitedRow(tr("From (2024, 2024-03 or 2024-03-09)"), limit: 20)
  private let to = LimitedRow(tr("To"), limit: 20)

  private var garden: Garden { context.model.garden }

  /// What the journal can show.
  private static var kinds: [(title: String, kinds: Set<TimelineItem.Kind>)] {
    [
      (tr("Everything"), []), (trc("journal", "Water"), [.watering]), (trc("journal", "Sun"), [.reflection]),
      (trc("journal", "Harvest"), [.harvest]),
    ]
  }

  /// - Parameter hasPages: whether there are earlier pages.
  init(
    _ context: WindowContext, _ filter: TimelineFilter, hasPages: Bool,
    onChange: @escaping @MainActor (TimelineFilter) -> Void
  ) {
    (self.context, self.filter, self.onChange) = (context, filter, onChange)
    let garden = context.model.garden
    kind = PickRow(tr("Show"), JournalFilterDialog.kinds.map(\.title))
    branch = PickRow(tr("Branch"), [tr("All branches")] + (0..<8).map { garden.label(of: .branch($0)) })
    result = PickRow(
      tr("Harvests"), [tr("Any result")] + (1...5).map { tr("{result} or better", ["result": Formats.result($0)]) })
    let (milestones, actions) = (boxedList(), wrapping(spacing: 8))
    dialog = DialogWindow(
      over: context.window, title: tr("Filter the Journal"), closeTitle: tr("Close"), width: 480,
      content: column(
        spacing: 18, boxedList(kind.widget),
        boxedList(branch.widget, twig.widget, leaf).accessibleName(tr("Place on the tree")),
        boxedList(result.widget).accessibleName(tr("Result")),
        boxedList(from.widget, to.widget).accessibleName(tr("Time")), milestones, actions))
    milestones.append(
      switchRow(tr("Plantings and uprootings"), "", isOn: filter.showsMilestones) { [weak self] isOn in
        self?.change { $0.showsMilestones = isOn }
      })
    if hasPages {
      milestones.append(
        switchRow(tr("Earlier pages"), tr("They belong to no place on the tree."), isOn: filter.showsPages) {
          [weak self] isOn in
          self?.change { $0.showsPages = isOn }
        })
    }
    actions.append(
      button(tr("Show the Whole Journal")) { [weak self] in self?.showEverything() },
      button(tr("Export or Print…")) { [weak self] in self?.export() })
    from.addCalendar(tr("Choose the First Day")) { context.today }
    to.addCalendar(tr("Choose the Last Day")) { context.today }
    showFilter()
    connect()
    dialog.widget.keeps(self)
  }

  func present() { dialog.present() }

  private func connect() {
    kind.onPick = { [weak self] position in self?.change { $0.kinds = JournalFilterDialog.kinds[position].kinds } }
    branch.onPick = { [weak self] position in
      self?.change { $0.twigs = position == 0 ? nil : TimelineFilter.twigs(ofBranch: position - 1) }
      self?.showTwigs()
    }
    twig.onPick = { [weak self] position in
      guard let self, branch.selected > 0 else { return }
      let place = branch.selected - 1
      change {
        $0.twigs = position == 0 ? TimelineFilter.twigs(ofBranch: place) : [.twig(branch: place, twig: position - 1)]
      }
    }
    leaf.on("activated") { [weak self] in self?.chooseLeaf() }
    result.onPick = { [weak self] position in self?.change { $0.results = position == 0 ? nil : position...5 } }
    from.onChange = { [weak self] in self?.readTime() }
    to.onChange = { [weak self] in self?.readTime() }
  }

  private func showFilter() {
    kind.selected = JournalFilterDialog.kinds.firstIndex { $0.kinds == filter.kinds } ?? 0
    let place = filter.twigs?.first
    branch.selected = (filter.twigs == nil ? nil : place?.branch).map { $0 + 1 } ?? 0
    showTwigs()
    showLeaf()
    result.selected = filter.results?.lowerBound ?? 0
    from.text = filter.first?.description ?? ""
    to.text = filter.last?.description ?? ""
  }

  private func showTwigs() {
    let place = branch.selected - 1
    let names = place < 0 ? [] : (0..<8).map { garden.label(of: .twig(branch: place, twig: $0)) }
    var selected = 0
    if case .twig(_, let twig)? = filter.twigs?.first, filter.twigs?.count == 1 { selected = twig + 1 }
    twig.show([tr("All twigs")] + names, selected: selected)
    // A combo row makes itself sensitive when it gets items.
    twig.widget.sensitive(place >= 0)
  }

  /// The leaf that the journal is narrowed to.
  private var chosenLeaf: String? { filter.leaves?.count == 1 ? filter.leaves?.first?.text : nil }

  private func chooseLeaf() {
    LeafPicker.present(garden, over: dialog, chosen: chosenLeaf) { [weak self] id in
      self?.change { $0.leaves = id.map { [ExactID($0)] } }
      self?.showLeaf()
    }
  }

  private func showLeaf() {
    let name = chosenLeaf.flatMap { garden.leaf(id: $0) }.map { clamped($0.name, to: oneLineLimit) }
    leaf.setRow(tr("Leaf"), name ?? tr("All leaves"))
  }

  /// A time that can't be read, for example because it is still being typed, doesn't narrow the journal.
  private func readTime() {
    let today = garden.zone.dayKey(context.model.now)
    let (first, last) = (Period(from.text, today: today), Period(to.text, today: today))
    for (row, period) in [(from, first), (to, last)] {
      row.widget.css("error", when: !row.text.isEmpty && period == nil)
    }
    change { ($0.first, $0.last) = (first?.first, last?.last) }
  }

  private func showEverything() {
    change { $0 = TimelineFilter() }
    dialog.close()
  }

  private func export() {
    let (context, filter) = (context, filter)
    dialog.close()
    BookDialog(context, listing: filter).present()
  }

  private func change(_ change: (inout TimelineFilter) -> Void) {
    let before = filter
    change(&filter)
    if filter != before { onChange(filter) }
  }
}
