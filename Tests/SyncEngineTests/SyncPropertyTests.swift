import EventStore
import SyncEngine
import TemporaryFolders
import TestSupport
import Testing
import TrunkModel

/// Several devices reach the same garden after any writes and any faults.
@Suite(.serialized) struct SyncPropertyTests {
  /// The histories are divided into parts, so that the time limit of a test finds a history that hangs even on a slow
  /// computer.
  @Test(arguments: 0..<20) func devicesAgreeAfterTheFaultsEnd(part: Int) async throws {
    // Created once, because a new file takes longer than a whole history.
    let template = try TemporaryFolder("trunk-sync", isInMemory: true).created()
    _ = try await EventStore.open(folder: template.path + "/garden")
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          for seed in stride(from: part * 100 + task + 1, through: part * 100 + 100, by: 4) {
            await SyncPropertyTests.run(seed, template)
          }
        }
      }
    }
  }

  private static func run(_ seed: Int, _ template: TemporaryFolder) async {
    do {
      var history = try await History(seed: seed, template: template)
      try await history.run()
    } catch {
      Issue.record("seed \(seed): \(error)")
    }
  }
}

/// A random history, which depends only on the seed.
private struct History {
  private let seed: Int
  private var random: SeededRandom
  private let service: MemoryService
  private var devices: [Device] = []
  /// The identities of events that were acknowledged by a store and not undone.
  private var acknowledged: Set<String> = []
  /// The identities of old events without a `client_id` that equal one with it. They may or may not be sent.
  private var twins: Set<String> = []
  private var undoable: [(device: Int, clientID: String)] = []
  /// Transactions of other clients that have begun and not committed.
  private var open: [(events: [Event], began: Int64)] = []
  private var count: UInt32 = 0

  init(seed: Int, template: TemporaryFolder) async throws {
    self.seed = seed
    random = SeededRandom(seed: seed)
    service = MemoryService(seed: seed)
    let limit = [1, 2, 3, 7, 1000][random.next(below: 5)]
    service.configure { $0.pageLimit = limit }
    for _ in 0..<(1 + random.next(below: 3)) {
      // Clocks are wrong by up to days.
      let clock = TestClock(skew: Int64(random.next(below: 400_000_000)) - 200_000_000)
      devices.append(try await Device(service, clock: clock, template: template))
    }
  }

  mutating func run() async throws {
    let faultRate = [0, 4, 12][random.next(below: 3)]
    // Comparing counts repairs what fetching new rows has missed, so most histories run without counts.
    let counts = random.isLucky(oneIn: 4)
    let noCount = MemoryService.Fault.failing(.unavailable(status: 500, code: "57014", retryAfter: nil))
    service.setFaults { call, random in
      call == .head && !counts ? noCount : History.fault(call, faultRate, &random)
    }
    for _ in 0..<(6 + random.next(below: 24)) { try await step() }
    service.setFaults { call, _ in call == .head && !counts ? noCount : nil }
    while !open.isEmpty { commit(0) }
    // Twice, so that the first device fetches what the last one sends.
    for _ in 0..<2 {
      for device in devices {
        advance(milliseconds: 4_000_000)
        let report = await device.engine.sync()
        if let problem = report.problem { throw Failure("a sync without faults fails: \(problem)") }
      }
    }
    try await check()
  }

  private static func fault(_ call: MemoryService.Call, _ faultRate: Int, _ random: inout SeededRandom) -> MemoryService
    .Fault?
  {
    guard faultRate > 0, random.next(below: 40) < faultRate else { return nil }
    switch random.next(below: 8) {
    case 0: return .lost
    case 1, 2: return .answerLost
    case 3: return call == .insert ? .doubled : .lost
    case 4: return .failing(.unavailable(status: 500, code: "", retryAfter: nil))
    case 5: return .failing(.unintelligible(detail: "html"))
    case 6: return .shortPage
    default: return .shuffled
    }
  }

  private mutating func step() async throws {
    let index = random.next(below: devices.count)
    let device = devices[index]
    advance(milliseconds: Int64(random.next(below: 20_000)))
    switch random.next(below: 20) {
    case 0...5: try await write(device)
    case 6:
      let event = event(device)
      _ = try await device.store.append([event], undoableUntil: device.clock.now.adding(seconds: 9))
      acknowledged.insert(event.clientID ?? "")
      undoable.append((index, event.clientID ?? ""))
    case 7:
      if let last = undoable.popLast() { try await undo(last) }
    case 8: try await device.restart()
    case 9: device.clock.skew += Int64(random.next(below: 20_000_000)) - 10_000_000
    case 10: service.expireAccessTokens()
    case 11: open.append((events(device, 1 + random.next(below: 4)), service.time + 1))
    case 12: if !open.isEmpty { commit(random.next(below: open.count)) }
    case 13: await device.engine.sync(.allRows)
    case 14:
      // A live connection may report any row, in any order.
      if let row = service.rows.randomElement(using: &random).flatMap({ ServerRow($0.columns) }) {
        _ = await device.engine.receive(row)
      }
    case 15: advance(milliseconds: Int64(random.next(below: 1_000_000)))
    default: await device.engine.sync()
    }
  }

  private mutating func write(_ device: Device) async throws {
    let events = events(device, random.isLucky(oneIn: 4) ? 1 + random.next(below: 5) : 1)
    _ = try await device.store.append(events)
    acknowledged.formUnion(events.compactMap(\.clientID))
    // The same event with its members in another order, as an import may contain it.
    if random.isLucky(oneIn: 10), let first = events.first {
      let copy = try Event(json: first.canonicalText)
      _ = try await devices[random.next(below: devices.count)].store.append([copy])
    }
    // Old files have events without a `client_id`. They may be the same as known events, or new.
    if random.isLucky(oneIn: 6), let twin = events.first.flatMap(History.withoutClientID) {
      twins.insert(twin.identity)
      _ = try await devices[random.next(below: devices.count)].store.append([twin])
    }
    if random.isLucky(oneIn: 8), let old = History.withoutClientID(event(device, isOld: true)) {
      acknowledged.insert(old.identity)
      for _ in 0..<2 { _ = try await devices[random.next(below: devices.count)].store.append([old]) }
    }
  }

  private static func withoutClientID(_ event: Event) -> Event? {
    guard let members = event.json.members else { return nil }
    return try? Event(json: JSON.object(members.filter { $0.name.decoded != "client_id" }).compactText)
  }

  private mutating func undo(_ undoable: (device: Int, clientID: String)) async throws {
    let device = devices[undoable.device]
    do {
      try await device.store.undo(clientIDs: [undoable.clientID], now: device.clock.now)
      acknowledged.remove(undoable.clientID)
    } catch StoreError.undoWindowOver {
      // The undo window has ended, so the event stays.
    }
  }

  private mutating func commit(_ index: Int) {
    let transaction = open.remove(at: index)
    service.write(transaction.events, userID: "user", began: transaction.began)
    acknowledged.formUnion(transaction.events.compactMap(\.clientID))
  }

  /// Advances all clocks alike. Transactions last at most five minutes.
  private mutating func advance(milliseconds: Int64) {
    let oldest = service.time + milliseconds * 1000 - 250_000_000
    while let late = open.firstIndex(where: { $0.began < oldest }) { commit(late) }
    for device in devices { device.clock.advance(milliseconds: milliseconds) }
    service.configure { $0.time += milliseconds * 1000 }
  }

  private mutating func events(_ device: Device, _ count: Int) -> [Event] { (0..<count).map { _ in event(device) } }

  /// Creates an event about one of a few entities, so that devices often change the same one.
  /// - Parameter isOld: whether the event gets an instant that no other event has.
  private mutating func event(_ device: Device, isOld: Bool = false) -> Event {
    count += 1
    let instant =
      isOld
      ? Instant(milliseconds: TestClock.start / 2 + Int64(count))
      : device.clock.now.adding(seconds: Int64(random.next(below: 5)) - 2)
    let clientID = Event.clientID(at: instant, random: count)
    let sprout = "sprout-\(random.next(below: 3))"
    let content: Payload =
      switch random.next(below: 6) {
      case 0:
        .sproutPlanted(
          .init(
            sproutID: sprout, twigID: "branch-0-twig-0", title: "title \(count)", season: .twoWeeks,
            environment: .fertile,
            soilCost: 2, leafID: "leaf-1", bloomWither: nil, bloomBudding: nil, bloomFlourish: nil))
      case 1: .sproutUprooted(.init(sproutID: sprout, soilReturned: 0.5))
      case 2: .sunShone(.init(twigID: "branch-0-twig-0", twigLabel: "label", content: "sun \(count)", prompt: nil))
      default: .sproutWatered(.init(sproutID: sprout, content: "water \(count)", prompt: nil))
      }
    return Event(content, at: instant, clientID: clientID)
  }

  private func check() async throws {
    let clientIDs = service.rows.map(\.clientID)
    let missing = acknowledged.subtracting(clientIDs)
    let extra = Set(clientIDs).subtracting(acknowledged).subtracting(twins)
    guard missing.isEmpty, extra.isEmpty else { throw Failure("missing \(missing), extra \(extra)") }
    guard Set(clientIDs).count == clientIDs.count else { throw Failure("an event is on the server twice") }
    var gardens: Set<String> = []
    for (index, device) in devices.enumerated() {
      let logged = try await device.store.events(afterSeq: 0).map(\.event)
      let events = logged.withoutDuplicates()
      guard Set(events.map(\.identity)) == acknowledged, logged.count == acknowledged.count else {
        throw Failure("device \(index) has \(logged.count) of \(acknowledged.count) events")
      }
      guard try await device.pending() == 0 else { throw Failure("device \(index) has unsent events") }
      guard try await device.store.confirmedCount() == clientIDs.count else {
        throw Failure("device \(index) miscounts")
      }
      let garden = Garden(events, zone: Zone.utc).report(now: Instant(milliseconds: TestClock.start)) {
        events[Int($0)]
      }
      gardens.insert(garden.canonicalText)
    }
    guard gardens.count == 1 else { throw Failure("\(gardens.count) different gardens") }
  }

  private struct Failure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }
}
