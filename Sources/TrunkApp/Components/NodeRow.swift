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
  ///   - score: the branch's score, 0…1; `nil` to show none.
  ///   - isNarrow: whether there is only room for the note or the numbers.
  func show(_ garden: Garden, _ counts: [Node: NodeCounts], score: Double? = nil, isNarrow: Bool = false) {
    let (name, counts) = (garden.label(of: node), counts[node] ?? NodeCounts())
    widget.setRow(startingLarge(name), isNarrow && !counts.isUnused ? "" : garden.note(of: node), titleLines: 2)
    widget.accessibleName(name + ", " + CountMarks.text(counts, score: score))
    marks.show(counts, score: score)
  }
}
