import TestSupport
import Testing
import TrunkKit
import TrunkModel

@MainActor @Suite struct EventTextsTests {
  @Test func aLineNamesTheActionAndItsObject() async throws {
    let fixture = try await GardenFixture()
    let model = fixture.model
    let sprout = try await fixture.plant("Cello")
    let twig = Node.twig(branch: 2, twig: 0)
    try await model.water(sprout, text: "a line", question: "")
    try await model.shine(twig, text: "a line", question: "")
    try await model.update(.branch(2), label: "Music")
    let seedling = try await model.createSeedling(on: twig, title: "Choir")
    try await model.editSeedling(seedling, title: "A choir")
    try await model.deleteSeedling(seedling)
    try await model.uproot(sprout, creatingSeedling: false)
    let (twigName, events) = (model.garden.label(of: twig), try await fixture.events())
    let summaries = events.map { $0.summary(in: model.garden) }
    #expect(
      summaries == [
        "Leaf · Cello", "Planted · Cello", "Watered · Cello", "Sun · " + twigName, "Name or note on the tree · Music",
        "Seedling · Choir", "Seedling edited", "Seedling deleted", "Uprooted · Cello",
      ])
    let verbs = events.map { $0.texts(in: model.garden).verb }
    #expect(
      verbs == [
        "new leaf", "planted", "watered", "shone on", "renamed", "new seedling", "edited", "seedling deleted",
        "uprooted",
      ])
  }

  /// Its twig may be unknown to this version.
  @Test func aReflectionNamesItsPlaceAsItWasCalled() throws {
    let event = Event(
      .sunShone(.init(twigID: "core.flight", twigLabel: "flight", content: "a line", prompt: nil)),
      at: try instant("2026-11-18T08:00:00Z"), clientID: "a")
    #expect(event.summary(in: Garden(zone: .utc)) == "Sun · flight")
  }
}
