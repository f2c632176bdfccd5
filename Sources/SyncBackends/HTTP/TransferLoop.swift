import CCurlShim
import Dispatch
import Synchronization

/// Runs concurrent transfers on one queue. Without transfers it uses neither a thread nor CPU time.
final class TransferLoop: @unchecked Sendable {
  private struct State {
    var incoming: [HTTPTransfer] = []
    var cancelled: [HTTPTransfer] = []
    /// Replaced and woken only while the lock is held.
    var multi: UnsafeMutableRawPointer?
    var isRunning = false
  }

  private let settings: HTTPClient.Settings
  private let timeAsleep: @Sendable () -> Int
  private let queue = DispatchQueue(label: "http", qos: .userInitiated)
  private let state = Mutex(State())
  // Used only on the queue.
  private var transfers: [UnsafeMutableRawPointer: HTTPTransfer] = [:]
  private var knownTimeAsleep = 0

  private static let isInitialized = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  init(_ settings: HTTPClient.Settings, timeAsleep: @escaping @Sendable () -> Int) {
    self.settings = settings
    self.timeAsleep = timeAsleep
    _ = Self.isInitialized
  }

  deinit { state.withLock { _ = curl_multi_cleanup($0.multi) } }

  func start(_ transfer: HTTPTransfer, continuation: CheckedContinuation<HTTPTransfer.Outcome, Never>) {
    transfer.continuation = continuation
    change { $0.incoming.append(transfer) }
  }

  /// Can be called before `start`.
  func cancel(_ transfer: HTTPTransfer) {
    transfer.isCancelled.store(true, ordering: .sequentiallyConsistent)
    change { $0.cancelled.append(transfer) }
  }

  private func change(_ body: (inout sending State) -> Void) {
    let isIdle = state.withLock { state in
      body(&state)
      defer { state.isRunning = true }
      if state.isRunning, let multi = state.multi { curl_multi_wakeup(multi) }
      return !state.isRunning
    }
    if isIdle { queue.async { self.run() } }
  }

  /// Runs until there are no transfers left.
  private func run() {
    guard let multi = sharedConnections() else { return failAll() }
    repeat {
      let (incoming, cancelled) = state.withLock { state in
        defer { (state.incoming, state.cancelled) = ([], []) }
        return (state.incoming, state.cancelled)
      }
      for transfer in incoming { add(transfer, to: multi) }
      for transfer in cancelled {
        if let handle = transfer.handle { end(handle, of: multi, .failure(.cancelled)) }
      }
      perform(multi)
      // Returns earlier if libcurl has work or `change` wakes it.
      if !transfers.isEmpty { curl_multi_poll(multi, nil, 0, 60_000, nil) }
    } while !isDone()
  }

  private func isDone() -> Bool {
    guard transfers.isEmpty else { return false }
    return state.withLock { state in
      state.isRunning = !state.incoming.isEmpty
      return !state.isRunning
    }
  }

  /// The handle that holds the connections. After a suspend they are dropped: the server may have closed them in the
  /// meantime, which a request would notice only by its timeout.
  private func sharedConnections() -> UnsafeMutableRawPointer? {
    let now = timeAsleep()
    let hasSlept = now - knownTimeAsleep > 1
    knownTimeAsleep = now
    return state.withLock { state in
      if hasSlept {
        curl_multi_cleanup(state.multi)
        state.multi = nil
      }
      if state.multi == nil { state.multi = curl_multi_init() }
      return state.multi
    }
  }

  private func add(_ transfer: HTTPTransfer, to multi: UnsafeMutableRawPointer) {
    guard !transfer.isCancelled.load(ordering: .sequentiallyConsistent) else {
      return transfer.finish(.failure(.cancelled))
    }
    do {
      let handle = try transfer.prepare(settings)
      transfers[handle] = transfer
      curl_multi_add_handle(multi, handle)
    } catch {
      transfer.finish(.failure(error))
    }
  }

  private func perform(_ multi: UnsafeMutableRawPointer) {
    var running: CInt = 0
    curl_multi_perform(multi, &running)
    var left: CInt = 0
    while let message = curl_multi_info_read(multi, &left) {
      guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else { continue }
      let code = message.pointee.data.result
      if let transfer = transfers[handle] { end(handle, of: multi, transfer.outcome(code)) }
    }
  }

  private func end(
    _ handle: UnsafeMutableRawPointer, of multi: UnsafeMutableRawPointer, _ outcome: HTTPTransfer.Outcome
  ) {
    guard let transfer = transfers.removeValue(forKey: handle) else { return }
    curl_multi_remove_handle(multi, handle)
    transfer.finish(outcome)
  }

  /// Fails all transfers, because there isn't even memory for a handle.
  private func failAll() {
    let transfers = state.withLock { state in
      defer { (state.incoming, state.cancelled, state.isRunning) = ([], [], false) }
      return state.incoming
    }
    for transfer in transfers { transfer.finish(.failure(.connectionLost)) }
  }
}
