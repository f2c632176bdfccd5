import Garden
import Gardening
import GtkKit

/// Keeps what is shown right as time passes and as others write: at 06:00, when a harvest becomes ready, after a
/// suspend, when the clock or the zone is set, and when the command line has watered.
final class DayWatch {
  private let session: Session
  private var timer: WallTimer?
  private var following: Task<Void, Never>?

  init(_ session: Session) {
    self.session = session
    timer = WallTimer { [weak self] in self?.refresh() }
    // The zone has no signal of its own; whoever changed it comes back to the window.
    session.window.onChange(of: "is-active") { [weak self] in self?.refresh() }
    session.scope.on("destroy") { [weak self] in
      self?.following?.cancel()
      self?.timer = nil
    }
    // Also after what is done here: another zone has other mornings.
    session.follow(session.scope) { [weak self] in self?.arm() }
    let store = session.gardener.store
    following = Task { [weak self] in
      do {
        for await _ in try await store.changes() { await self?.catchUp() }
      } catch is CancellationError {
      } catch {
        self?.session.toaster.show(plainWords(error))
      }
    }
  }

  private func refresh() {
    session.attempt { [gardener = session.gardener] in try await gardener.refreshClock() }
  }

  /// While many rows come, they are left for the end, when the synchroniser has them shown: a garden that is rendered anew
  /// with every page is of no use to anybody.
  private func catchUp() async {
    guard !session.synchroniser.isPartway else { return }
    do {
      try await session.gardener.catchUp()
    } catch {
      // The next change may find the store in a better state.
      session.tell(error)
    }
  }

  private func arm() {
    timer?.set(at: session.gardener.nextChange.milliseconds)
  }
}
