import EventStore
import TestSupport
import Testing
import TrunkModel

@testable import TrunkKit

@MainActor @Suite struct PlantFormUndoTests {
  @Test func undoingAPlantingTakesBackAllItsEventsAndKeepsTheForm() async throws {
    let fixture = try await GardenFixture()
    let seedling = try await fixture.model.createSeedling(on: .twig(branch: 2, twig: 0), title: "Cello")
    let before = try await fixture.events().map(\.raw)
    let form = filledIn(seedling: seedling)
    let slot = DraftKey.plantForm(from: seedling)
    try await fixture.model.save(DraftContent(form, in: slot))
    try await fixture.model.plant(form, from: slot)
    #expect(try await fixture.events().map(\.type).suffix(3) == ["leaf_created", "sprout_planted", "seedling_deleted"])
    #expect(try await fixture.model.store.drafts().isEmpty)
    let figures = try await fixture.model.store.syncFigures(now: fixture.time.now)
    #expect(figures.undoable == 3, "none of them is sent yet")

    #expect(try await fixture.model.undo()?.action == .plant)
    #expect(try await fixture.events().map(\.raw) == before)
    #expect(fixture.model.garden.seedlings.map(\.id) == [seedling])
    #expect(try await fixture.anotherModel().unfinished(.plant, about: seedling)?.plantForm == form)
    try await fixture.expectModelMatchesLog()
  }

  @Test func undoingAPlantingLeavesAFormThatWasBegunSince() async throws {
    let fixture = try await GardenFixture()
    let (first, second) = (DraftKey.plantForm(), DraftKey.plantForm())
    var (planted, next) = (filledIn(), filledIn())
    (planted.title, next.title) = ("Planted", "Next")
    try await fixture.model.plant(planted, from: first)
    fixture.time.advance(seconds: 1)
    try await fixture.model.save(DraftContent(next, in: second))
    fixture.time.advance(seconds: 1)
    try await fixture.model.undo()
    // The form that was undone comes back first, the other one after it.
    let begun = try #require(try await fixture.model.unfinished(.plant, about: ""))
    #expect(begun.plantForm == planted)
    try await fixture.model.plant(planted, from: begun.key)
    #expect(try await fixture.model.unfinished(.plant, about: "")?.plantForm == next)
  }

  @Test func aSproutThatAnotherProgramHasWateredStays() async throws {
    let fixture = try await GardenFixture()
    let id = try await fixture.plant("Cello")
    try await fixture.anotherModel().water(id, text: "From the terminal.", question: nil)
    try await fixture.model.refresh()
    try await fixture.expectError(.plantedInUse(title: "Cello")) { try await fixture.model.undo() }
    #expect(fixture.model.garden.journal.count == 1)
  }

  @Test func aLeafThatAnotherProgramHasContinuedStays() async throws {
    let fixture = try await GardenFixture()
    let first = try fixture.sprout(try await fixture.plant("First"))
    var form = GardenModel.PlantForm(twig: .twig(branch: 2, twig: 0), leaf: .existing(id: first.leafID))
    form.title = "Second"
    try await fixture.anotherModel().plant(form)
    try await fixture.expectError(.plantedInUse(title: "First")) { try await fixture.model.undo() }
    #expect(fixture.model.garden.sprouts.map(\.title) == ["First", "Second"])
  }
}

@MainActor @Suite struct PlantFormDraftTests {
  @Test func aDraftRestoresEveryField() async throws {
    let fixture = try await GardenFixture()
    for form in [filledIn(), filledIn(seedling: "seedling-1"), filledIn(leaf: .existing(id: "leaf-1"))] {
      let slot = DraftKey.plantForm(from: "leaf-1")
      try await fixture.model.save(DraftContent(form, in: slot))
      let begun = try #require(try await fixture.anotherModel().unfinished(.plant, about: "leaf-1"))
      #expect(begun.plantForm == form)
      #expect(begun.key == slot)
      try await fixture.model.save(DraftContent([:], in: slot))
      #expect(try await fixture.model.unfinished(.plant, about: "leaf-1") == nil)
    }
  }

  @Test func aFormWithoutAPlaceIsKeptAndNotPlanted() async throws {
    let fixture = try await GardenFixture()
    var form = filledIn()
    form.twig = nil
    try await fixture.model.save(DraftContent(form, in: .plantForm()))
    #expect(try await fixture.model.unfinished(.plant, about: "")?.plantForm == form)
    await #expect(throws: IntentError.placeMissing) { try await fixture.model.plant(form) }
    #expect(fixture.model.garden.sprouts.isEmpty)
  }

  @Test func eachPlaceOfTheFormHasItsOwnDraft() async throws {
    let fixture = try await GardenFixture()
    try await fixture.model.save(DraftContent(filledIn(), in: .plantForm(from: "leaf-1")))
    #expect(try await fixture.model.unfinished(.plant, about: "") == nil)
    #expect(try await fixture.model.unfinished(.plant, about: "leaf-") == nil)
    #expect(try await fixture.model.unfinished(.plant, about: "leaf-1")?.plantForm == filledIn())
  }

  @Test func aDraftOfANewerVersionIsLeftAlone() async throws {
    let fixture = try await GardenFixture()
    try await fixture.model.store.save(
      Draft(key: DraftKey.plantForm(), text: "rows: 3", updated: fixture.time.now))
    #expect(try await fixture.model.unfinished(.plant, about: "") == nil)
    try await fixture.plant("Cello")
    #expect(try await fixture.model.store.drafts().map(\.text) == ["rows: 3"])
  }
}

/// A form with something in every field.
private func filledIn(
  seedling: String? = nil, leaf: GardenModel.LeafChoice = .new(name: "Bach, “slowly”")
) -> GardenModel.PlantForm {
  var form = GardenModel.PlantForm(twig: .twig(branch: 2, twig: 0), leaf: leaf)
  form.title = "Learn the\u{2028}prelude \u{1F33F}"
  (form.season, form.ground) = (.twoWeeks, .firm)
  (form.bloomWither, form.bloomBudding, form.bloomFlourish) = ("closed case", " \"half\" of it", "by\theart\\")
  form.seedlingID = seedling
  return form
}
