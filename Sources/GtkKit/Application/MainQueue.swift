import CGtk
import CShim
import Dispatch
import Glibc

/// Runs Swift's main actor in GLib's main loop.
@MainActor public enum MainQueue {
  /// Adds the main queue to the default main context. Call it once, from synchronous top-level code, before the
  /// application runs.
  ///
  /// - Returns: whether a block on the queue ran in the loop and left the handle idle. `false` means that this
  ///   libdispatch doesn't support it, and that no asynchronous code would ever run.
  public static func attach() -> Bool {
    let handle = _dispatch_get_main_queue_handle_4CF()
    guard handle >= 0 else { return false }
    g_unix_fd_add(handle, G_IO_IN, serve, nil)
    return answers(handle)
  }

  private static func answers(_ handle: CInt) -> Bool {
    let answer = Answer()
    DispatchQueue.main.async { answer.came = true }
    let deadline = g_get_monotonic_time() + 2_000_000
    while !answer.came, g_get_monotonic_time() < deadline {
      g_main_context_iteration(nil, 0)
    }
    // A handle that stays readable would wake the loop forever.
    var state = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
    return answer.came && poll(&state, 1, 0) == 0
  }

  @MainActor private final class Answer {
    var came = false
  }
}

/// Runs work that must finish before the program ends, even if its last window is closed in the meantime.
@discardableResult
@MainActor public func untilDone(_ work: @escaping @MainActor () async -> Void) -> Task<Void, Never> {
  let hold = ApplicationHold()
  return Task {
    await work()
    withExtendedLifetime(hold) {}
  }
}

/// Keeps the program running, even without a window, as long as this object exists.
@MainActor public final class ApplicationHold {
  private let application = g_application_get_default()

  public init() {
    if let application { g_application_hold(application) }
  }

  isolated deinit {
    if let application { g_application_release(application) }
  }
}

/// The handle is an event counter that must be read **before** the queue runs. If it were never read, the loop would
/// spin; if it were read afterwards, work that arrives in between would be missed.
private let serve: GUnixFDSourceFunc = { handle, _, _ in
  var count: UInt64 = 0
  // The handle doesn't block, and an empty counter only means that there is no work.
  _ = read(handle, &count, MemoryLayout.size(ofValue: count))
  _dispatch_main_queue_callback_4CF(nil)
  return gboolean(1)
}
