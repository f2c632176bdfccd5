import GtkKit
import TrunkKit
import TrunkModel

/// A line of a log: a month heading or an entry.
enum LogLine<Content> {
  case month(String)
  case entry(Content)

  /// Inserts a heading above each month's entries.
  /// - Parameters:
  ///    - entries: newest first.
  ///    - last: the day of the entry above the first one, if there is one.
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

/// A row that can show either kind of line.
final class LogRow<Content>: ListRow {
  let widget: Widget

  private let heading = label("", "semibold")
  private let body: Widget
  private let showEntry: (Content) -> String

  /// - Parameters:
  ///    - body: the widget that shows an entry.
  ///    - showEntry: shows an entry in `body` and returns its text for screen readers.
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

/// The window of a log: its list, or an empty state with a next step.
final class LogWindow {
  let window: DialogWindow

  private let context: WindowContext
  private let rows: Widget
  private let empty: Widget

  /// - Parameters:
  ///   - head: above the list.
  ///   - rows: the list, which scrolls.
  init(_ context: WindowContext, title: String, head: Widget? = nil, rows: Widget, empty: Widget) {
    self.context = context
    self.rows = rows
    self.empty = scrolled(empty)
    let content = column(rows, self.empty)
    if let head { content.insert(head.margin(bottom: 14, start: 18, end: 18), after: nil) }
    window = DialogWindow(
      over: context.window, title: title, width: 600, height: 720, content: content,
      scrolls: false)
    // The list continues below the edge, and has margins itself, so that its scroll bar is at the edge of the window.
    content.margin(bottom: 0, start: 0, end: 0)
    window.widget.keeps(self)
  }

  /// Closes the window and invokes a command of the window below.
  func leave(for command: String, target: String? = nil) {
    window.leave(context, for: command, target: target)
  }

  func show(isEmpty: Bool) {
    rows.visible(!isEmpty)
    empty.visible(isEmpty)
  }
}
