import CairoKit
import GtkKit
import TreePicture
import TrunkKit
import VectorGraphics

/// The cross-section of the trunk, with the ring of one year marked.
final class RingPicture {
  /// Decorative: the page has the year in words.
  let widget = drawing(width: RingPicture.size, height: RingPicture.size)

  private let context: WindowContext
  private let number: Int32
  private var rings: [YearInGrowth.Ring] = []

  private static let size = 96

  /// - Parameter number: the year whose ring is marked.
  init(_ context: WindowContext, _ number: Int32) {
    (self.context, self.number) = (context, number)
    widget.onDraw { [weak self] in self?.draw(on: $0) }
    widget.keeps(self)
  }

  func show(_ year: YearInGrowth) {
    guard year.rings != rings else { return }
    rings = year.rings
    widget.redraw()
  }

  private func draw(on canvas: Canvas) {
    let radius = min(canvas.width, canvas.height) / 2 / (CrossSection.bark * 1.05)
    let section = CrossSection(
      rings.map(\.gain), center: Point(canvas.width / 2, canvas.height / 2), radius: radius)
    Painter(canvas.cairo).paint(
      section.drawing(canvas.palette, lineWidth: 1, marked: rings.firstIndex { $0.year == number }))
  }
}

extension Widget {
  /// Whether the widget's text is light on dark.
  @MainActor var isOnDark: Bool { color("ink").red > 0.5 }
}
