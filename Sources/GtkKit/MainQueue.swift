import CGtk
import CShim
import Dispatch
import Glibc

/// Lets GLib's main loop serve Swift's main actor.
@MainActor public enum MainQueue {
  /// Adds the queue to the default main context. Call it once, from synchronous top-level code, before the
  /// application runs.
  ///
  /// - Returns: whether a block that was put on the queue came back through the loop and left it at rest. False
  ///   means that this libdispatch has no such door, and that nothing asynchronous would ever happen.
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
    // A handle that is still readable would wake the loop for ever.
    var state = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
    return answer.came && poll(&state, 1, 0) == 0
  }

  @MainActor private final class Answer {
    var came = false
  }
}

/// Does work that the program must not end without, even when its last window is closed meanwhile.
@discardableResult
@MainActor public func untilDone(_ work: @escaping @MainActor () async -> Void) -> Task<Void, Never> {
  let application = g_application_get_default()
  if let application { g_application_hold(application) }
  return Task {
    await work()
    if let application { g_application_release(application) }
  }
}

/// The handle is an event counter: it has to be read **before** the queue runs. Unread, the loop would spin;
/// read afterwards, work that arrives in between would be forgotten.
private let serve: GUnixFDSourceFunc = { handle, _, _ in
  var count: UInt64 = 0
  // The handle does not block, and an empty counter only means that there is nothing to do.
  _ = read(handle, &count, MemoryLayout.size(ofValue: count))
  _dispatch_main_queue_callback_4CF(nil)
  return gboolean(1)
}
