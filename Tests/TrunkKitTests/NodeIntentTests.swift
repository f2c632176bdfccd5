import Foundation
import TestSupport
import Testing
import TrunkModel

@testable import TrunkKit

@MainActor @Suite struct NodeIntentTests {
  private let practice = Node.twig(branch: 2, twig: 0)

  @Test func renamesATwigEverywhere() async throws {
    let fixture = try await GardenFixture()
    let id = try await fixture.plant("The prelude")
    try await fixture.change(practice, label: " Cello\n")
    let garden = fixture.model.garden
    #expect(garden.path(ofTwig: practice.id) == "Voice · Cello")
    #expect(try await fixture.events().last?.raw.contains(#""label":"Cello""#) == true)
    #expect(try await fixture.events().last?.raw.contains("note") == false)
    var index = SproutIndex()
    index.update(to: garden)
    #expect(index.find("cello", .all, by: .title, at: fixture.time.now).entries.map(\.sprout.id) == [id])
    try await fixture.expectModelMatchesLog()
  }

  @Test func changesOnlyTheNote() async throws {
    let fixture = try await GardenFixture()
    try await fixture.change(.branch(2), label: "SOUND")
    try await fixture.change(.branch(2), note: "What I sing and play")
    #expect(fixture.model.garden.label(of: .branch(2)) == "SOUND")
    #expect(fixture.model.garden.note(of: .branch(2)) == "What I sing and play")
    #expect(fixture.model.garden.isChanged(.branch(2)))
  }

  @Test func restoresTheOriginal() async throws {
    let fixture = try await GardenFixture()
    try await fixture.change(practice, label: "Cello", note: "Bow and strings")
    try await fixture.model.restoreOriginal(practice)
    #expect(fixture.model.garden.label(of: practice) == "practice")
    #expect(fixture.model.garden.note(of: practice) == practice.presetNote)
    #expect(fixture.model.garden.isChanged(practice) == false)
    // Both texts in one event, so that one undo brings both back.
    #expect(try await fixture.events().count == 2)
    try await fixture.model.undo()
    #expect(fixture.model.garden.note(of: practice) == "Bow and strings")
  }

  @Test func aBlankOrPresetTextRestoresThePreset() async throws {
    let fixture = try await GardenFixture()
    try await fixture.change(practice, label: "Cello", note: "Bow and strings")
    try await fixture.change(practice, label: "practice", note: " \n")
    #expect(fixture.model.garden.isChanged(practice) == false)
    #expect(try await fixture.events().last?.raw.contains(#""label":"","note":"""#) == true)
  }

  @Test func writesNothingIfNothingChanges() async throws {
    let fixture = try await GardenFixture()
    try await fixture.change(practice, label: "practice", note: practice.presetNote)
    try await fixture.model.restoreOriginal(practice)
    #expect(try await fixture.events().isEmpty)
    #expect(fixture.model.undoable == nil)
    try await fixture.change(practice, label: "Cello")
    try await fixture.change(practice, label: "Cello")
    #expect(try await fixture.events().count == 1)
  }

  @Test func rejectsLongTexts() async throws {
    let fixture = try await GardenFixture()
    try await fixture.expectError(.tooLong(.nodeLabel, count: 41)) {
      try await fixture.change(practice, label: String(repeating: "x", count: 41))
    }
    try await fixture.expectError(.tooLong(.nodeNote, count: 2001)) {
      try await fixture.change(practice, note: String(repeating: "x", count: 2001))
    }
    try await fixture.change(practice, label: String(repeating: "👩🏽‍🌾", count: 40))
  }

  @Test func undoesAChangeOfAName() async throws {
    let fixture = try await GardenFixture()
    try await fixture.change(practice, label: "Cello")
    #expect(fixture.model.undoable?.action == .editNode)
    #expect(fixture.model.undoable?.entityID == practice.id)
    #expect(try await fixture.model.undo()?.action == .editNode)
    #expect(fixture.model.garden.label(of: practice) == "practice")
    #expect(try await fixture.events().isEmpty)
  }

  @Test func anExportForOtherVersionsHasNoNamesOfNodes() async throws {
    let fixture = try await GardenFixture()
    try await fixture.plant("The prelude")
    try await fixture.change(practice, label: "Cello")
    let path = fixture.folder + "/garden.json"
    let whole = try await fixture.model.export(to: path)
    #expect(whole == (events: 3, leftOut: 0))
    let others = try await fixture.model.export(to: path, forOtherVersions: true)
    #expect(others == (events: 2, leftOut: 1))
    let read = try await GardenModel.contents(ofExport: path)
    #expect(read.events.map(\.type).sorted() == ["leaf_created", "sprout_planted"])
    #expect(fixture.model.garden.label(of: practice) == "Cello")
  }

  @Test func savingWithoutAChangeKeepsTheDraftOfAnotherProgram() async throws {
    let fixture = try await GardenFixture()
    let (model, node) = (fixture.model, Node.twig(branch: 2, twig: 0))
    let idea = try await model.createSeedling(on: node, title: "Sing")
    for (form, entity) in [(GardenModel.DraftForm.node, node.id), (.seedlingEdit, idea)] {
      let draft = DraftContent("Bow and strings", form, about: entity)
      try await model.save(draft)
      for (known, left) in [(DraftContent("", form, about: entity), "Bow and strings"), (draft, nil)] {
        if form == .node { try await model.update(node, clearing: known) }
        if form == .seedlingEdit { try await model.editSeedling(idea, clearing: known) }
        #expect(try await model.unfinished(form, about: entity)?.text == left)
      }
    }
  }

  @Test func savingANoteRemovesItsDraftAndUndoingBringsItBack() async throws {
    let fixture = try await GardenFixture()
    let (model, node) = (fixture.model, Node.twig(branch: 2, twig: 0))
    let draft = DraftContent("Bow and strings", .node, about: node.id)
    try await model.save(draft)
    #expect(try await model.unfinishedDrafts() == [], "it is in its form")
    try await model.update(node, note: "Bow and strings", clearing: draft)
    #expect(try await model.unfinished(.node, about: node.id) == nil)
    try await model.undo()
    #expect(try await model.unfinished(.node, about: node.id)?.text == "Bow and strings")
    // Nothing changes, so there is no event.
    try await model.update(node, note: node.presetNote, clearing: draft)
    #expect(try await model.unfinished(.node, about: node.id) == nil)
  }
}

extension GardenFixture {
  /// Changes a place and advances the clock by a second, because events of the same instant have no defined order.
  fileprivate func change(_ node: Node, label: String? = nil, note: String? = nil) async throws {
    defer { time.advance(seconds: 1) }
    try await model.update(node, label: label, note: note)
  }
}
