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
    let slot = DraftKey.plantForm(from: "leaf-1")
    try await model.save(DraftContent(form, in: slot))
    let drafts = try await model.unfinishedDrafts()
    #expect(
      drafts.map(\.subject) == [
        .plant(form), .sun, .harvest(sproutID: id), .water(sproutID: id),
      ])
    #expect(drafts.first?.key == slot)
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
    let draft = try #require(try await model.unfinished(.harvest, about: id))
    #expect(draft.asked.flatMap(HarvestProgress.init) == progress)
    #expect(draft.words == "")
    #expect(try await model.unfinishedDrafts().map(\.text) == [""])
    // Words that are added keep the result.
    let words = DraftContent("At last", .harvest, about: id).joined(
      after: draft, known: DraftContent("", .harvest, about: id))
    #expect((words.words, words.asked) == ("At last", progress.asked))
    try await model.harvest(id, result: 2, reflection: "")
    #expect(try await model.unfinished(.harvest, about: id) == nil)
    #expect(model.undoable?.hasWords == false)
    try await model.undo()
    let undone = try await model.unfinished(.harvest, about: id)?.asked
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

  @Test func listsEveryIdea() async throws {
    let fixture = try await GardenFixture()
    let model = fixture.model
    let key = GardenModel.DraftForm.seedling.draftKey(about: "")
    for title in ["Whistle", "Sing"] {
      try await model.save(DraftContent(["title": title, "notes": "In tune"], in: key.newSlot()))
      fixture.time.advance(seconds: 1)
    }
    #expect(try await model.unfinishedDrafts().map(\.text) == ["Sing\nIn tune", "Whistle\nIn tune"])
  }

  @Test func readsFormsThatWereSavedAsTexts() async throws {
    let fixture = try await GardenFixture()
    func fields(_ form: GardenModel.DraftForm, _ text: String, asked: String? = nil) async throws -> [String: String]? {
      let draft = Draft(key: form.draftKey(about: "x"), text: text, asked: asked, updated: fixture.time.now)
      try await fixture.model.store.save(draft)
      return try await fixture.model.unfinished(form, about: "x")?.fields
    }
    #expect(try await fields(.node, "Bow") == ["note": "Bow"])
    #expect(try await fields(.seedlingEdit, "By bus") == ["notes": "By bus"])
    let idea = try await fields(.seedling, "Sing\nLoudly\nand late", asked: "branch-0-twig-1")
    #expect(idea == ["title": "Sing", "notes": "Loudly\nand late", "twig": "branch-0-twig-1"])
  }

  @Test func formsAreJoinedFieldByField() {
    let key = GardenModel.DraftForm.node.draftKey(about: "branch-0")
    let (name, note) = (DraftContent(["name": "Cello"], in: key), DraftContent(["note": "Bow"], in: key))
    let none = name.emptied
    #expect(name.joined(after: note, known: none) == DraftContent(["name": "Cello", "note": "Bow"], in: key))
    #expect(none.joined(after: note, known: none) == note)
    let other = name.joined(after: DraftContent(["name": "Viola"], in: key), known: none)
    #expect(other.fields == ["name": "Cello"])
    #expect(other.key != key)
    #expect(other.key.origin == "branch-0")
  }

  @Test func listsEveryPlantForm() async throws {
    let fixture = try await GardenFixture()
    for (title, origin) in [("a", ""), ("b", ""), ("c", "leaf-1")] {
      var form = GardenModel.PlantForm(twig: .twig(branch: 1, twig: 1))
      form.title = title
      try await fixture.model.save(DraftContent(form, in: .plantForm(from: origin)))
      fixture.time.advance(seconds: 1)
    }
    let titles = try await fixture.model.unfinishedDrafts().map { draft in
      if case .plant(let form) = draft.subject { form.title } else { "" }
    }
    #expect(titles == ["c", "b", "a"])
    #expect(try await fixture.model.unfinished(.plant, about: "")?.plantForm?.title == "b")
    let slot = try #require(try await fixture.model.unfinishedDrafts().last?.key)
    #expect(try await fixture.model.unfinished(.plant, about: slot.entity)?.plantForm?.title == "a")
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
    #expect(try await model.unfinished(.sun, about: "")?.text == "We laughed\nLater we sang")
    var form = GardenModel.PlantForm(twig: .twig(branch: 1, twig: 1))
    form.title = "Read"
    let slot = DraftKey.plantForm(from: "leaf-1")
    try await model.save(DraftContent(form, in: slot))
    let older = try #require(try await model.unfinishedDrafts().first { $0.text.isEmpty })
    try await model.discard(older)
    form.title = "Write"
    try await model.save(DraftContent(form, in: slot))
    try await model.bringBack(older)
    let titles = try await model.store.drafts().compactMap { DraftContent($0).plantForm?.title }
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
    #expect(try await model.unfinished(.sun, about: "")?.asked?.question == "When?")
    #expect(model.draftRevision == revision + 2, "views are notified")
  }
}
