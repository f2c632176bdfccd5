import Synchronization

/// Bounds the memory of large request bodies, per account and for all of them together.
final class BodyMemory: Sendable {
  private struct State {
    var total = 0
    var byAccount: [String: Int] = [:]
  }

  /// Bytes of a body that need no reservation.
  static let freeSize = 64 << 10
  /// Two of the largest bodies for an account, four for all.
  private static let accountLimit = 2 * ServerConfiguration.bodyLimit
  private static let totalLimit = 4 * ServerConfiguration.bodyLimit

  private let state = Mutex(State())

  /// The memory of one body; given back when this object goes away.
  final class Reservation: Sendable {
    private let memory: BodyMemory
    private let account: String
    private let size = Mutex(0)

    fileprivate init(memory: BodyMemory, account: String) {
      self.memory = memory
      self.account = account
    }

    deinit { memory.release(size.withLock { $0 }, account) }

    /// Reserves as much as a body of `count` bytes needs.
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
