import Synchronization

/// What accounts and clients have used of their shares. The limits are in one table, `Resource.allowance`; see
/// docs/fairness.md.
final class Budget: Sendable {
  /// Who uses something.
  enum Holder: Hashable, Sendable {
    /// An account's id.
    case account(String)
    /// A name as `ClientAddress` makes it.
    case client(String)
    case connection(ObjectIdentifier)
    /// All accounts and clients together.
    case everyone
  }

  /// How much one holder may use of a resource.
  struct Allowance: Hashable, Sendable {
    /// The amount that may be used at once.
    let burst: Double
    /// The amount that comes back in a second; 0 for what is held with a `Claim`.
    let rate: Double
  }

  /// The maximum result of `add`, in seconds.
  static let longestDelay = 8.0

  private let limitsRates: Bool
  private let now: @Sendable () -> Microseconds
  private let levels = Mutex(Levels())

  /// - Parameter limitsRates: whether what happens over time is limited. What is held always is.
  init(limitsRates: Bool = true, now: @escaping @Sendable () -> Microseconds = { .now }) {
    self.limitsRates = limitsRates
    self.now = now
  }

  /// Uses an amount of a resource. Of what everyone shares, a holder may have as much as it leaves for the others.
  /// - Returns: `false` if that exceeds a holder's allowance. Then nothing is used.
  func take(_ amount: Int = 1, of resource: Resource, by holders: [Holder]) -> Bool {
    let (shares, now, amount) = (shares(of: resource, holders), now(), Double(amount))
    return levels.withLock { levels in
      let left = shares.first { $0.holder == .everyone }.map {
        $0.allowance.burst - levels.used($0, now) - amount
      }
      for share in shares {
        let used = levels.used(share, now) + amount
        let most = share.holder == .everyone ? share.allowance.burst : min(share.allowance.burst, left ?? .infinity)
        guard used <= most else { return false }
      }
      for share in shares { levels.add(amount, share, now) }
      return true
    }
  }

  /// Holds an amount of a resource.
  /// - Returns: `nil` if it exceeds a holder's allowance.
  func claim(_ amount: Int = 1, of resource: Resource, by holders: [Holder]) -> Claim? {
    let claim = Claim(self, resource, holders)
    return claim.grow(to: amount) ? claim : nil
  }

  fileprivate func giveBack(_ amount: Int, of resource: Resource, by holders: [Holder]) {
    levels.withLock { levels in
      for share in shares(of: resource, holders) { levels.giveBack(Double(amount), share) }
    }
  }

  /// Counts an amount that was already used. What would take longer than `longestDelay` to come back is not counted.
  /// - Returns: seconds until all holders are within their allowances again.
  @discardableResult
  func add(_ amount: Double, of resource: Resource, by holders: [Holder]) -> Double {
    let (shares, now) = (shares(of: resource, holders), now())
    return levels.withLock { levels in
      shares.map { share in
        let (burst, rate) = (share.allowance.burst, share.allowance.rate)
        levels.add(min(amount, burst + Budget.longestDelay * rate - levels.used(share, now)), share, now)
        return max(0, levels.used(share, now) - burst) / rate
      }.max() ?? 0
    }
  }

  /// The part of its allowance that a holder has used: above 1, it must wait.
  func use(of resource: Resource, by holder: Holder) -> Double {
    guard let share = shares(of: resource, [holder]).first else { return 0 }
    return levels.withLock { $0.used(share, now()) } / share.allowance.burst
  }

  private func shares(of resource: Resource, _ holders: [Holder]) -> [Share] {
    holders.compactMap { holder in
      guard let allowance = resource.allowance(of: holder), limitsRates || allowance.rate == 0 else { return nil }
      return Share(resource: resource, holder: holder, allowance: allowance)
    }
  }
}

/// An amount that is held until `end`, or until this object is released.
final class Claim: Sendable {
  private let budget: Budget
  private let resource: Budget.Resource
  private let holders: [Budget.Holder]
  private let amount = Mutex(0)

  fileprivate init(_ budget: Budget, _ resource: Budget.Resource, _ holders: [Budget.Holder]) {
    self.budget = budget
    self.resource = resource
    self.holders = holders
  }

  deinit { end() }

  /// Holds more.
  /// - Returns: `false` if it exceeds a holder's allowance. Then the claim stays as it is.
  func grow(to total: Int) -> Bool {
    amount.withLock { amount in
      guard total > amount else { return true }
      guard budget.take(total - amount, of: resource, by: holders) else { return false }
      amount = total
      return true
    }
  }

  func end() {
    amount.withLock { amount in
      budget.giveBack(amount, of: resource, by: holders)
      amount = 0
    }
  }
}

/// A holder's part of a resource.
private struct Share: Hashable {
  let resource: Budget.Resource
  let holder: Budget.Holder
  let allowance: Budget.Allowance
}

/// The amounts in use that have not come back.
private struct Levels {
  /// The maximum number of levels. Only an attack exceeds it.
  private static let capacity = 50_000

  private var levels: [Share: (amount: Double, at: Microseconds)] = [:]

  /// After the clock was set back, an amount comes back from the new time on.
  mutating func used(_ share: Share, _ now: Microseconds) -> Double {
    guard let level = levels[share] else { return 0 }
    let seconds = max(0, Double(now.value - level.at.value)) / 1_000_000
    let amount = max(0, level.amount - seconds * share.allowance.rate)
    levels[share] = (amount, now)
    return amount
  }

  mutating func add(_ amount: Double, _ share: Share, _ now: Microseconds) {
    if levels.count >= Levels.capacity, levels[share] == nil { makeRoom(now) }
    levels[share] = (used(share, now) + amount, now)
  }

  mutating func giveBack(_ amount: Double, _ share: Share) {
    guard let level = levels[share] else { return }
    levels[share] = level.amount > amount ? (level.amount - amount, level.at) : nil
  }

  /// Forgets the half of the holders that have used the smallest parts of their allowances, so that many addresses
  /// can't make the server forget which client is over its limit. What is held is never forgotten.
  private mutating func makeRoom(_ now: Microseconds) {
    let uses = levels.keys.filter { $0.allowance.rate > 0 }.map { (share: $0, use: used($0, now) / $0.allowance.burst) }
    for (share, _) in uses.sorted(by: { $0.use < $1.use }).prefix(uses.count / 2) { levels[share] = nil }
  }
}
