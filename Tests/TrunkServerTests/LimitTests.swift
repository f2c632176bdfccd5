import NIOCore
import NIOEmbedded
import Testing
import TrunkModel

@testable import TrunkServer

@Suite struct LimitTests {
  @Test(arguments: [
    ("203.0.113.7", "203.0.113.7"), ("::ffff:203.0.113.7", "203.0.113.7"),
    ("2001:db8:7:1::1", "2001:db8:7::/48"), ("2001:0DB8:7:ffff:ffff:ffff:ffff:ffff", "2001:db8:7::/48"),
    ("fe80::1%eth0", "fe80:0:0::/48"), ("unknown", "unknown"),
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
    let (budget, size) = (Budget(), ServerConfiguration.bodyLimit)
    func claim(_ account: String, _ client: String, _ size: Int) -> Claim? {
      budget.claim(size, of: .bodies, by: Requester(account: account, client: client).holders)
    }
    var full = [claim("a", "x", size), claim("b", "x", size)]
    #expect(!full.contains { $0 == nil })
    #expect(claim("c", "x", 1) == nil)
    full.append(claim("a", "y", size))
    #expect(full[2] != nil, "another client has its own share")
    #expect(claim("a", "z", 1) == nil, "and so has each account")
    full.removeFirst()
    #expect(claim("c", "x", size) != nil, "what was held is free again")
  }

  @Test func largeBodiesOfSomeClientsLeaveMemoryForOrdinaryBatches() {
    let (budget, size) = (Budget(), ServerConfiguration.bodyLimit)
    func claim(_ name: String, _ size: Int) -> Claim? {
      budget.claim(size, of: .bodies, by: Requester(account: name, client: name).holders)
    }
    let slow = (0..<20).flatMap { name in (0..<2).compactMap { _ in claim("\(name)", size) } }
    #expect(slow.count == 5, "each holds as much as it leaves for the others")
    let batch = claim("me", 1 << 20)
    #expect(batch?.grow(to: 2 << 20) == true)
    #expect(batch?.grow(to: size) == false)
  }

  @Test func aFullTableClosesTheOldestSilentConnectionOfThisComputer() throws {
    let clients = Clients(limit: 3, budget: Budget())
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

  @Test func aClientThatLeavesMakesRoomForAnother() throws {
    let clients = Clients(limit: 2, budget: Budget())
    let channels = (0..<2).map { _ in EmbeddedChannel() }
    #expect(try clients.admit(channels[0], from: "127.0.0.1") == nil)
    clients.setSilent(channels[0], false)
    #expect(try clients.admit(channels[1], from: "203.0.113.7") == "203.0.113.7")
    #expect(throws: Clients.Rejection.self) { try clients.admit(EmbeddedChannel(), from: "203.0.113.7") }
    channels[1].close(promise: nil)
    channels[1].embeddedEventLoop.run()
    #expect(try clients.admit(EmbeddedChannel(), from: "203.0.113.7") == "203.0.113.7")
  }

  /// Each message takes time of the thread that serves all clients, even if the client reads the messages.
  @Test func messagesAboutNewRowsAreLimited() {
    let (clock, hub, secret, user) = (ServerClock(), RealtimeHub(limit: 1), [UInt8](repeating: 7, count: 32), "u")
    let socket = RealtimeSocket(
      hub: hub, authority: Authority(keys: ["trunk"], secret: secret) { clock.now },
      budget: Budget { clock.now }, framing: .arrays, client: "c")
    let output = RealtimeOutput(EmbeddedChannel(), Deadline(), socket.budget, client: "c")
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

  @Test func joinsCountAsRequests() {
    let (budget, secret) = (Budget(), [UInt8](repeating: 7, count: 32))
    let socket = RealtimeSocket(
      hub: RealtimeHub(limit: 1), authority: Authority(keys: ["trunk"], secret: secret) { .now }, budget: budget,
      framing: .arrays, client: "c")
    let channel = EmbeddedChannel()
    let connection = RealtimeConnection(socket, output: RealtimeOutput(channel, Deadline(), budget, client: "c"))
    let before = budget.use(of: .requests, by: .client("c"))
    connection.receive(#"["1","1","realtime:a","phx_join",{"config":{}}]"#)
    #expect(budget.use(of: .requests, by: .client("c")) > before)
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
    let (budget, client) = (Budget(), ClientAddress.name("2001:db8:7:1::1"))
    func isClosed(_ client: String) -> Bool {
      let output = RealtimeOutput(EmbeddedChannel(), Deadline(), budget, client: client)
      output.send(.text, ByteBuffer(string: "x"))
      return output.isClosed
    }
    #expect(!isClosed(client))
    let all = budget.claim(16 << 20, of: .unread, by: [.client(client)])
    #expect(all != nil)
    #expect(isClosed(client))
    #expect(!isClosed(ClientAddress.name("2001:db8:8:1::1")))
    all?.end()
    #expect(!isClosed(client))
  }

  @Test func aNameThatIsNotAnAddressIsTruncated() {
    #expect(ClientAddress.name(String(repeating: "x", count: 10_000)).utf8.count == 64)
  }

  @Test func manyAddressesDoNotResetAClientOverItsLimit() {
    let clock = ServerClock()
    let budget = Budget { clock.now }
    let connection = budget.claim(100, of: .connections, by: [.client("attacker")])
    #expect(budget.take(30, of: .codes, by: [.client("attacker")]))
    let others = (0..<60_000).count { budget.take(of: .codes, by: [.client("\($0)")]) }
    #expect(others == 60_000)
    #expect(!budget.take(of: .codes, by: [.client("attacker")]))
    #expect(!budget.take(of: .connections, by: [.client("attacker")]))
    clock.advance(300)
    #expect(budget.take(of: .codes, by: [.client("attacker")]))
    connection?.end()
    #expect(budget.take(of: .connections, by: [.client("attacker")]))
  }

  @Test func aClientThatSendsTooMuchIsDelayed() {
    let clock = ServerClock()
    func delay(_ mebibytes: Int, _ client: String, in budget: Budget) -> Double {
      budget.add(Double(mebibytes << 20), of: .bytes, by: [.client(client)])
    }
    let budget = Budget { clock.now }
    #expect(delay(16, "attacker", in: budget) == 0)
    #expect(delay(4, "attacker", in: budget) == 1)
    #expect(delay(4, "attacker", in: budget) == 2)
    #expect(delay(4, "other", in: budget) == 0)
    // Costs beyond the longest delay are not counted.
    #expect(delay(1024, "attacker", in: budget) == Budget.longestDelay)
    clock.advance(7)
    #expect(delay(0, "attacker", in: budget) == 1)
    clock.advance(5)
    #expect(delay(16, "attacker", in: budget) == 0)
    #expect(delay(1024, "attacker", in: Budget(limitsRates: false) { clock.now }) == 0)
  }

  @Test func burstsAreAllowedButLastingRatesAreLimited() {
    let clock = ServerClock()
    let budget = Budget { clock.now }
    func allowed(_ count: Int) -> Int { (0..<count).count { _ in budget.take(of: .codes, by: [.client("c")]) } }
    #expect(allowed(40) == 30)
    clock.advance(50)
    #expect(allowed(40) == 5)
    // Setting the clock back brings nothing back, but what was used comes back from then on.
    clock.advance(-50)
    #expect(allowed(1) == 0)
    clock.advance(10)
    #expect(allowed(2) == 1)
  }

  @Test func withoutRatesWhatIsHeldIsStillLimited() {
    let budget = Budget(limitsRates: false)
    #expect(budget.take(1000, of: .codes, by: [.client("c")]))
    #expect(!budget.take(101, of: .connections, by: [.client("c")]))
  }

  @Test func whatOneHolderCannotTakeIsNotCountedForAnother() {
    let budget = Budget()
    let full = budget.claim(16 << 20, of: .bodies, by: [.account("a")])
    #expect(!budget.take(1, of: .bodies, by: [.client("c"), .account("a")]))
    #expect(budget.take(16 << 20, of: .bodies, by: [.client("c")]))
    full?.end()
  }
}
