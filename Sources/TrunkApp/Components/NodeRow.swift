import GtkKit
import TrunkKit
import TrunkModel

/// A branch or twig in a boxed list: its name, note and contents.
final class NodeRow {
  let node: Node
  let widget: Widget

  private let marks = CountMarks()

  /// - Parameter start: a widget before the name.
  init(_ node: Node, start: Widget? = nil) {
    self.node = node
    // Enough for a whole note in a narrow window with large text.
    widget = row("", "", start: start, end: marks.widget).subtitleLines(6).activatable()
    widget.keeps(self)
  }

  /// The row of a twig, which opens its page.
  convenience init(twig: Node, start: Widget? = nil) {
    self.init(twig, start: start)
    widget.action("win.twig", target: twig.id).offersActivation()
  }

  /// - Parameters:
  ///   - tended: when the branch was last tended; `nil` to show nothing.
  ///   - isNarrow: whether there is only room for the note or the numbers.
  func show(_ garden: Garden, _ counts: [Node: NodeCounts], tended: String? = nil, isNarrow: Bool = false) {
    let (name, counts) = (garden.label(of: node), counts[node] ?? NodeCounts())
    widget.setRow(startingLarge(name), isNarrow && !counts.isUnused ? "" : garden.note(of: node), titleLines: 2)
    widget.accessibleName(name + ", " + CountMarks.text(counts, tended: tended))
    marks.show(counts, tended: tended)
  }
}
