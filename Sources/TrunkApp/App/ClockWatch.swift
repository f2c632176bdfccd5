import GtkKit
import TrunkAccount
import TrunkKit
import TrunkModel

/// Updates the garden as time passes and as other programs write: at 06:00, when a harvest becomes ready, after a
/// suspend, when the clock or the time zone changes, and when the command line has watered.
final class ClockWatch {
  private let context: WindowContext
  private var timer: WallTimer?
  private var following: Task<Void, Never>?

  init(_ context: WindowContext) {
    self.context = context
    timer = WallTimer { [weak self] in self?.refresh() }
    // A change of the time zone sends no signal, but the user comes back to the window after it.
    context.window.onChange(of: "is-active") { [weak self] in self?.refresh() }
    context.scope.on("destroy") { [weak self] in
      self?.following?.cancel()
      self?.timer = nil
    }
    // Also after local changes: in another time zone, the day starts at another instant.
    context.follow(context.scope) { [weak self] in self?.arm() }
    let store = context.model.store
    following = Task { [weak self] in
      do {
        for await _ in try await store.changes() { await self?.catchUp() }
      } catch is CancellationError {
      } catch {
        self?.context.toaster.show(plainWords(error))
      }
    }
  }

  private func refresh() {
    context.attempt { [model = context.model] in try await model.refreshClock() }
  }

  /// Takes in events that other programs wrote. Skipped while many rows arrive: the accountModel shows them all at the
  /// end, because rendering the garden for every page would waste time.
  private func catchUp() async {
    guard !context.accountModel.isPartway else { return }
    do {
      try await context.model.catchUp()
    } catch {
      // The next change tries again.
      context.tell(error)
    }
  }

  private func arm() {
    timer?.set(at: context.model.nextChange.milliseconds)
  }
}
