import Glibc

/// The signals that ask the program to end: SIGTERM and SIGINT.
///
/// They are blocked in every thread, so they stay pending until `wait()` takes them. A Dispatch signal source is not
/// enough: it ignores the signal, and the system discards an ignored signal that reaches a thread that doesn't block
/// it.
struct TerminationSignals {
  private var set = sigset_t()

  /// Blocks the signals. Call it before the program starts a thread, because threads inherit the blocked signals.
  init() {
    sigemptyset(&set)
    sigaddset(&set, SIGTERM)
    sigaddset(&set, SIGINT)
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Blocks the calling thread until one of the signals arrives. Returns immediately if one has arrived before.
  func wait() {
    var (set, signal) = (set, Int32())
    // Its only error is an invalid set.
    while sigwait(&set, &signal) != 0 {}
  }
}
