import CGtk
import Glibc

/// Calls `handler` on the main loop when the system asks the program to end (SIGTERM, SIGINT, SIGHUP), for example at
/// the end of a session, so that typed text can still be saved. Lasts for the life of the program.
@MainActor public func onTermination(_ handler: @escaping @MainActor () -> Void) {
  for signal in [SIGTERM, SIGINT, SIGHUP] {
    g_unix_signal_add_full(G_PRIORITY_DEFAULT, signal, call, HandlerBox.retained(handler), releaseHandler)
  }
}

private let call: GSourceFunc = { data in
  guard let data else { return 0 }
  let handler = HandlerBox<@MainActor () -> Void>.handler(at: data)
  MainActor.assumeIsolated { handler() }
  return 1
}
