import Synchronization
import Testing

@testable import TrunkServer

@Suite struct LimitTests {
  private final class Clock: Sendable {
    private let instant = Mutex(Microseconds(1_770_000_000_000_000))
    var now: Microseconds { instant.withLock { $0 } }
    func advance(_ seconds: Int64) { instant.withLock { $0 = $0 + seconds } }
  }

  @Test(arguments: [
    ("203.0.113.7", "203.0.113.7"), ("::ffff:203.0.113.7", "203.0.113.7"),
    ("2001:db8:0:1::1", "2001:db8:0:1::/64"), ("2001:0DB8:0:1:ffff:ffff:ffff:ffff", "2001:db8:0:1::/64"),
    ("fe80::1%eth0", "fe80:0:0:0::/64"), ("unknown", "unknown"),
  ])
  func anIPv6NetworkCountsAsOneClient(address: String, name: String) {
    #expect(ClientAddress.name(address) == name)
  }

  @Test func aNameThatIsNotAnAddressIsTruncated() {
    #expect(ClientAddress.name(String(repeating: "x", count: 10_000)).utf8.count == 64)
  }

  @Test func manyAddressesDoNotResetAClientOverItsLimit() throws {
    let clock = Clock()
    let limiter = RateLimiter(isOn: true) { clock.now }
    for _ in 0..<30 { try limiter.count(.codes, client: "attacker") }
    for number in 0..<60_000 { try limiter.count(.codes, client: "\(number)") }
    #expect(throws: AuthError.tooManyRequests) { try limiter.count(.codes, client: "attacker") }
    clock.advance(300)
    try limiter.count(.codes, client: "attacker")
  }

  @Test func aClientThatSendsTooMuchIsDelayed() {
    let clock = Clock()
    let limiter = RateLimiter(isOn: true) { clock.now }
    #expect(limiter.delay(16 << 20, client: "attacker") == 0)
    #expect(limiter.delay(4 << 20, client: "attacker") == 1)
    #expect(limiter.delay(4 << 20, client: "attacker") == 2)
    #expect(limiter.delay(4 << 20, client: "other") == 0)
    // Costs beyond the longest delay are not counted.
    #expect(limiter.delay(1 << 30, client: "attacker") == RateLimiter.longestDelay)
    clock.advance(7)
    #expect(limiter.delay(0, client: "attacker") == 1)
    clock.advance(5)
    #expect(limiter.delay(16 << 20, client: "attacker") == 0)
    #expect(RateLimiter(isOn: false) { clock.now }.delay(1 << 30, client: "attacker") == 0)
  }

  @Test func burstsAreAllowedButLastingRatesAreLimited() {
    let start = Microseconds(1_770_000_000_000_000)
    var bucket = LeakyBucket(at: start)
    let allowed = (0..<20).count { _ in bucket.take(capacity: 10, rate: 2, now: start) }
    #expect(allowed == 10)
    let later = (0..<20).count { _ in bucket.take(capacity: 10, rate: 2, now: start + 3) }
    #expect(later == 6)
    // Setting the clock back does not drain the bucket.
    let back = bucket.take(capacity: 10, rate: 2, now: start)
    #expect(!back)
  }
}
