import CGtk

/// Moves a number from one value to another. If the desktop has turned animations off, the number jumps.
@MainActor public final class Animation {
  private let animation: OpaquePointer

  /// - Parameters:
  ///   - widget: the widget that shows the number. The animation stops when it is unmapped.
  ///   - isEven: whether the number moves evenly; otherwise it slows down towards its end.
  ///   - onValue: called for each frame. It must not own this animation.
  ///   - onEnd: called when the number has reached its final value.
  public init(
    on widget: Widget, milliseconds: Int, isEven: Bool = false, onValue: @escaping @MainActor (Double) -> Void,
    onEnd: @escaping @MainActor () -> Void = {}
  ) {
    let target = adw_callback_animation_target_new(move, HandlerBox.retained(onValue), releaseHandler)
    // The target belongs to the animation, and the animation to this object.
    animation = OpaquePointer(adw_timed_animation_new(widget, 0, 1, guint(milliseconds), target))
    if isEven { adw_timed_animation_set_easing(animation, ADW_LINEAR) }
    animation.on("done", onEnd)
  }

  isolated deinit {
    adw_animation_reset(animation.cast())
    g_object_unref(animation.address)
  }

  /// Starts the animation, or restarts it if it is running.
  public func start(from: Double = 0, to: Double = 1) {
    adw_animation_reset(animation.cast())
    adw_timed_animation_set_value_from(animation, from)
    adw_timed_animation_set_value_to(animation, to)
    adw_animation_play(animation.cast())
  }

  /// Stops the animation where it is.
  public func stop() { adw_animation_pause(animation.cast()) }

  /// How long it takes, in milliseconds.
  public var duration: Int {
    get { Int(adw_timed_animation_get_duration(animation)) }
    set { adw_timed_animation_set_duration(animation, guint(newValue)) }
  }

  public var isRunning: Bool { adw_animation_get_state(animation.cast()) == ADW_ANIMATION_PLAYING }
}

private let move: AdwAnimationTargetFunc = { value, data in
  guard let data else { return }
  let handler = HandlerBox<@MainActor (Double) -> Void>.handler(at: data)
  MainActor.assumeIsolated { handler(value) }
}
