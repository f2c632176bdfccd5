import Synchronization

/// Limits the memory for large request bodies, per account, per client and in total.
final class BodyMemory: Sendable {
  /// Bodies up to this many bytes need no reservation.
  static let freeSize = 64 << 10
  /// Two bodies of maximum size per account and per client, four in total.
  private static let ownLimit = 2 * ServerConfiguration.bodyLimit
  private static let totalLimit = 4 * ServerConfiguration.bodyLimit
  /// More memory for those who use only a little: a few clients that send large bodies slowly must not keep the others
  /// from sending ordinary batches.
  private static let small = (own: 2 << 20, total: 2 * ServerConfiguration.bodyLimit)

  private let budget = Budget()

  /// The memory reserved for one body, released with this object.
  final class Reservation: Sendable {
    private let memory: BodyMemory
    private let requester: Requester
    private let size = Mutex(0)

    fileprivate init(memory: BodyMemory, requester: Requester) {
      self.memory = memory
      self.requester = requester
    }

    deinit { memory.budget.giveBack(size.withLock { $0 }, requester.shares(ownLimit, of: totalLimit)) }

    /// Reserves the memory that a body of `count` bytes needs.
    /// - Returns: `false` if there isn't enough left.
    func grow(to count: Int) -> Bool {
      guard count > BodyMemory.freeSize else { return true }
      return size.withLock { size in
        guard count > size else { return true }
        guard memory.take(count - size, requester) else { return false }
        size = count
        return true
      }
    }
  }

  func reservation(_ requester: Requester) -> Reservation { Reservation(memory: self, requester: requester) }

  private func take(_ count: Int, _ requester: Requester) -> Bool {
    let (own, total, small) = (BodyMemory.ownLimit, BodyMemory.totalLimit, BodyMemory.small)
    return budget.take(count, requester.shares(own, of: total))
      || budget.take(count, requester.shares(small.own, of: total + small.total))
  }
}

extension Requester {
  /// Shares of the account, of the client, and of all together.
  fileprivate func shares(_ own: Int, of total: Int) -> [Budget.Share] {
    holders.map { .init($0, own) } + [.init(.everyone, total)]
  }
}
