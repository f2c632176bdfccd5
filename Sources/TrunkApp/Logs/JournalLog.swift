import Garden
import Gardening
import GtkKit
import Localization

/// The log of the water or of the sun: what was written, newest first.
final class JournalLog {
  enum Kind {
    case water, sun
  }

  private let session: Session
  private let kind: Kind
  private let store = ListStore<LogLine<Gardener.Page>>()
  private var window: LogWindow?
  /// Newest first; `nil` before the first ones are known.
  private var entries: [JournalEntry]?
  /// How many of them are in the list.
  private var shown = 0
  private var isLoading = false

  /// More than a window shows, so that the list can be scrolled to its end.
  private static let stretch = 60

  init(_ session: Session, _ kind: Kind) {
    self.session = session
    self.kind = kind
    let list = listView(
      store, name: kind.title, row: { [weak self] in JournalLog.makeRow { self?.caption(of: $0) } },
      activate: { [weak self] in self?.open($0) }, canActivate: { JournalLog.sprout(of: $0) != nil })
    let empty = kind.emptyState { [weak self] in self?.leave() }
    let window = LogWindow(session, title: kind.title, list: list, empty: empty) { [weak self] in self?.showMore() }
    self.window = window
    window.window.widget.keeps(self)
    session.follow(window.window.widget) { [weak self] in self?.render() }
  }

  func present() { window?.window.present() }

  private static func makeRow(caption: @escaping (Gardener.Page) -> String?) -> LogRow<Gardener.Page> {
    let entry = Entry(isSelectable: false)
    return LogRow(entry.widget) { entry.show($0, caption: caption($0) ?? "") }
  }
}

extension JournalLog {
  private func render() {
    let entries = session.gardener.garden.journal.reversed().filter { ($0.sprout == nil) == (kind == .sun) }
    window?.show(isEmpty: entries.isEmpty)
    guard entries != self.entries else { return }
    self.entries = entries
    load(0..<min(max(shown, JournalLog.stretch), entries.count))
  }

  private func showMore() {
    guard !isLoading, let entries, shown < entries.count else { return }
    load(shown..<min(shown + JournalLog.stretch, entries.count))
  }

  /// Shows entries after those that are there; from 0 on, in place of them.
  private func load(_ range: Range<Int>) {
    guard let entries else { return }
    isLoading = true
    session.attempt(in: window?.window.toaster, onError: { [weak self] in self?.isLoading = false }) { [weak self] in
      guard let self else { return }
      let pages = try await session.gardener.pages(Array(entries[range]))
      // Newer ones may have come meanwhile, and are being loaded.
      guard entries == self.entries else { return }
      let zone = session.gardener.garden.zone
      let above = range.lowerBound == 0 ? nil : zone.local(entries[range.lowerBound - 1].instant).day
      let lines = LogLine.lines(pages, after: above) { zone.local($0.entry.instant).day }
      store.replace((range.lowerBound == 0 ? 0 : store.count)..<store.count, with: lines)
      shown = range.upperBound
      isLoading = false
    }
  }

  /// `21 November 2026, 09:30 · Learn the cello prelude`.
  private func caption(of page: Gardener.Page) -> String {
    let garden = session.gardener.garden
    let about = page.entry.sprout.map { garden.sprouts[$0].title } ?? twig(of: page)
    return [Formats.dateAndTime(page.entry.instant, in: garden.zone), clamped(about, to: oneLineLimit)]
      .joined(separator: " · ")
  }

  /// The twig of a reflection as it is called today, else as it was called then.
  private func twig(of page: Gardener.Page) -> String {
    let garden = session.gardener.garden
    return page.entry.twig.map { garden.path(ofTwig: $0.id) } ?? page.twigLabel ?? ""
  }

  /// What a line leads to: none for a month, and for what the sun has shone on.
  private static func sprout(of line: LogLine<Gardener.Page>) -> Int? {
    if case .entry(let page) = line { page.entry.sprout } else { nil }
  }

  private func open(_ line: LogLine<Gardener.Page>) {
    guard let sprout = JournalLog.sprout(of: line) else { return }
    window?.leave(for: "win.sprout", target: session.gardener.garden.sprouts[sprout].id)
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
        icon: "trunk-drop-symbolic", title: tr("Nothing was watered yet"),
        hint: tr("Three times a day a sprout can be watered with a few words. They are kept here."),
        button: button(tr("Water"), "water", action: action))
    case .sun:
      GtkKit.emptyState(
        icon: "trunk-sun-symbolic", title: tr("The sun has not shone yet"),
        hint: tr("Once a week it falls on one of your twigs and asks a question. Your answers are kept here."),
        button: button(tr("Shine"), "sun", action: action))
    }
  }
}
