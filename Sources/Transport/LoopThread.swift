import CSoup

/// A thread with a main loop of GLib's own, and the executor of the actors whose C objects live on it.
///
/// GLib calls back on the loop in which a call was made. Programs without such a loop get one here, and in those with one
/// the network does not get in the way of the screen. The thread ends when nobody refers to this any more.
final class LoopThread: SerialExecutor {
  // GLib locks both of them itself.
  nonisolated(unsafe) private let context: OpaquePointer?
  nonisolated(unsafe) private let loop: OpaquePointer?

  /// - Parameter name: 15 bytes at most, for those who look at the threads of a process.
  init(name: String) {
    context = g_main_context_new()
    loop = g_main_loop_new(context, 0)
    g_thread_unref(g_thread_new(name, runLoop, UnsafeMutableRawPointer(g_main_loop_ref(loop))))
  }

  deinit {
    // From inside the loop, because a loop that does not run yet forgets that it was told to end.
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

  /// Has `function` called once in the loop, in the order of the calls.
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

/// Drops the reference that `Unmanaged.passRetained` gave away.
let releaseObject: @convention(c) (gpointer?) -> Void = { data in
  guard let data else { return }
  Unmanaged<AnyObject>.fromOpaque(data).release()
}

/// Carries what a C callback was given into `assumeIsolated`.
///
/// Unchecked, because the callback and the isolated closure run on the same thread, one inside the other.
struct Handover<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}

/// Keeps the thread until its job is done.
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
