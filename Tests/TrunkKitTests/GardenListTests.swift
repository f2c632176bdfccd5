import Foundation
import TestSupport
import Testing
import TrunkModel

@testable import TrunkKit

@MainActor @Suite struct GardenListTests {
  @Test func countsTheSproutsOfALeaf() async throws {
    let fixture = try await GardenFixture()
    let model = fixture.model
    let first = try await fixture.plant("First", season: .twoWeeks)
    let leafID = try fixture.sprout(first).leafID
    func plantNext(_ title: String) async throws -> String {
      var form = GardenModel.PlantForm(twig: .twig(branch: 0, twig: 0), leaf: .existing(id: leafID))
      (form.title, form.season) = (title, .twoWeeks)
      fixture.time.advance(seconds: 1)
      return try await model.plant(form)
    }
    try await model.uproot(try await plantNext("Second"), creatingSeedling: false)
    fixture.time.advance(days: 14)
    try await model.harvest(first, result: 3, reflection: "")
    _ = try await plantNext("Third")

    let summary = try #require(model.garden.leafSummaries.first)
    #expect(summary.leaf.name == "First")
    #expect(summary.progress.cultivated == 1)
    #expect(summary.progress.growing == 1)
    #expect(summary.progress.total == 3)
  }

  @Test func listsGrowingLeavesFirstAndTheLatestBeforeOthers() async throws {
    let fixture = try await GardenFixture()
    let model = fixture.model
    let resting = try await fixture.plant("a", season: .twoWeeks)
    try await fixture.plant("b", season: .oneMonth)
    let uprooted = try await fixture.plant("c", season: .twoWeeks)
    try await fixture.plant("d", season: .oneMonth)
    for id in [resting, uprooted] { try await model.uproot(id, creatingSeedling: false) }
    #expect(model.garden.leafSummaries.map(\.leaf.name) == ["d", "b", "c", "a"])
  }

  @Test func listsALeafWithoutSproutsLast() async throws {
    let fixture = try await GardenFixture()
    try await fixture.plant("a")
    let now = fixture.time.now
    _ = try await fixture.model.importEvents([
      Event(
        .leafCreated(.init(leafID: "leaf-1", twigID: "branch-0-twig-0", name: "Bare")), at: now,
        clientID: Event.clientID(at: now, random: 1))
    ])
    let bare = try #require(fixture.model.garden.leafSummaries.last)
    #expect(bare.leaf.name == "Bare")
    #expect(bare.progress.total == 0)
  }

  @Test func groupsSeedlingsByBranch() async throws {
    let fixture = try await GardenFixture()
    let model = fixture.model
    for (title, twig) in [
      ("a", Node.twig(branch: 2, twig: 0)), ("b", .twig(branch: 0, twig: 3)), ("c", .twig(branch: 2, twig: 5)),
    ] {
      try await model.createSeedling(on: twig, title: title)
      fixture.time.advance(seconds: 1)
    }
    let now = fixture.time.now
    _ = try await model.importEvents([
      Event(
        .seedlingCreated(.init(seedlingID: "seedling-1", twigID: "branch-9-twig-0", title: "d")), at: now,
        clientID: Event.clientID(at: now, random: 1))
    ])
    let groups = model.garden.seedlingsByBranch
    #expect(groups.map(\.branch) == [.branch(0), .branch(2), nil])
    #expect(groups.map { $0.seedlings.map(\.title) } == [["b"], ["c", "a"], ["d"]])
  }
}
