import Synchronization

/// Limits the memory for large request bodies, per account, per client and in total.
final class BodyMemory: Sendable {
  private struct State {
    var total = 0
    var byAccount: [String: Int] = [:]
    var byClient: [String: Int] = [:]
  }

  /// Bodies up to this many bytes need no reservation.
  static let freeSize = 64 << 10
  /// Two bodies of maximum size per account and per client, four in total.
  private static let ownLimit = 2 * ServerConfiguration.bodyLimit
  private static let totalLimit = 4 * ServerConfiguration.bodyLimit
  /// More memory for those who use only a little: a few clients that send large bodies slowly must not keep the others
  /// from sending ordinary batches.
  private static let small = (own: 2 << 20, total: 2 * ServerConfiguration.bodyLimit)

  private let state = Mutex(State())

  /// The memory reserved for one body, released with this object.
  final class Reservation: Sendable {
    private let memory: BodyMemory
    private let requester: Requester
    private let size = Mutex(0)

    fileprivate init(memory: BodyMemory, requester: Requester) {
      self.memory = memory
      self.requester = requester
    }

    deinit { memory.release(size.withLock { $0 }, requester) }

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
    state.withLock { state in
      let ofAccount = state.byAccount[requester.account, default: 0] + count
      let ofClient = state.byClient[requester.client, default: 0] + count
      let own = max(ofAccount, ofClient)
      let more = own <= BodyMemory.small.own ? BodyMemory.small.total : 0
      guard own <= BodyMemory.ownLimit, state.total + count <= BodyMemory.totalLimit + more else { return false }
      state.byAccount[requester.account] = ofAccount
      state.byClient[requester.client] = ofClient
      state.total += count
      return true
    }
  }

  private func release(_ count: Int, _ requester: Requester) {
    guard count > 0 else { return }
    state.withLock { state in
      state.total -= count
      let ofAccount = state.byAccount[requester.account, default: 0] - count
      state.byAccount[requester.account] = ofAccount > 0 ? ofAccount : nil
      let ofClient = state.byClient[requester.client, default: 0] - count
      state.byClient[requester.client] = ofClient > 0 ? ofClient : nil
    }
  }
}
