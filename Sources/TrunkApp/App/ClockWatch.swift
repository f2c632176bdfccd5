import GtkKit
import TrunkKit
import TrunkModel

/// Updates the garden as time passes: at 06:00, when a harvest becomes ready, after a suspend, and when the clock or
/// the time zone changes.
final class ClockWatch {
  private let context: WindowContext
  private var timer: WallTimer?

  init(_ context: WindowContext) {
    self.context = context
    timer = WallTimer { [weak self] in self?.refresh() }
    // A change of the time zone sends no signal, but the user comes back to the window after it.
    context.window.onChange(of: "is-active") { [weak self] in self?.refresh() }
    context.scope.on("destroy") { [weak self] in self?.timer = nil }
    // Also after local changes: in another time zone, the day starts at another instant.
    context.follow(context.scope) { [weak self] in self?.arm() }
  }

  private func refresh() {
    context.attempt { [model = context.model] in try await model.refreshClock() }
  }

  private func arm() {
    timer?.set(at: context.model.nextChange.milliseconds)
  }
}
