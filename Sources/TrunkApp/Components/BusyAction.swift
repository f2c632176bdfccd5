import GtkKit

/// The action of a button. It ignores presses while it runs, and makes the form insensitive, because text that is typed
/// then would belong to no entry.
final class BusyAction {
  private(set) var isBusy = false

  private let context: WindowContext
  // It holds the content of its dialog, which may include this object.
  private weak var foot: Foot?
  private let form: Widget?
  private let isOpen: () -> Bool

  /// - Parameters:
  ///   - foot: shows errors; the window's by default.
  ///   - form: what can't be used while the action runs.
  ///   - isOpen: whether the form is still on screen when the action ends.
  init(_ context: WindowContext, foot: Foot? = nil, form: Widget? = nil, isOpen: @escaping () -> Bool = { true }) {
    (self.context, self.foot, self.form, self.isOpen) = (context, foot, form, isOpen)
  }

  /// - Parameters:
  ///   - widget: shows the result; it is kept alive until then.
  ///   - done: called after the intent if the form is still open.
  ///   - onError: called after an error if the form is still open.
  func run(
    keeping widget: Widget? = nil, _ intent: @escaping @MainActor () async throws -> Void,
    done: @escaping () -> Void = {}, onError: @escaping () -> Void = {}
  ) {
    guard !isBusy else { return }
    isBusy = true
    form?.releaseFocus()
    form?.sensitive(false)
    context.attempt(in: foot, keeping: widget, onError: { [self] in end(onError) }) { [self] in
      try await intent()
      end(done)
    }
  }

  private func end(_ next: () -> Void) {
    guard isOpen() else { return }
    isBusy = false
    form?.sensitive(true)
    next()
  }
}
