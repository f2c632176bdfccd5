import GtkKit
import Localization
import TrunkKit

/// The log of the water or of the sun, newest entry first.
final class JournalLog {
  enum Kind {
    case water, sun
  }

  private let context: WindowContext
  private let kind: Kind
  private lazy var list = JournalList(context, name: kind.title, headsNewest: true) { [weak self] line in
    if case .item(let item) = line { self?.window?.leave(for: "win.entry", target: "\(item.seq)") }
  } onLink: { [weak self] in
    self?.window?.leave(for: "win.open-link", target: $0)
  }
  private var window: LogWindow?

  init(_ context: WindowContext, _ kind: Kind) {
    self.context = context
    self.kind = kind
    let window = LogWindow(
      context, title: kind.title, rows: list.widget, empty: kind.emptyState { [weak self] in self?.leave() })
    self.window = window
    window.window.widget.keeps(self)
    context.follow(window.window.widget) { [weak self] in self?.render() }
  }

  func present() { window?.window.present() }

  private func render() {
    let items = context.model.garden.timeline(TimelineFilter(kinds: [kind == .water ? .watering : .reflection]))
    window?.show(isEmpty: items.isEmpty)
    list.show(items.map(JournalLine.item))
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
