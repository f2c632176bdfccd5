import NIOCore
import NIOEmbedded
import Testing
import TrunkModel

@testable import TrunkServer

@Suite struct LimitTests {
  @Test(arguments: [
    ("203.0.113.7", "203.0.113.7"), ("::ffff:203.0.113.7", "203.0.113.7"),
    ("2001:db8:0:1::1", "2001:db8:0:1::/64"), ("2001:0DB8:0:1:ffff:ffff:ffff:ffff", "2001:db8:0:1::/64"),
    ("fe80::1%eth0", "fe80:0:0:0::/64"), ("unknown", "unknown"),
  ])
  func anIPv6NetworkCountsAsOneClient(address: String, name: String) {
    #expect(ClientAddress.name(address) == name)
  }

  @Test func queryItemsAreDecoded() {
    let request = Request(
      method: "GET", path: "", query: "&a=b=c&d&=e&f+g=h%2Bi+%C3%A9&%6A=%4&k=%+1%zz%e9&a=2", headers: [:], body: [],
      peer: "")
    let items = request.items(plusIsSpace: true).map { "\($0.name):\($0.value)" }
    #expect(items == ["a:b=c", "d:", ":e", "f g:h+i é", "j:%4", "k:% 1%zz\u{FFFD}", "a:2"])
    #expect(request.item("a") == "b=c")
    #expect(request.item("f+g") == "h+i+é")
    #expect(request.item("l") == nil)
  }

  @Test func accountsOfOneClientShareItsMemoryForBodies() {
    let (memory, size) = (BodyMemory(), ServerConfiguration.bodyLimit)
    func reservation(_ account: String, _ client: String) -> BodyMemory.Reservation {
      memory.reservation(Requester(account: account, client: client))
    }
    var full = [reservation("a", "x"), reservation("b", "x")]
    #expect(full.allSatisfy { $0.grow(to: size) })
    #expect(!reservation("c", "x").grow(to: BodyMemory.freeSize + 1))
    #expect(reservation("c", "x").grow(to: BodyMemory.freeSize))
    full.append(reservation("a", "y"))
    #expect(full[2].grow(to: size), "another client has its own share")
    #expect(!reservation("a", "z").grow(to: size), "and so has each account")
    full.removeFirst()
    #expect(reservation("c", "x").grow(to: size), "what was reserved is free again")
  }

  @Test func largeBodiesOfSomeClientsLeaveMemoryForOrdinaryBatches() {
    let (memory, size) = (BodyMemory(), ServerConfiguration.bodyLimit)
    let slow = (0..<4).map { memory.reservation(Requester(account: "\($0)", client: "\($0)")) }
    #expect(slow.allSatisfy { $0.grow(to: size) })
    let batch = memory.reservation(Requester(account: "me", client: "me"))
    #expect(batch.grow(to: 2 << 20))
    #expect(!batch.grow(to: size))
  }

  @Test func theClientsOfOneNetworkHaveALimitTogether() throws {
    let clock = ServerClock()
    let limiter = RateLimiter(isOn: true) { clock.now }
    let clients = Clients(limit: 1000, limitPerClient: 10)
    var (codes, connections) = (0, 0)
    for subnet in 0..<10 {
      let client = ClientAddress.name("2001:db8:7:\(subnet)::1")
      while (try? limiter.count(.codes, client: client)) != nil { codes += 1 }
      while clients.enter(client) { connections += 1 }
      #expect(limiter.delay(16 << 20, client: client) == (subnet < 4 ? 0 : Double(subnet - 3)))
    }
    #expect(codes == 4 * 30 && connections == 4 * 10)
    let other = ClientAddress.name("2001:db8:8:0::1")
    try limiter.count(.codes, client: other)
    #expect(clients.enter(other) && limiter.delay(1 << 20, client: other) == 0)
    clients.leave(ClientAddress.name("2001:db8:7:0::1"))
    #expect(clients.enter(ClientAddress.name("2001:db8:7:9::1")))
  }

  @Test func aFullTableClosesTheOldestSilentConnectionOfThisComputer() throws {
    let clients = Clients(limit: 3, limitPerClient: 10)
    let channels = (0..<3).map { _ in EmbeddedChannel() }
    for channel in channels { _ = try clients.admit(channel, from: "127.0.0.1") }
    // The oldest connection has a request; the second has been silent for less time than the third.
    clients.setSilent(channels[0], false)
    clients.setSilent(channels[1], true)
    #expect(try clients.admit(EmbeddedChannel(), from: "203.0.113.7") == "203.0.113.7")
    #expect(clients.count == 3)
    _ = try clients.admit(EmbeddedChannel(), from: "203.0.113.7")
    // Only busy and remote connections are left.
    #expect(throws: Clients.Rejection.self) { try clients.admit(EmbeddedChannel(), from: "203.0.113.7") }
  }

  /// A customer with a whole network must not get more of the server's memory and database connections.
  @Test func theClientsOfOneNetworkShareMemoryAndReaders() {
    let (one, two) = (ClientAddress.name("2001:db8:7:1::1"), ClientAddress.name("2001:db8:7:2::1"))
    let other = ClientAddress.name("2001:db8:8:1::1")
    #expect(Requester(account: "a", client: one).client == Requester(account: "b", client: two).client)
    #expect(Requester(account: "a", client: one).client != Requester(account: "a", client: other).client)
  }

  /// Each message takes time of the thread that serves all clients, even if the client reads the messages.
  @Test func messagesAboutNewRowsAreLimited() {
    let (clock, hub, secret, user) = (ServerClock(), RealtimeHub(limit: 1), [UInt8](repeating: 7, count: 32), "u")
    let socket = RealtimeSocket(
      hub: hub, authority: Authority(keys: ["trunk"], secret: secret) { clock.now },
      limiter: RateLimiter(isOn: true) { clock.now }, framing: .arrays, client: "c")
    let output = RealtimeOutput(EmbeddedChannel(), Deadline(), hub.unread, client: "c")
    let connection = RealtimeConnection(socket, output: output)
    let token = VerifiedToken.sign(
      user: User(id: user, email: "e", metadata: .object([]), at: clock.now), sessionID: "s", issuedAt: clock.now,
      life: 600, secret: secret)
    let changes = #"{"config":{"postgres_changes":[{"event":"INSERT","schema":"public","table":"events"}]}"#
    for topic in ["realtime:a", "realtime:b"] {
      connection.receive(#"["1","1","\#(topic)","phx_join",\#(changes),"access_token":"\#(token)"}]"#)
    }
    let row = EventRow(
      id: "i", userID: user, type: "t", payload: "{}", clientID: nil, clientTimestamp: nil, createdAt: clock.now)
    let change = RealtimeChange(row, committedAt: clock.now)
    for _ in 0..<10_000 { connection.deliver(change) }
    #expect(!output.isClosed)
    connection.deliver(change)
    #expect(output.isClosed)
  }

  @Test func mergingManyMembersIsFast() {
    func object(_ count: Int, _ value: JSON) -> JSON { .object((0..<count).map { .init("\($0)", value) }) }
    let merged = User.merge(object(100_000, .number(2)), into: object(50_000, .number(1)))
    #expect(merged == object(100_000, .number(2)))
    #expect(User.merge(object(99_999, .null), into: merged).compactText == #"{"99999":2}"#)
  }

  @Test func mergingReplacesAndRemovesMembers() throws {
    let old = try JSON(#"{"a":1,"b":2,"c":3,"b":4}"#)
    let changes = try JSON(#"{"c":null,"d":5,"b":6,"x":null,"d":7,"c":8,"\u00e9":9,"e\u0301":10}"#)
    #expect(
      User.merge(changes, into: old).compactText == #"{"a":1,"b":2,"b":6,"d":7,"c":8,"é":9,"e\#u{301}":10}"#)
  }

  @Test func messagesWaitForAllConnectionsOfAClientTogether() {
    let (hub, client) = (RealtimeHub(limit: 10), ClientAddress.name("2001:db8:7:1::1"))
    func isClosed(_ client: String) -> Bool {
      let output = RealtimeOutput(EmbeddedChannel(), Deadline(), hub.unread, client: client)
      output.send(.text, ByteBuffer(string: "x"))
      return output.isClosed
    }
    #expect(!isClosed(client))
    let all = [Budget.Share(.client(ClientAddress.customer(of: client)), RealtimeLimits.unread.ofClient)]
    #expect(hub.unread.take(RealtimeLimits.unread.ofClient, all))
    #expect(isClosed(client))
    #expect(isClosed(ClientAddress.name("2001:db8:7:2::1")), "the clients of one network share it")
    #expect(!isClosed(ClientAddress.name("2001:db8:8:1::1")))
    hub.unread.giveBack(RealtimeLimits.unread.ofClient, all)
    #expect(!isClosed(client))
  }

  @Test func aNameThatIsNotAnAddressIsTruncated() {
    #expect(ClientAddress.name(String(repeating: "x", count: 10_000)).utf8.count == 64)
  }

  @Test func manyAddressesDoNotResetAClientOverItsLimit() throws {
    let clock = ServerClock()
    let limiter = RateLimiter(isOn: true) { clock.now }
    for _ in 0..<30 { try limiter.count(.codes, client: "attacker") }
    for number in 0..<60_000 { try limiter.count(.codes, client: "\(number)") }
    #expect(throws: AuthError.tooManyRequests) { try limiter.count(.codes, client: "attacker") }
    clock.advance(300)
    try limiter.count(.codes, client: "attacker")
  }

  @Test func aClientThatSendsTooMuchIsDelayed() {
    let clock = ServerClock()
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
    var bucket = LeakyBucket(Allowance(burst: 10, rate: 2), at: start)
    let allowed = (0..<20).count { _ in bucket.take(now: start) }
    #expect(allowed == 10)
    let later = (0..<20).count { _ in bucket.take(now: start + 3) }
    #expect(later == 6)
    // Setting the clock back does not drain the bucket, but it drains from then on.
    let back = bucket.take(now: start)
    #expect(!back)
    let afterwards = bucket.take(now: start + 1)
    #expect(afterwards)
  }

  @Test func whatOneHolderCannotTakeIsNotCountedForAnother() {
    let budget = Budget()
    let (mine, all) = (Budget.Share(.account("a"), 10), Budget.Share(.everyone, 4))
    #expect(budget.take(4, [mine, all]))
    #expect(!budget.take(1, [mine, all]))
    #expect(budget.take(6, [mine]))
    #expect(!budget.take(1, [mine]))
    budget.giveBack(4, [mine, all])
    #expect(budget.take(4, [mine, all]))
  }
}
