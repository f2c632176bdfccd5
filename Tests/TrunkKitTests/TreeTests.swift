import TestSupport
import Testing
import TrunkModel

@testable import TrunkKit

@MainActor @Suite struct TreeTests {
  @Test func countsSproutsAndSeedlingsOfEachNode() async throws {
    let fixture = try await GardenFixture()
    let cello = try await fixture.plant("Cello")
    let scales = try await fixture.plant("Scales")
    try await fixture.plant("Sing", on: "voice/performance")
    try await fixture.model.uproot(scales, creatingSeedling: false)
    try await fixture.model.createSeedling(on: .twig(branch: 2, twig: 0), title: "Duet")
    let deleted = try await fixture.model.createSeedling(on: .twig(branch: 2, twig: 0), title: "Trio")
    try await fixture.model.deleteSeedling(deleted)
    fixture.time.advance(seconds: 15 * 86_400)
    try await fixture.model.refreshClock()
    try await fixture.model.harvest(cello, result: 3, reflection: "")
    let counts = fixture.model.garden.nodeCounts(at: fixture.time.now)
    #expect(
      counts[.twig(branch: 2, twig: 0)]
        == NodeCounts(growing: 0, ready: 0, seedlings: 1, cultivated: 1, uprooted: 1))
    #expect(counts[.branch(2)] == NodeCounts(growing: 1, ready: 1, seedlings: 1, cultivated: 1, uprooted: 1))
    #expect(counts[.trunk] == counts[.branch(2)])
    #expect(counts[.branch(0)] == nil)
    #expect(counts.count == 4)
  }

  @Test func countsASproutOnABranchOnce() async throws {
    let fixture = try await GardenFixture()
    let planted = Payload.SproutPlanted(
      sproutID: "sprout-1", twigID: "branch-2", title: "x", season: .oneYear, environment: .fertile, soilCost: 1,
      leafID: "leaf-1")
    let now = fixture.time.now
    _ = try await fixture.model.importEvents([
      Event(.sproutPlanted(planted), at: now, clientID: Event.clientID(at: now, random: 1))
    ])
    #expect(fixture.model.garden.nodeCounts(at: now)[.branch(2)]?.growing == 1)
  }

  @Test func groupsTheSproutsOfATwigByLeaf() async throws {
    let fixture = try await GardenFixture()
    let first = try fixture.sprout(try await fixture.plant("One", leaf: .new(name: "Bach")))
    try await fixture.plant("Alone")
    try await fixture.model.uproot(first.id, creatingSeedling: false)
    fixture.time.advance(seconds: 1)
    try await fixture.plant("Two", leaf: .existing(id: first.leafID))
    try await fixture.plant("Elsewhere", on: "core/sport")
    let groups = fixture.model.garden.leafGroups(onTwig: "branch-2-twig-0")
    #expect(groups.map { $0.leaf?.name } == ["Bach", "Alone"])
    #expect(groups[0].growing.map(\.title) == ["Two"])
    #expect(groups[0].past.map(\.title) == ["One"])
  }

  @Test func theStoryOfALeafFollowsItsSprouts() async throws {
    let fixture = try await GardenFixture()
    let one = try fixture.sprout(try await fixture.plant("One", leaf: .new(name: "Bach")))
    let two = try await fixture.plant("Two", leaf: .existing(id: one.leafID))
    for id in [two, one.id] {
      try await fixture.model.water(id, text: "x", question: nil)
      fixture.time.advance(seconds: 1)
    }
    try await fixture.model.uproot(one.id, creatingSeedling: false)
    let story = fixture.model.garden.story(ofLeaf: one.leafID)
    #expect(story.map(\.kind) == [.planting, .watering, .uprooting, .planting, .watering])
    #expect(story.map(\.sproutID) == [one.id, one.id, one.id, two, two])
  }

  @Test func findsTheReflectionsOnATwig() async throws {
    let fixture = try await GardenFixture()
    let joy = try #require(Node(path: "heart/joy"))
    try await fixture.model.shine(joy, text: "Warm kitchen", question: nil)
    #expect(fixture.model.garden.reflections(onTwig: joy).map(\.kind) == [.reflection])
    #expect(fixture.model.garden.reflections(onTwig: .twig(branch: 0, twig: 0)).isEmpty)
  }
}
