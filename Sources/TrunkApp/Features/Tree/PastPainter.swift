import CairoKit
import TreePicture
import TrunkPrint

/// The tree of a past day.
nonisolated struct PastTree: Equatable, Sendable {
  var content: TreeScene.Content
  /// How much of the year had passed, for the colours; `nil` without seasons.
  var yearShare: Double?
  /// Whether another day is about to follow.
  var isMoving = false
}

/// Paints trees of past days on another thread, because one takes longer than a frame. If days follow each other faster
/// than they are painted, those in between are left out.
final class PastPainter {
  /// What is to be painted.
  nonisolated struct Order: Equatable, Sendable {
    var tree: PastTree
    var look: TreeCanvas.Look
    /// The number of the screen's pixels per unit.
    var scale: Double
  }

  /// The tree that was painted last, with a picture for its names; `nil` before the first one.
  private(set) var painted: (names: TreePicture, snapshot: Snapshot, order: Order)?

  private let onPainted: () -> Void
  /// What was ordered last.
  private var order: Order?
  private var painting: Task<Void, Never>?

  init(onPainted: @escaping () -> Void) { self.onPainted = onPainted }

  /// Paints a tree when the one before it is done, unless another one is ordered until then.
  func paint(_ tree: PastTree, _ look: TreeCanvas.Look, scale: Double) {
    let order = Order(tree: tree, look: look, scale: scale)
    guard order != self.order else { return }
    self.order = order
    if painting == nil { paintNext() }
  }

  /// Ends the painting and forgets its trees.
  func forget() {
    painting?.cancel()
    (painted, order, painting) = (nil, nil, nil)
  }

  private func paintNext() {
    painting = nil
    guard let order, order != painted?.order else { return }
    painting = Task { [weak self] in
      let (names, snapshot) = await PastPainter.painted(order)
      guard let self, !Task.isCancelled else { return }
      painted = (names, snapshot, order)
      onPainted()
      paintNext()
    }
  }

  @concurrent private nonisolated static func painted(_ order: Order) async -> (names: TreePicture, Snapshot) {
    let look = order.look
    let picture = TreePicture(
      order.tree.content.state, width: look.width, height: look.height, palette: look.palette, fontSize: look.fontSize)
    let snapshot = Snapshot(width: look.width, height: look.height, scale: order.scale) { cairo in
      let painter = Painter(cairo)
      if order.tree.isMoving {
        painter.roughly { $0.paint(picture.movingDrawing) }
      } else {
        painter.paint(picture.drawing)
      }
    }
    return (picture.withoutDrawings, snapshot)
  }
}
