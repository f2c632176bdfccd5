import TestSupport
import Testing
import TrunkModel

@testable import TrunkKit

/// What is above a place, and what the foot of the window says about it.
@MainActor @Suite struct PagePlaceTests {
  @Test func placesContainEachOther() async throws {
    let fixture = try await GardenFixture()
    let sprout = try await fixture.plant("a")
    try await fixture.model.water(sprout, text: "Bar nine", question: nil)
    let garden = fixture.model.garden
    let twig = try #require(garden.sprout(id: sprout)?.twigID)
    let branch = try #require(Node(id: twig)?.branch)
    let entry = try #require(garden.journal.last?.seq)
    #expect(garden.place(above: .entry(entry)) == .sprout(sprout))
    #expect(garden.place(above: .sprout(sprout)) == .twig(twig))
    #expect(garden.leaves.first.map { garden.place(above: .leaf($0.id)) } == .twig(twig))
    #expect(garden.place(above: .twig(twig)) == .branch(branch))
    #expect(garden.place(above: .branch(branch)) == .tree)
    #expect(garden.place(above: .year(2026)) == .tree)
    for root in Route.views { #expect(garden.place(above: root) == nil) }
  }

  @Test func placesThatAreGoneLeadToTheirView() async throws {
    let garden = try await GardenFixture().model.garden
    #expect(garden.place(above: .entry(7)) == .journal)
    #expect(garden.place(above: .sprout("gone")) == .garden)
    #expect(garden.place(above: .leaf("gone")) == .tree)
  }

  @Test func theSentenceOfTodayFollowsTheDay() async throws {
    let fixture = try await GardenFixture()
    func sentence() async throws -> String {
      try await fixture.model.refreshClock()
      return fixture.model.garden.sentence(on: .today, at: fixture.model.now, resting: RestDays())
    }
    #expect(try await sentence() == "Your tree waits for its first sprout. Each limb is a part of a life.")
    let sprout = try await fixture.plant("Cello", season: .oneMonth)
    #expect(try await sentence() == "Planted today. Nothing else needs doing.")
    try await fixture.model.water(sprout, text: "Bar nine", question: nil)
    #expect(try await sentence() == "Watered for today. One new leaf.")
    fixture.time.advance(days: 1)
    #expect(try await sentence() == "One drop is left.")
    fixture.time.advance(days: 20)
    #expect(try await sentence().hasPrefix("One drop is left. “Cello” is ready in "))
    fixture.time.advance(days: 20)
    #expect(try await sentence() == "“Cello” is ready to harvest.")
    let day = fixture.model.garden.zone.dayKey(fixture.model.now)
    let rest = fixture.model.garden.sentence(
      on: .today, at: fixture.model.now, resting: RestDays("\(day)/\(day)"))
    #expect(rest.hasPrefix("The garden rests until "))
  }

  @Test func theOtherViewsCountWhatTheyShow() async throws {
    let fixture = try await GardenFixture()
    func sentence(_ route: Route) -> String {
      fixture.model.garden.sentence(on: route, at: fixture.model.now, resting: RestDays())
    }
    #expect(sentence(.journal).isEmpty && sentence(.garden).isEmpty)
    let sprout = try await fixture.plant("Cello")
    try await fixture.plant("Bread")
    #expect(sentence(.tree).hasPrefix("2 sprouts grow, the oldest since "))
    #expect(sentence(.garden) == sentence(.tree))
    try await fixture.model.water(sprout, text: "Bar nine", question: nil)
    #expect(sentence(.journal).hasPrefix("One entry, on "))
    let twig = try #require(fixture.model.garden.sprout(id: sprout)?.node)
    #expect(sentence(.branch(try #require(twig.branch))) == "2 sprouts grow here.")
    #expect(sentence(.twig(twig.id)) == "2 sprouts grow here.")
    #expect(sentence(.branch(7)) == "Nothing grows here.")
    #expect(sentence(.sprout(sprout)) == sentence(.journal))
    let leaf = try #require(fixture.model.garden.sprout(id: sprout)).leafID
    #expect(sentence(.leaf(leaf)) == sentence(.journal))
    fixture.time.advance(days: 1)
    try await fixture.model.water(sprout, text: "Bar ten", question: nil)
    let entries = fixture.model.garden.journal
    #expect(sentence(.sprout(sprout)).hasPrefix("2 entries since "))
    #expect(sentence(.entry(entries[1].seq)) == "Entry 2 of 2 about “Cello”.")
    #expect(sentence(.year(entries[0].time.day.year)) == "2 entries in \(entries[0].time.day.year).")
    #expect(sentence(.year(1999)).isEmpty)
  }
}
