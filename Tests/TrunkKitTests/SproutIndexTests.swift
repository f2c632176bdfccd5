import Glibc
import Testing
import TrunkKit
import TrunkModel

struct SproutIndexTests {
  static let start = Instant("2026-01-01T09:00:00.000Z") ?? Instant(milliseconds: 0)

  /// Plants each sprout an hour after the one before it.
  static func garden(
    _ sprouts: [(title: String, twig: String, season: Season)], ends: [(Int, Payload)] = [], leaf: String = "Ärger & Öl"
  ) -> Garden {
    var events: [Event] = []
    func add(_ content: Payload, hour: Int) {
      let instant = start.adding(seconds: Int64(hour) * 3600)
      events.append(Event(content, at: instant, clientID: Event.clientID(at: instant, random: UInt32(events.count))))
    }
    add(.leafCreated(.init(leafID: "leaf-1", twigID: "branch-0-twig-0", name: leaf)), hour: 0)
    for (index, sprout) in sprouts.enumerated() {
      add(
        .sproutPlanted(
          .init(
            sproutID: "sprout-\(index)", twigID: sprout.twig, title: sprout.title, season: sprout.season,
            environment: .fertile, soilCost: 0, leafID: index == 0 ? "leaf-1" : "leaf-none")), hour: index)
    }
    for (hour, content) in ends { add(content, hour: hour) }
    return Garden(events, zone: .utc)
  }

  static func titles(
    _ garden: Garden, _ query: String = "", _ filter: SproutFilter = .all, by order: SproutOrder = .planted,
    day: Int64 = 20
  ) -> [String] {
    var index = SproutIndex()
    index.update(to: garden)
    return index.find(query, filter, by: order, at: start.adding(seconds: day * 86_400)).entries.map(\.sprout.title)
  }

  static let some = garden(
    [
      ("Größe zeigen", "branch-7-twig-0", .oneYear), ("Élan vital", "branch-2-twig-0", .twoWeeks),
      ("ångström", "branch-0-twig-1", .oneMonth), ("Zebra", "branch-0-twig-0", .threeMonths),
      ("elan", "branch-0-twig-0", .sixMonths),
    ],
    ends: [
      (24 * 15, .sproutHarvested(.init(sproutID: "sprout-1", result: 4, capacityGained: 0.2, reflection: nil))),
      (24 * 3, .sproutUprooted(.init(sproutID: "sprout-3", soilReturned: 0))),
    ])

  @Test func findsSproutsThatContainEveryWord() {
    let some = Self.some
    #expect(Self.titles(some, "elan") == ["elan", "Élan vital"])
    #expect(Self.titles(some, "ELAN VIT") == ["Élan vital"])
    #expect(Self.titles(some, "E\u{301}lan") == ["elan", "Élan vital"])
    #expect(Self.titles(some, "grosse") == ["Größe zeigen"])
    #expect(Self.titles(some, "angstrom  core\tstren") == ["ångström"])
    #expect(Self.titles(some, "ol arger") == ["Größe zeigen"])
    #expect(Self.titles(some, "zebra voice").isEmpty)
    #expect(Self.titles(some, "vitalarger").isEmpty)
    #expect(Self.titles(some, " \n").count == 5)
    #expect(Self.titles(some, "\0").count == 5)
  }

  @Test func filtersAndCountsSprouts() {
    var index = SproutIndex()
    index.update(to: Self.some)
    let now = Self.start.adding(seconds: 31 * 86_400)
    let found = index.find("", .ready, by: .planted, at: now)
    #expect(found.counts == [.all: 5, .growing: 3, .ready: 1, .cultivated: 1, .uprooted: 1])
    #expect(found.entries.map(\.sprout.title) == ["ångström"])
    #expect(index.find("elan", .growing, by: .planted, at: now).counts == [.all: 2, .growing: 1, .cultivated: 1])
    #expect(Self.titles(Self.some, "", .growing).count == 3)
    #expect(Self.titles(Self.some, "", .uprooted) == ["Zebra"])
    #expect(Self.titles(Self.some, "", .cultivated) == ["Élan vital"])
  }

  @Test func sortsSprouts() {
    let some = Self.some
    #expect(Self.titles(some, by: .planted) == ["elan", "Zebra", "ångström", "Élan vital", "Größe zeigen"])
    #expect(Self.titles(some, by: .harvest) == ["ångström", "elan", "Größe zeigen", "Élan vital", "Zebra"])
    #expect(Self.titles(some, by: .branch) == ["Zebra", "elan", "ångström", "Élan vital", "Größe zeigen"])
    let plain = Self.garden(["b", "a", "c", "a"].map { ($0, "branch-0-twig-0", .oneYear) })
    #expect(Self.titles(plain, by: .title) == ["a", "a", "b", "c"])
  }

  @Test func anUpdateAppliesChanges() {
    var index = SproutIndex()
    let now = Self.start
    index.update(to: Self.garden([("old", "branch-0-twig-0", .oneYear)]))
    #expect(index.find("old", .all, by: .title, at: now).entries.count == 1)
    index.update(
      to: Self.garden(
        [("old", "branch-0-twig-0", .oneYear), ("a new one", "branch-0-twig-0", .oneYear)],
        ends: [
          (3, .sproutEdited(.init(sproutID: "sprout-0", title: "renamed"))),
          (3, .nodeUpdated(.init(nodeID: "branch-0", label: "Körper"))),
        ]))
    #expect(index.find("old", .all, by: .title, at: now).entries.isEmpty)
    #expect(index.find("korper", .all, by: .title, at: now).entries.map(\.sprout.title) == ["a new one", "renamed"])
  }

  @Test func searchingTenThousandSproutsIsFast() {
    let twigs = Node.twigs.map(\.id)
    let garden = Self.garden(
      (0..<10_000).map { ("Sprout number \($0) für später", twigs[$0 % 64], Season.allCases[$0 % 5]) })
    var index = SproutIndex()
    let prepare = processorTime { index.update(to: garden) }
    let again = processorTime { index.update(to: garden) }
    var found: [SproutIndex.Entry] = []
    let search = processorTime { found = index.find("999 SPAT", .all, by: .harvest, at: Self.start).entries }
    #expect(found.allSatisfy { $0.sprout.title.contains("999") })
    #expect(found.count == 19)
    var all = 0
    let sort = processorTime { all = index.find("", .all, by: .title, at: Self.start).entries.count }
    let resort = processorTime { all = index.find("", .all, by: .title, at: Self.start).entries.count }
    #expect(all == 10_000)
    print("10,000 sprouts: prepare \(prepare), again \(again), search \(search), sort \(sort), resort \(resort)")
    // Without optimisation this is about ten times slower than in a release build.
    #expect(again < .milliseconds(400))
    #expect(search < .milliseconds(400))
  }
}

/// Measures the processor time that this thread needs, which doesn't grow if other programs use the computer.
private func processorTime(_ body: () -> Void) -> Duration {
  func now() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
  let begin = now()
  body()
  return now() - begin
}
