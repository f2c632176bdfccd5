import Synchronization

/// Counts what accounts and clients hold at the moment, such as memory or connections, and keeps each within its share.
/// For what happens over time, see `RateLimiter`.
final class Budget: Sendable {
  enum Holder: Hashable, Sendable {
    /// An account's id.
    case account(String)
    /// A name as `ClientAddress` makes it.
    case client(String)
    case connection(ObjectIdentifier)
    case everyone
  }

  /// The most that one holder may have.
  struct Share: Sendable {
    let holder: Holder
    let limit: Int

    init(_ holder: Holder, _ limit: Int) {
      self.holder = holder
      self.limit = limit
    }
  }

  private let held = Mutex<[Holder: Int]>([:])

  /// Counts an amount for all of the holders, until it is given back.
  /// - Returns: `false` if it exceeds one of the shares. Then nothing is counted.
  func take(_ amount: Int, _ shares: [Share]) -> Bool {
    held.withLock { held in
      guard shares.allSatisfy({ held[$0.holder, default: 0] + amount <= $0.limit }) else { return false }
      for share in shares { held[share.holder, default: 0] += amount }
      return true
    }
  }

  func giveBack(_ amount: Int, _ shares: [Share]) {
    held.withLock { held in
      for share in shares {
        let rest = held[share.holder, default: 0] - amount
        held[share.holder] = rest > 0 ? rest : nil
      }
    }
  }
}
