import GtkKit

/// A number that a drawing shows and that moves to a new value in a moment, as the answer to an action. With reduced
/// motion, and while the drawing isn't on screen, it jumps.
final class GradualValue {
  /// What to draw now.
  private(set) var shown: Double

  private let widget: Widget
  private let onChange: @MainActor (Double) -> Void
  private var target: Double
  /// Made when it first moves: most drawings never do.
  private var animation: Animation?

  /// How long a movement takes, in milliseconds.
  static let duration = 400

  /// - Parameters:
  ///   - widget: where it is drawn. It must keep this object.
  ///   - onChange: called with each new value; by default, the widget is drawn again.
  init(_ value: Double, on widget: Widget, onChange: (@MainActor (Double) -> Void)? = nil) {
    (shown, target, self.widget) = (value, value, widget)
    self.onChange = onChange ?? { _ in widget.redraw() }
  }

  /// Moves to a value. A call during a movement continues from what is shown.
  func move(to value: Double) {
    guard value != target else { return }
    target = value
    guard widget.isMapped, widget.mayMove else { return show(value) }
    let animation =
      animation
      ?? Animation(on: widget, milliseconds: GradualValue.duration, onValue: { [weak self] in self?.show($0) })
    self.animation = animation
    animation.start(from: shown, to: value)
  }

  /// Shows a value without a movement.
  func set(_ value: Double) {
    animation = nil
    target = value
    show(value)
  }

  private func show(_ value: Double) {
    shown = value
    onChange(value)
  }
}
