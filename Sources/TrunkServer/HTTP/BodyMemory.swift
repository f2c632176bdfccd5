import Synchronization

/// Limits the memory for large request bodies, per account and in total.
final class BodyMemory: Sendable {
  private struct State {
    var total = 0
    var byAccount: [String: Int] = [:]
  }

  /// Bodies up to this many bytes need no reservation.
  static let freeSize = 64 << 10
  /// Two bodies of maximum size per account, four in total.
  private static let accountLimit = 2 * ServerConfiguration.bodyLimit
  private static let totalLimit = 4 * ServerConfiguration.bodyLimit

  private let state = Mutex(State())

  /// The memory reserved for one body, released with this object.
  final class Reservation: Sendable {
    private let memory: BodyMemory
    private let account: String
    private let size = Mutex(0)

    fileprivate init(memory: BodyMemory, account: String) {
      self.memory = memory
      self.account = account
    }

    deinit { memory.release(size.withLock { $0 }, account) }

    /// Reserves the memory that a body of `count` bytes needs.
    /// - Returns: `false` if there isn't enough left.
    func grow(to count: Int) -> Bool {
      guard count > BodyMemory.freeSize else { return true }
      return size.withLock { size in
        guard count > size else { return true }
        guard memory.take(count - size, account) else { return false }
        size = count
        return true
      }
    }
  }

  func reservation(account: String) -> Reservation { Reservation(memory: self, account: account) }

  private func take(_ count: Int, _ account: String) -> Bool {
    state.withLock { state in
      let own = state.byAccount[account, default: 0] + count
      guard own <= BodyMemory.accountLimit, state.total + count <= BodyMemory.totalLimit else { return false }
      state.byAccount[account] = own
      state.total += count
      return true
    }
  }

  private func release(_ count: Int, _ account: String) {
    guard count > 0 else { return }
    state.withLock { state in
      state.total -= count
      let own = state.byAccount[account, default: 0] - count
      state.byAccount[account] = own > 0 ? own : nil
    }
  }
}
