import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The window's search. It finds entries, questions, sprouts, leaves, seedlings, branches and twigs as the user types,
/// off the main thread.
final class SearchPage {
  var widget: Widget { pages.widget }

  /// Called when the user wants to return to the place from which the search was opened.
  var onLeave: (@MainActor () -> Void)?

  /// Called when the results of a search are shown.
  var onResults: (@MainActor () -> Void)?

  private let context: WindowContext
  private let search: GardenSearch
  private let listPage = column()
  private let pages: ListDetail
  private lazy var field = liveSearchEntry(name: tr("Search the whole garden")) { [weak self] in
    self?.typed()
  } onStop: { [weak self] in
    self?.onLeave?()
  }
  private lazy var list = SearchList(context) { [weak self] in self?.open($0) }
  private let problem = paragraph("", "trouble")
  private let empty = bin()
  private lazy var emptyPage = scrolled(clamp(empty))
  private var groups: Choice?
  private lazy var export = iconButton(
    "document-print-symbolic", name: tr("Export or print the entries that were found")
  ) { [weak self] in
    self?.openExport()
  }
  /// The only group that is shown; `nil` for all.
  private var group: SearchResults.Group?
  private var results: SearchResults?
  private var emptiness: SearchEmptiness?
  private var announcing: Timeout?
  /// In milliseconds.
  private static let announcementDelay = 800
  private lazy var loader = Loader(context, for: widget)
  /// The number of results that a group shows when it is shown alone.
  private var alone = SearchPage.batch

  /// The number of results that are read at once for a group that is shown alone.
  private static let batch = 60

  init(_ context: WindowContext) {
    self.context = context
    search = context.model.makeSearch()
    pages = ListDetail(list: listPage)
    pages.onReturn = { [weak self] in self?.list.focus() }
    listPage.onKey { [weak self] press in
      let isBack = press.key == .left && press.modifiers.contains(.alt)
      guard press.key == .escape || isBack else { return false }
      self?.onLeave?()
      return true
    }
    widget.keeps(self)
    context.followShown(widget) { [weak self] in self?.find() }
  }

  /// Moves the focus to the field.
  /// - Parameter text: the text to search for; `nil` keeps the current text.
  func open(_ text: String?) {
    layOutIfNeeded()
    pages.back()
    if let text, text != field.text { field.text = text }
    field.focus()
    field.selectAll()
    Task { [search, garden = context.model.garden] in  // No widgets
      await search.prepare(garden)
    }
  }

  /// Builds the content when the search is first opened, so that a start doesn't wait for it.
  private func layOutIfNeeded() {
    guard groups == nil else { return }
    let titles = [trc("search", "All")] + SearchResults.Group.allCases.map(\.title)
    let groups = Choice(.chips, name: tr("Show"), titles) { [weak self] position in
      self?.show(only: position == 0 ? nil : SearchResults.Group.allCases[position - 1])
    }
    self.groups = groups
    field.onKey(capture: true) { [weak self] press in
      guard press.key == .down, let self, list.widget.isVisible else { return false }
      list.focus()
      return true
    }
    list.onEnd = { [weak self] in self?.showMore() }
    let back = iconButton("go-previous-symbolic", name: tr("Back")) { [weak self] in self?.onLeave?() }
    let bar = column(
      spacing: 10, line(spacing: 6, back, field.hexpand(), export.visible(false)), groups.widget.visible(false),
      problem.visible(false))
    listPage.append(
      clamp(bar.margin(top: 6, bottom: 10, start: 18, end: 18)), list.widget.visible(false), emptyPage)
    show(.help)
  }
}

extension SearchPage {
  private func typed() {
    alone = SearchPage.batch
    find(scrollsUp: true)
  }

  /// Searches in place of an earlier search.
  private func find(scrollsUp: Bool = false) {
    guard groups != nil else { return }
    let (text, garden, now) = (field.text, context.model.garden, context.model.now)
    let (group, alone) = (group, alone)
    loader.load { [search] in
      try await search.results(for: text, in: garden, at: now) { each in
        group == nil ? each.summaryCount : each == group ? alone : 0
      }
    } show: { [weak self] results in
      guard let self else { return }
      show(results)
      if scrollsUp { list.scrollUp() }
      onResults?()
    }
  }

  private func show(_ results: SearchResults) {
    self.results = results
    showGroups(of: results)
    problem.visible(!results.query.problems.isEmpty).setText(results.query.problems.joined(separator: "\n"))
    export.visible(!shownEntries.isEmpty)
    let count = group.map { results.counts[$0, default: 0] } ?? results.count
    if count > 0 { list.show(results, only: group) }
    announce(results)
    show(count > 0 ? nil : SearchEmptiness(results, in: group, text: field.text))
  }

  /// Lets screen readers say how much was found, once nothing more is typed.
  private func announce(_ results: SearchResults) {
    guard !results.query.isEmpty else { return announcing = nil }
    let found = SearchResults.Group.allCases.compactMap { group in
      results.counts[group].flatMap { $0 > 0 ? group.heading($0) : nil }
    }
    let text = results.query.problems.first ?? (found.isEmpty ? tr("Nothing found") : found.joined(separator: ", "))
    announcing = Timeout.after(milliseconds: SearchPage.announcementDelay) { [weak self] in
      self?.widget.announce(text)
    }
  }

  private func showGroups(of results: SearchResults) {
    guard let groups else { return }
    groups.widget.visible(results.count > 0)
    for (position, group) in SearchResults.Group.allCases.enumerated() {
      let count = results.counts[group, default: 0]
      groups.setTitle(group.heading(count), at: position + 1)
      groups.setVisible(count > 0 || group == self.group, at: position + 1)
    }
  }

  private func show(_ emptiness: SearchEmptiness?) {
    list.widget.visible(emptiness == nil)
    emptyPage.visible(emptiness != nil)
    guard emptiness != self.emptiness else { return }
    self.emptiness = emptiness
    empty.setChild(
      emptiness.map { emptiness in
        emptiness.page { [weak self] in
          self?.show(only: $0)
        } search: { [weak self] in
          self?.open($0)
        }
      })
  }

  private func show(only group: SearchResults.Group?) {
    self.group = group
    groups?.selected = group.flatMap { SearchResults.Group.allCases.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
    alone = SearchPage.batch
    find(scrollsUp: true)
  }

  /// All entries of the groups that are shown, also those below the first ones.
  private var shownEntries: [TimelineItem] {
    let groups = group.map { [$0] } ?? SearchResults.Group.allCases
    return groups.flatMap { results?.items[$0] ?? [] }
  }

  private func openExport() {
    let (filter, text) = (TimelineFilter(found: Set(shownEntries.map(\.seq))), field.text)
    context.attempt { [context] in
      BookDialog(context, listing: filter, found: try await context.model.findPages(text)).present()
    }
  }

  private func showMore() {
    guard let group, let results, alone < results.counts[group, default: 0] else { return }
    // While the next results are being read, the list may report its end again.
    guard results.hits[group, default: []].count == alone else { return }
    alone += SearchPage.batch
    find()
  }

  private func open(_ item: SearchItem) {
    switch item {
    case .more(let group, _): show(only: group)
    case .hit(let hit, _):
      switch hit.place {
      case .entry(let item): open(.item(item), of: hit.group)
      case .sprout(let id): widget.activate("win.sprout", target: id)
      case .seedling(let id): widget.activate("win.edit-seedling", target: id)
      case .leaf(let id): widget.activate("win.leaf", target: id)
      case .node(.branch(let branch)): widget.activate("win.branch", target: "\(branch)")
      case .page(let page): open(.page(page), of: hit.group)
      case .node(let node): widget.activate("win.twig", target: node.id)
      }
    }
  }

  private func open(_ line: JournalLine, of group: SearchResults.Group) {
    let found = (results?.hits[group] ?? []).compactMap { if case .page(let page) = $0.place { page } else { nil } }
    let lines = results?.items[group]?.map(JournalLine.item) ?? found.map(JournalLine.page)
    guard let index = lines.firstIndex(of: line) else { return }
    let entryPage = EntryPage(context, lines, at: index, finding: results?.query) { [weak self] in self?.pages.back() }
    // The results are above it.
    entryPage.widget.onKey { [weak pages] press in
      guard press.key == .escape, press.modifiers.isEmpty else { return false }
      pages?.back()
      return true
    }
    pages.open(entryPage.widget)
    entryPage.focus()
  }
}

extension SearchResults.Group {
  /// The number of results that are shown below each other's headings.
  nonisolated fileprivate var summaryCount: Int { self == .entries ? 6 : 3 }
}
