import Garden
import Gardening
import GtkKit
import Localization

/// A line of a log: the heading of a month, or an entry below it.
enum LogLine<Content> {
  case month(String)
  case entry(Content)

  /// Puts each month over its entries.
  /// - Parameters:
  ///   - entries: newest first.
  ///   - last: the day of the entry above the first of them, if there is one.
  static func lines(
    _ entries: [Content], after last: Day? = nil, day: (Content) -> Day
  ) -> [LogLine<Content>] {
    var lines: [LogLine<Content>] = []
    var current = last
    for entry in entries {
      let day = day(entry)
      if day.month != current?.month || day.year != current?.year { lines.append(.month(Formats.month(day))) }
      current = day
      lines.append(.entry(entry))
    }
    return lines
  }
}

/// A row that shows either kind of line.
final class LogRow<Content>: ListRow {
  let widget: Widget

  private let heading = label("", "semibold")
  private let body: Widget
  private let showEntry: (Content) -> String

  /// - Parameters:
  ///   - body: what shows an entry.
  ///   - showEntry: shows one in it, and returns what a screen reader says.
  init(_ body: Widget, showEntry: @escaping (Content) -> String) {
    self.body = body
    self.showEntry = showEntry
    widget = column(heading.margin(top: 6), body)
    widget.keeps(self)
  }

  func show(_ line: LogLine<Content>) -> String {
    switch line {
    case .month(let name):
      heading.visible(true)
      body.visible(false)
      heading.setText(name)
      return name
    case .entry(let entry):
      heading.visible(false)
      body.visible(true)
      return showEntry(entry)
    }
  }
}

/// The window of a log: its list, or what to do to fill it.
final class LogWindow {
  let window: DialogWindow

  private let session: Session
  private let rows: Widget
  private let empty: Widget

  /// - Parameter onEnd: the lower end of the list came into sight.
  init(_ session: Session, title: String, list: Widget, empty: Widget, onEnd: @escaping @MainActor () -> Void = {}) {
    self.session = session
    rows = scrolledList(list)
    self.empty = scrolled(empty)
    // Position 3 is the lower edge.
    rows.onPosition("edge-reached") { if $0 == 3 { onEnd() } }
    let content = column(rows, self.empty)
    window = DialogWindow(
      over: session.window, title: title, closeTitle: tr("Close"), width: 600, height: 720, content: content,
      scrolls: false)
    // The list goes on below the edge.
    content.margin(bottom: 0)
    window.widget.keeps(self)
  }

  /// Closes and invokes a command of the window below.
  func leave(for command: String, target: String? = nil) {
    window.leave(session, for: command, target: target)
  }

  func show(isEmpty: Bool) {
    rows.visible(!isEmpty)
    empty.visible(isEmpty)
  }
}
