import GtkKit
import Localization
import TrunkAccount
import TrunkKit
import TrunkModel

/// The log of the water or of the sun, newest entry first.
final class JournalLog {
  enum Kind {
    case water, sun
  }

  private let context: WindowContext
  private let kind: Kind
  private let store = ListStore<LogLine<GardenModel.Page>>()
  private var window: LogWindow?
  /// Newest first; `nil` until the first entries are loaded.
  private var entries: [JournalEntry]?
  /// How many of them are in the list.
  private var shown = 0
  private var isLoading = false

  /// More rows than a window shows, so that the list can be scrolled to its end.
  private static let stretch = 60

  init(_ context: WindowContext, _ kind: Kind) {
    self.context = context
    self.kind = kind
    let list = listView(
      store, name: kind.title, row: { [weak self] in JournalLog.makeRow { self?.caption(of: $0) } },
      activate: { [weak self] in self?.open($0) }, canActivate: { JournalLog.sprout(of: $0) != nil })
    let empty = kind.emptyState { [weak self] in self?.leave() }
    let window = LogWindow(context, title: kind.title, list: list, empty: empty) { [weak self] in self?.showMore() }
    self.window = window
    window.window.widget.keeps(self)
    context.follow(window.window.widget) { [weak self] in self?.render() }
  }

  func present() { window?.window.present() }

  private static func makeRow(caption: @escaping (GardenModel.Page) -> String?) -> LogRow<GardenModel.Page> {
    let entry = Entry(isSelectable: false)
    return LogRow(entry.widget) { entry.show($0, caption: caption($0) ?? "") }
  }
}

extension JournalLog {
  private func render() {
    let entries = context.model.garden.journal.reversed().filter { ($0.sprout == nil) == (kind == .sun) }
    window?.show(isEmpty: entries.isEmpty)
    guard entries != self.entries else { return }
    self.entries = entries
    load(0..<min(max(shown, JournalLog.stretch), entries.count))
  }

  private func showMore() {
    guard !isLoading, let entries, shown < entries.count else { return }
    load(shown..<min(shown + JournalLog.stretch, entries.count))
  }

  /// Shows the entries in `range` below those that are shown; a range from 0 replaces them.
  private func load(_ range: Range<Int>) {
    guard let entries else { return }
    isLoading = true
    context.attempt(in: window?.window.toaster, onError: { [weak self] in self?.isLoading = false }) { [weak self] in
      guard let self else { return }
      let pages = try await context.model.pages(Array(entries[range]))
      // Newer entries may have arrived in the meantime; another load shows them.
      guard entries == self.entries else { return }
      let zone = context.model.garden.zone
      let above = range.lowerBound == 0 ? nil : zone.local(entries[range.lowerBound - 1].instant).day
      let lines = LogLine.lines(pages, after: above) { zone.local($0.entry.instant).day }
      store.replace((range.lowerBound == 0 ? 0 : store.count)..<store.count, with: lines)
      shown = range.upperBound
      isLoading = false
    }
  }

  /// `21 November 2026, 09:30 · Learn the cello prelude`.
  private func caption(of page: GardenModel.Page) -> String {
    let garden = context.model.garden
    let about = page.entry.sprout.map { garden.sprouts[$0].title } ?? twig(of: page)
    return [Formats.dateAndTime(page.entry.instant, in: garden.zone), clamped(about, to: oneLineLimit)]
      .joined(separator: " · ")
  }

  /// The current name of a reflection's twig; if it is unknown, its name at that time.
  private func twig(of page: GardenModel.Page) -> String {
    let garden = context.model.garden
    return page.entry.twig.map { garden.path(ofTwig: $0.id) } ?? page.twigLabel ?? ""
  }

  /// The sprout that a line opens; `nil` for a month heading and for a reflection.
  private static func sprout(of line: LogLine<GardenModel.Page>) -> Int? {
    if case .entry(let page) = line { page.entry.sprout } else { nil }
  }

  private func open(_ line: LogLine<GardenModel.Page>) {
    guard let sprout = JournalLog.sprout(of: line) else { return }
    window?.leave(for: "win.sprout", target: context.model.garden.sprouts[sprout].id)
  }

  private func leave() {
    switch kind {
    case .water: window?.leave(for: "win.water", target: "")
    case .sun: window?.leave(for: "win.shine")
    }
  }
}

extension JournalLog.Kind {
  fileprivate var title: String {
    switch self {
    case .water: trc("log", "Water")
    case .sun: trc("log", "Sun")
    }
  }

  fileprivate func emptyState(_ action: @escaping @MainActor () -> Void) -> Widget {
    switch self {
    case .water:
      GtkKit.emptyState(
        icon: "trunk-drop-symbolic", title: tr("Nothing has been watered yet"),
        hint: tr("You can water up to three sprouts a day with a few words. They appear here."),
        button: button(tr("Water"), "water", action: action))
    case .sun:
      GtkKit.emptyState(
        icon: "trunk-sun-symbolic", title: tr("The sun has not shone yet"),
        hint: tr("Once a week the sun shines on one of your twigs and asks a question. Your answers appear here."),
        button: button(tr("Shine"), "sun", action: action))
    }
  }
}
