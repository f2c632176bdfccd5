import CSoup

/// A thread with its own GLib main loop, and the executor of actors whose C objects live on it.
///
/// GLib calls back on the loop from which a call was made. Programs without a main loop get one here, and in the others
/// the network doesn't delay the window. The thread ends with the last reference to this object.
final class LoopThread: SerialExecutor {
  // GLib locks both internally.
  nonisolated(unsafe) private let context: OpaquePointer?
  nonisolated(unsafe) private let loop: OpaquePointer?

  /// - Parameter name: the thread's name in process monitors, at most 15 bytes.
  init(name: String) {
    context = g_main_context_new()
    loop = g_main_loop_new(context, 0)
    g_thread_unref(g_thread_new(name, runLoop, UnsafeMutableRawPointer(g_main_loop_ref(loop))))
  }

  deinit {
    // Ends the loop from inside, because a loop that isn't running yet ignores a request to quit.
    attach(endLoop, UnsafeMutableRawPointer(loop), { loop in g_main_loop_unref(loop.map { OpaquePointer($0) }) })
    g_main_context_unref(context)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let work = Work(job: UnownedJob(job), thread: self)
    attach(runWork, Unmanaged.passRetained(work).toOpaque(), releaseObject)
  }

  func checkIsolated() {
    precondition(g_main_context_is_owner(context) != 0, "called outside of the thread that this belongs to")
  }

  /// Calls `function` once in the loop, in call order.
  private func attach(
    _ function: @escaping GSourceFunc, _ data: UnsafeMutableRawPointer?, _ release: @escaping GDestroyNotify
  ) {
    let source = g_idle_source_new()
    g_source_set_priority(source, G_PRIORITY_DEFAULT)
    g_source_set_callback(source, function, data, release)
    g_source_attach(source, context)
    g_source_unref(source)
  }
}

/// Releases an object that was retained by `Unmanaged.passRetained`.
let releaseObject: @convention(c) (gpointer?) -> Void = { data in
  guard let data else { return }
  Unmanaged<AnyObject>.fromOpaque(data).release()
}

/// Carries a C callback's argument into `assumeIsolated`.
///
/// Unchecked, because the callback and the isolated closure run on the same thread, one inside the other.
struct Handover<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}

/// Keeps the thread alive until its job is done.
private final class Work: Sendable {
  let job: UnownedJob
  let thread: LoopThread

  init(job: UnownedJob, thread: LoopThread) {
    self.job = job
    self.thread = thread
  }
}

private let runWork: GSourceFunc = { data in
  guard let data else { return 0 }
  let work = Unmanaged<Work>.fromOpaque(data).takeUnretainedValue()
  work.job.runSynchronously(on: work.thread.asUnownedSerialExecutor())
  return 0
}

private let runLoop: GThreadFunc = { data in
  guard let data else { return nil }
  let loop = OpaquePointer(data)
  let context = g_main_loop_get_context(loop)
  g_main_context_push_thread_default(context)
  g_main_loop_run(loop)
  g_main_context_pop_thread_default(context)
  g_main_loop_unref(loop)
  return nil
}

private let endLoop: GSourceFunc = { data in
  g_main_loop_quit(data.map { OpaquePointer($0) })
  return 0
}
