import CEpoll
import Glibc
import Synchronization

/// A socket that never blocks. One task may read from it and one may write to it.
final class PolledSocket: Sendable {
  /// Bytes that are asked for at once.
  private static let portion = 16_384

  let file: Int32
  private let reading = Readiness()
  private let writing = Readiness()

  /// - Parameter file: one that does not block; closed with this object.
  init(_ file: Int32) {
    self.file = file
  }

  deinit { close(file) }

  /// Appends what has arrived, and waits if that is nothing.
  /// - Returns: `false` when nothing more will come.
  func read(into bytes: inout [UInt8]) async -> Bool {
    while true {
      await reading.wait()
      let (count, problem) = withUnsafeTemporaryAllocation(byteCount: PolledSocket.portion, alignment: 1) { buffer in
        let count = recv(file, buffer.baseAddress, buffer.count, 0)
        let problem = errno
        if count > 0 { bytes += buffer[..<count] }
        return (count, problem)
      }
      // A full portion says that there may be more; only of what comes after less than that the loop tells.
      if count == PolledSocket.portion || (count < 0 && problem == EINTR) { reading.set() }
      if count > 0 { return true }
      if count == 0 || (problem != EAGAIN && problem != EINTR) { return false }
    }
  }

  /// - Returns: `false` if the client has gone, or takes nothing for a minute.
  func write(_ bytes: [UInt8]) async -> Bool {
    var sent = 0
    while true {
      let (count, problem) = bytes.withUnsafeBytes { buffer in
        let rest = UnsafeRawBufferPointer(rebasing: buffer[sent...])
        return (send(file, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL)), errno)
      }
      if count >= 0 {
        sent += count
        if sent == bytes.count { return true }
      } else if problem == EAGAIN {
        writing.allow(seconds: ServerConfiguration.patience)
        await writing.wait()
      } else if problem != EINTR {
        return false
      }
    }
  }

  /// The connection ends if what is waited for next is not there within so many seconds.
  func expectData(within seconds: Int64) { reading.allow(seconds: seconds) }

  /// Waits until a listening socket has a client.
  func waitForClient() async { await reading.wait() }

  /// Lets what has arrived already be read, and no more.
  func stopReading() { shutdown(file, Int32(SHUT_RD)) }

  func stopWriting() { shutdown(file, Int32(SHUT_WR)) }

  /// Ends the connection; whoever waits notices.
  func abort() { shutdown(file, Int32(SHUT_RDWR)) }

  /// Called by the loop with what `epoll` tells.
  func notice(_ events: UInt32) {
    let isBroken = events & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0
    let isAtEnd = isBroken || events & EPOLLRDHUP.rawValue != 0
    if isAtEnd || events & EPOLLIN.rawValue != 0 { reading.set(forGood: isAtEnd) }
    if isBroken || events & EPOLLOUT.rawValue != 0 { writing.set(forGood: isBroken) }
  }

  /// Called by the loop now and then.
  func endIfLate(_ now: Int64) {
    if reading.isLate(now) || writing.isLate(now) { abort() }
  }
}

/// Whether a socket can be read, or written: told once, when it changes.
private final class Readiness: Sendable {
  private struct State {
    var isReady = false
    /// Nothing will change any more.
    var isForGood = false
    var waiting: CheckedContinuation<Void, Never>?
    /// The second at which waiting has been long enough.
    var deadline = Int64.max
  }

  private let state = Mutex(State())

  /// Returns once after each `set`.
  func wait() async {
    // Who has always something to do must let others have their turn.
    if state.withLock({ $0.isReady }) { await Task.yield() }
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        defer { state.isReady = state.isForGood }
        if !state.isReady { state.waiting = continuation }
        return state.isReady
      }
      if isReady { continuation.resume() }
    }
  }

  func set(forGood: Bool = false) {
    let woken = state.withLock { state in
      defer { state.waiting = nil }
      state.isForGood = state.isForGood || forGood
      // Who waits takes it at once.
      state.isReady = state.waiting == nil || state.isForGood
      return state.waiting
    }
    woken?.resume()
  }

  func allow(seconds: Int64) {
    state.withLock { $0.deadline = EventLoop.seconds + seconds }
  }

  func isLate(_ now: Int64) -> Bool {
    state.withLock { $0.waiting != nil && $0.deadline <= now }
  }
}
