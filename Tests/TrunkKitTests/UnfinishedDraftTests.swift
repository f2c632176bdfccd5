import EventStore
import Foundation
import TestSupport
import Testing
import TrunkModel

@testable import TrunkKit

@MainActor @Suite struct UnfinishedDraftTests {
  @Test func listsTheNewestFirst() async throws {
    let fixture = try await GardenFixture()
    let model = fixture.model
    let id = try await fixture.plant("Cello", season: .twoWeeks)
    var form = GardenModel.PlantForm(twig: .twig(branch: 1, twig: 1))
    form.title = "Read"
    try await model.save(DraftContent("Half a line", .water, about: id))
    fixture.time.advance(seconds: 1)
    try await model.save(DraftContent("Looking back", .harvest, about: id))
    fixture.time.advance(seconds: 1)
    try await model.save(DraftContent("We laughed", .sun, about: ""))
    fixture.time.advance(seconds: 1)
    let slot = GardenModel.PlantFormSlot(origin: "leaf-1")
    try await model.save(DraftContent(form, in: slot))
    let drafts = try await model.unfinishedDrafts()
    #expect(
      drafts.map(\.subject) == [
        .plant(form, in: slot), .sun, .harvest(sproutID: id), .water(sproutID: id),
      ])
    #expect(drafts.map(\.text) == ["", "We laughed", "Looking back", "Half a line"])
  }

  @Test func listsATextAboutAMissingSproutOnceTheGardenIsComplete() async throws {
    let fixture = try await GardenFixture()
    let model = fixture.model
    try await model.save(DraftContent("Half a line", .water, about: "sprout-none"))
    (model.hasAccount, model.initialSync) = (true, .running)
    #expect(try await model.unfinishedDrafts() == [])
    model.initialSync = .done
    #expect(try await model.unfinishedDrafts().map(\.text) == ["Half a line"])
  }

  @Test func keepsTheStepsOfAHarvestWithoutWords() async throws {
    let fixture = try await GardenFixture()
    let model = fixture.model
    let id = try await fixture.plant("Run", season: .twoWeeks)
    fixture.time.advance(seconds: 15 * 86_400)
    let progress = HarvestProgress(.write, result: 4)
    try await model.save(DraftContent(" ", .harvest, about: id, asked: progress.asked))
    let draft = try #require(try await model.unfinishedText(.harvest, about: id))
    #expect(draft.asked(in: .harvest).flatMap(HarvestProgress.init) == progress)
    #expect(draft.words == "")
    #expect(try await model.unfinishedDrafts().map(\.text) == [""])
    // Words that are added keep the result.
    let words = DraftContent("At last", .harvest, about: id).joined(
      after: draft, known: DraftContent("", .harvest, about: id))
    #expect((words.words, words.asked(in: .harvest)) == ("At last", progress.asked))
    try await model.harvest(id, result: 2, reflection: "")
    #expect(try await model.unfinishedText(.harvest, about: id) == nil)
    #expect(model.undoable?.hasWords == false)
    try await model.undo()
    let undone = try await model.unfinishedText(.harvest, about: id)?.asked(in: .harvest)
    #expect(undone.flatMap(HarvestProgress.init) == HarvestProgress(.write, result: 2))
    try await model.uproot(id, creatingSeedling: false)
    #expect(try await model.unfinishedDrafts() == [])
  }

  @Test func leavesOutDraftsThatCannotBeRead() async throws {
    let fixture = try await GardenFixture()
    try await fixture.model.store.save(
      Draft(key: DraftKey(kind: "plant", entity: "#form-1", day: ""), text: "no form", updated: fixture.time.now))
    #expect(try await fixture.model.unfinishedDrafts() == [])
  }

  @Test func listsEveryPlantForm() async throws {
    let fixture = try await GardenFixture()
    for (title, origin) in [("a", ""), ("b", ""), ("c", "leaf-1")] {
      var form = GardenModel.PlantForm(twig: .twig(branch: 1, twig: 1))
      form.title = title
      try await fixture.model.save(DraftContent(form, in: .init(origin: origin)))
      fixture.time.advance(seconds: 1)
    }
    let titles = try await fixture.model.unfinishedDrafts().map { draft in
      if case .plant(let form, _) = draft.subject { form.title } else { "" }
    }
    #expect(titles == ["c", "b", "a"])
    #expect(try await fixture.model.unfinishedPlantForm(from: "")?.form.title == "b")
    guard case .plant(_, let oldest)? = try await fixture.model.unfinishedDrafts().last?.subject else { return }
    let slot = try #require(GardenModel.PlantFormSlot(id: oldest.id))
    #expect(try await fixture.model.unfinishedPlantForm(in: slot)?.title == "a")
  }

  @Test func explainsWhyADraftCannotBeContinuedYet() async throws {
    let fixture = try await GardenFixture()
    let model = fixture.model
    let id = try await fixture.plant("Cello", season: .twoWeeks)
    try await model.water(id, text: "", question: nil)
    try await model.save(DraftContent("More", .water, about: id))
    let draft = try #require(try await model.unfinishedDrafts().first)
    #expect(throws: IntentError.alreadyWatered(title: "Cello")) { try model.checkContinuing(draft) }
    fixture.time.advance(days: 1)
    try await model.refreshClock()
    try model.checkContinuing(draft)
  }

  @Test func discardingKeepsATextThatAnotherProgramHasWrittenSince() async throws {
    let fixture = try await GardenFixture()
    let model = fixture.model
    try await model.save(DraftContent("We laughed", .sun, about: ""))
    let shown = try #require(try await model.unfinishedDrafts().first)
    try await model.save(DraftContent("We laughed until the cheese man joined in", .sun, about: ""))
    #expect(try await !model.discard(shown))
    let current = try #require(try await model.unfinishedDrafts().first)
    #expect(current.text == "We laughed until the cheese man joined in")
    #expect(try await model.discard(current))
    #expect(try await model.unfinishedDrafts() == [])
  }

  @Test func restoringADiscardedDraftKeepsWhatWasWrittenSince() async throws {
    let fixture = try await GardenFixture()
    let model = fixture.model
    try await model.save(DraftContent("We laughed", .sun, about: ""))
    let draft = try #require(try await model.unfinishedDrafts().first)
    try await model.discard(draft)
    try await model.save(DraftContent("Later we sang", .sun, about: ""))
    try await model.bringBack(draft)
    #expect(try await model.unfinishedText(.sun, about: "")?.text == "We laughed\nLater we sang")
    var form = GardenModel.PlantForm(twig: .twig(branch: 1, twig: 1))
    form.title = "Read"
    let slot = GardenModel.PlantFormSlot(origin: "leaf-1")
    try await model.save(DraftContent(form, in: slot))
    let older = try #require(try await model.unfinishedDrafts().first { $0.text.isEmpty })
    try await model.discard(older)
    form.title = "Write"
    try await model.save(DraftContent(form, in: slot))
    try await model.bringBack(older)
    let titles = try await model.store.drafts().compactMap { GardenModel.PlantForm(draftText: $0.text)?.title }
    #expect(Set(titles) == ["Read", "Write"])
  }

  @Test func aDiscardedDraftCanBeRestored() async throws {
    let fixture = try await GardenFixture()
    let model = fixture.model
    try await model.save(
      DraftContent("We laughed", .sun, about: "", asked: .init("When?", on: .twig(branch: 0, twig: 0))))
    let draft = try #require(try await model.unfinishedDrafts().first)
    let revision = model.draftRevision
    try await model.discard(draft)
    #expect(try await model.unfinishedDrafts() == [])
    try await model.bringBack(draft)
    #expect(try await model.unfinishedDrafts() == [draft])
    #expect(try await model.unfinishedText(.sun, about: "")?.asked(in: .sun)?.question == "When?")
    #expect(model.draftRevision == revision + 2, "views are notified")
  }
}
