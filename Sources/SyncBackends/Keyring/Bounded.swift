import CSecret
import Dispatch
import SyncEngine
import Synchronization

/// Runs a blocking call on a thread of the queue, and stops waiting for it after the limit.
///
/// Cancelling the task doesn't end the wait, because the call may be storing a session that exists nowhere else.
func bounded<Value: Sendable>(
  by limit: Duration, on queue: DispatchQueue,
  _ call: @escaping @Sendable (Cancellable) throws(VaultFailure) -> Value
) async throws(VaultFailure) -> Value {
  let cancellable = Cancellable()
  let result = await withCheckedContinuation { continuation in
    let answer = FirstAnswer<Value>(continuation)
    queue.asyncAfter(deadline: .now() + .nanoseconds(Int(limit / .nanoseconds(1)))) {
      answer.give(.failure(.noAnswer))
      cancellable.cancel()
    }
    queue.async {
      answer.give(Result { () throws(VaultFailure) in try call(cancellable) })
    }
  }
  return try result.get()
}

/// Cancels a call on another thread.
final class Cancellable: Sendable {
  // GLib locks it internally.
  nonisolated(unsafe) let pointer = g_cancellable_new()

  func cancel() { g_cancellable_cancel(pointer) }

  deinit { g_object_unref(pointer) }
}

/// Forwards the first of several results.
private final class FirstAnswer<Value: Sendable>: Sendable {
  typealias Continuation = CheckedContinuation<Result<Value, VaultFailure>, Never>
  private let continuation: Mutex<Continuation?>

  init(_ continuation: Continuation) {
    self.continuation = Mutex(continuation)
  }

  func give(_ answer: Result<Value, VaultFailure>) {
    let waiting = continuation.withLock { waiting in
      defer { waiting = nil }
      return waiting
    }
    waiting?.resume(returning: answer)
  }
}
