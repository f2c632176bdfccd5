import GtkKit
import TreePicture

/// The time of the act that a dialog shows. Any key and any click ends it, and still does its usual work. With reduced
/// motion, there is only the last frame.
final class ActClock {
  /// Whether the time only moves with `step`, to take a picture of each moment.
  static var isStepped = false
  private static weak var latest: ActClock?

  private var animation: Animation?
  private var rest: Timeout?
  private var onTime: ((Double) -> Void)?
  private var onEnd: (() -> Void)?
  private var length = 0.0

  /// - Parameters:
  ///   - window: the dialog. Create the clock before what ignores repeated keys there.
  ///   - root: the window around it, if it is only a part of one; by default the dialog itself.
  init(_ window: Widget, in root: Widget? = nil) {
    // It stays with the window around it, and does nothing when the clock is gone.
    (root ?? window).onFreshInput { [weak self] in self?.finish() }
    window.on("destroy") { [weak self] in
      // What shows the act is gone.
      if self?.onTime != nil { self?.onTime = { _ in } }
      self?.finish()
    }
  }

  /// Runs an act from its first frame. One that is still running ends before.
  /// - Parameters:
  ///   - pause: how long the last frame stays before `onEnd`, in milliseconds.
  ///   - widget: what shows it.
  ///   - onTime: called for each frame with the milliseconds since the beginning, and at last with the act's end.
  ///   - onEnd: called once, after the last frame.
  func run(
    _ act: Act, pause: Double = 0, on widget: Widget, onTime: @escaping (Double) -> Void,
    onEnd: @escaping () -> Void = {}
  ) {
    finish()
    (self.onTime, self.onEnd, length) = (onTime, onEnd, act.end)
    ActClock.latest = self
    let whole = length + pause
    guard widget.mayMove else {
      if pause == 0 { return finish() }
      onTime(length)
      rest = Timeout.after(milliseconds: Int(whole)) { [weak self] in self?.finish() }
      return
    }
    onTime(0)
    if ActClock.isStepped { return }
    animation = Animation(
      on: widget, milliseconds: Int(whole), isEven: true, onValue: { [weak self] in self?.show($0 * whole) },
      onEnd: { [weak self] in self?.finish() })
    animation?.start()
  }

  /// Shows the last frame.
  func finish() {
    guard let onTime, let onEnd else { return }
    (self.onTime, self.onEnd, rest) = (nil, nil, nil)
    animation?.stop()
    onTime(length)
    onEnd()
  }

  /// Moves the latest clock to a time, in milliseconds.
  static func step(to time: Double) { latest?.show(time) }

  private func show(_ time: Double) { onTime?(min(time, length)) }
}
