import CEpoll
import Glibc
import Synchronization

/// One thread that waits for all sockets and runs the tasks that serve them. What becomes ready together is served
/// together, and who waits for a socket wakes no other thread.
final class EventLoop: TaskExecutor, @unchecked Sendable {
  private struct State {
    var jobs: [UnownedJob] = []
    /// Whether the thread looks at `jobs` again before it sleeps.
    var isAwake = true
    var sockets: [Int32: PolledSocket] = [:]
  }

  /// Seconds between two looks for those that wait in vain.
  private static let tick: Int32 = 1

  private let poll: Int32
  /// Written to by other threads that have work for a sleeping loop.
  private let bell: Int32
  private let state = Mutex(State())

  /// Starts the thread; it stays as long as the program.
  /// - Throws: `ServerProblem.system`
  init() throws(ServerProblem) {
    poll = epoll_create1(Int32(EPOLL_CLOEXEC))
    bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard poll >= 0, bell >= 0, control(EPOLL_CTL_ADD, bell, EPOLLIN.rawValue) else {
      throw ServerProblem.system(errno)
    }
    var thread = pthread_t()
    let failure = pthread_create(
      &thread, nil,
      { context in
        if let context { Unmanaged<EventLoop>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
    guard failure == 0 else { throw ServerProblem.system(failure) }
    pthread_detach(thread)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let sleeps = state.withLock { state in
      state.jobs.append(job)
      defer { state.isAwake = true }
      return !state.isAwake
    }
    if sleeps { eventfd_write(bell, 1) }
  }

  /// Tells a socket from now on when it can be read or written.
  /// - Throws: `ServerProblem.system`
  func add(_ socket: PolledSocket) throws(ServerProblem) {
    state.withLock { $0.sockets[socket.file] = socket }
    // Told of changes alone, so that nothing has to be asked for again and again.
    let events = EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue
    guard control(EPOLL_CTL_ADD, socket.file, events) else {
      let problem = ServerProblem.system(errno)
      state.withLock { _ = $0.sockets.removeValue(forKey: socket.file) }
      throw problem
    }
  }

  /// To be called before the file is closed, which is when the system forgets it too.
  func remove(_ socket: PolledSocket) {
    state.withLock { _ = $0.sockets.removeValue(forKey: socket.file) }
  }

  private func control(_ operation: Int32, _ file: Int32, _ events: UInt32) -> Bool {
    var event = epoll_event()
    event.events = events
    event.data.fd = file
    return epoll_ctl(poll, operation, file, &event) == 0
  }

  private func run() -> Never {
    var events = [epoll_event](repeating: epoll_event(), count: 256)
    var nextTick = EventLoop.seconds
    while true {
      let (jobs, hasSockets) = state.withLock { state in
        let jobs = state.jobs
        state.jobs = []
        state.isAwake = !jobs.isEmpty
        return (jobs, !state.sockets.isEmpty)
      }
      for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
      let patience = !jobs.isEmpty ? 0 : hasSockets ? EventLoop.tick * 1000 : -1
      let count = epoll_wait(poll, &events, Int32(events.count), patience)
      state.withLock { $0.isAwake = true }
      for event in events.prefix(Int(max(0, count))) { dispatch(event) }
      if hasSockets, EventLoop.seconds >= nextTick {
        nextTick = EventLoop.seconds + Int64(EventLoop.tick)
        let sockets = state.withLock { Array($0.sockets.values) }
        for socket in sockets { socket.endIfLate(EventLoop.seconds) }
      }
    }
  }

  private func dispatch(_ event: epoll_event) {
    if event.data.fd == bell {
      var count: eventfd_t = 0
      eventfd_read(bell, &count)
    } else {
      // An event of a file that was closed meanwhile, and whose number was given away again, does no harm: who is
      // woken for nothing waits again.
      state.withLock { $0.sockets[event.data.fd] }?.notice(event.events)
    }
  }

  /// Of a clock that nobody sets.
  static var seconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    return Int64(time.tv_sec)
  }
}
