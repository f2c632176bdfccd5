import Garden
import GardenStore
import Testing

@testable import Gardening

@MainActor @Suite struct PlantingUndoTests {
  @Test func undoingAPlantingTakesBackAllItsEventsAndKeepsTheForm() async throws {
    let bed = try await Bed()
    let seedling = try await bed.gardener.seed(.twig(branch: 2, twig: 0), title: "Cello")
    let before = try await bed.events().map(\.raw)
    let form = filledIn(seedling: seedling)
    let slot = Gardener.PlantingSlot(origin: seedling)
    try await bed.gardener.keepDraft(form, in: slot)
    try await bed.gardener.plant(form, from: slot)
    #expect(try await bed.events().map(\.type).suffix(3) == ["leaf_created", "sprout_planted", "seedling_deleted"])
    #expect(try await bed.gardener.store.drafts().isEmpty)
    let figures = try await bed.gardener.store.syncFigures(now: bed.time.now)
    #expect(figures.held == 3, "all of them are held back from sending")

    #expect(try await bed.gardener.undo() == .plant)
    #expect(try await bed.events().map(\.raw) == before)
    #expect(bed.gardener.garden.seedlings.map(\.id) == [seedling])
    #expect(try await bed.another().begunPlanting(from: seedling)?.planting == form)
    try await bed.expectTrueGarden()
  }

  @Test func undoingAPlantingLeavesAFormThatWasBegunSince() async throws {
    let bed = try await Bed()
    let (first, second) = (Gardener.PlantingSlot(origin: ""), Gardener.PlantingSlot(origin: ""))
    var (planted, next) = (filledIn(), filledIn())
    (planted.title, next.title) = ("Planted", "Next")
    try await bed.gardener.plant(planted, from: first)
    bed.time.pass(seconds: 1)
    try await bed.gardener.keepDraft(next, in: second)
    bed.time.pass(seconds: 1)
    try await bed.gardener.undo()
    // What was undone comes back first, the other one after it.
    let begun = try #require(try await bed.gardener.begunPlanting(from: ""))
    #expect(begun.planting == planted)
    try await bed.gardener.plant(begun.planting, from: begun.slot)
    #expect(try await bed.gardener.begunPlanting(from: "")?.planting == next)
  }

  @Test func aSproutThatAnotherProgramHasWateredStays() async throws {
    let bed = try await Bed()
    let id = try await bed.plant("Cello")
    try await bed.another().water(id, text: "From the terminal.", prompt: nil)
    try await bed.gardener.catchUp()
    try await bed.refused(.plantedInUse(title: "Cello")) { try await bed.gardener.undo() }
    #expect(bed.gardener.garden.journal.count == 1)
  }

  @Test func aLeafThatAnotherProgramHasContinuedStays() async throws {
    let bed = try await Bed()
    let first = try bed.sprout(try await bed.plant("First"))
    var planting = Gardener.Planting(twig: .twig(branch: 2, twig: 0), leaf: .existing(id: first.leafID))
    planting.title = "Second"
    try await bed.another().plant(planting)
    try await bed.refused(.plantedInUse(title: "First")) { try await bed.gardener.undo() }
    #expect(bed.gardener.garden.sprouts.map(\.title) == ["First", "Second"])
  }
}

@MainActor @Suite struct PlantingDraftTests {
  @Test func comesBackWithEveryField() async throws {
    let bed = try await Bed()
    for form in [filledIn(), filledIn(seedling: "seedling-1"), filledIn(leaf: .existing(id: "leaf-1"))] {
      let slot = Gardener.PlantingSlot(origin: "leaf-1")
      try await bed.gardener.keepDraft(form, in: slot)
      let begun = try #require(try await bed.another().begunPlanting(from: "leaf-1"))
      #expect(begun.planting == form)
      #expect(begun.slot == slot)
      try await bed.gardener.keepDraft(nil, in: slot)
      #expect(try await bed.gardener.begunPlanting(from: "leaf-1") == nil)
    }
  }

  @Test func belongsToWhereTheFormWasOpened() async throws {
    let bed = try await Bed()
    try await bed.gardener.keepDraft(filledIn(), in: .init(origin: "leaf-1"))
    #expect(try await bed.gardener.begunPlanting(from: "") == nil)
    #expect(try await bed.gardener.begunPlanting(from: "leaf-") == nil)
    #expect(try await bed.gardener.begunPlanting(from: "leaf-1")?.planting == filledIn())
  }

  @Test func aDraftOfANewerVersionIsLeftAlone() async throws {
    let bed = try await Bed()
    try await bed.gardener.store.save(
      Draft(key: Gardener.PlantingSlot(origin: "").key, text: "rows: 3", updated: bed.time.now))
    #expect(try await bed.gardener.begunPlanting(from: "") == nil)
    try await bed.plant("Cello")
    #expect(try await bed.gardener.store.drafts().map(\.text) == ["rows: 3"])
  }
}

/// A form with something in every field.
private func filledIn(
  seedling: String? = nil, leaf: Gardener.LeafChoice = .new(name: "Bach, “slowly”")
) -> Gardener.Planting {
  var form = Gardener.Planting(twig: .twig(branch: 2, twig: 0), leaf: leaf)
  form.title = "Learn the\u{2028}prelude \u{1F33F}"
  (form.season, form.environment) = (.twoWeeks, .firm)
  (form.bloomWither, form.bloomBudding, form.bloomFlourish) = ("closed case", " \"half\" of it", "by\theart\\")
  form.seedlingID = seedling
  return form
}
