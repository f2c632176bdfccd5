import EventStore
import Foundation
import Observation
import TestSupport
import Testing
import TrunkModel

@testable import TrunkKit

@MainActor @Suite struct IntentTests {
  @Test func plantsASproutWithItsLeaf() async throws {
    let fixture = try await GardenFixture()
    var form = GardenModel.PlantForm(twig: .twig(branch: 2, twig: 0), leaf: .new(name: " Cello "))
    form.title = "  Learn the prelude\n"
    form.season = .threeMonths
    form.ground = .fertile
    form.bloomWither = "closed case"
    form.bloomFlourish = "  by heart "
    let id = try await fixture.model.plant(form)
    let sprout = try fixture.sprout(id)
    #expect(sprout.title == "Learn the prelude")
    #expect(sprout.soilCost == 5)
    #expect(sprout.bloomWither == "closed case")
    #expect(sprout.bloomBudding == nil)
    #expect(sprout.bloomFlourish == "by heart")
    #expect(sprout.plantedAt.instant == fixture.time.now)
    #expect(fixture.model.garden.leaf(id: sprout.leafID)?.name == "Cello")
    #expect(fixture.model.garden.available == 5)
    #expect(id.wholeMatch(of: /sprout-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
    let events = try await fixture.events()
    #expect(events.map(\.type) == ["leaf_created", "sprout_planted"])
    #expect(events.allSatisfy { $0.clientID?.hasPrefix("2026-11-18T08:00:00.000Z-") == true })
    #expect(fixture.model.undoable?.action == .plant)
    #expect(fixture.model.undoable?.entityID == id)
  }

  @Test func namesANewLeafAfterItsSproutAndReusesAnExistingLeaf() async throws {
    let fixture = try await GardenFixture()
    let title = String(repeating: "äb", count: 25)
    let first = try fixture.sprout(try await fixture.plant(title))
    #expect(fixture.model.garden.leaf(id: first.leafID)?.name == String(title.prefix(40)))
    let second = try fixture.sprout(try await fixture.plant("Next", leaf: .existing(id: first.leafID)))
    #expect(second.leafID == first.leafID)
    #expect(fixture.model.garden.leaves.count == 1)
    #expect(fixture.model.garden.latestSprout(onLeaf: first.leafID)?.id == second.id)
  }

  @Test func plantingASeedlingDeletesIt() async throws {
    let fixture = try await GardenFixture()
    let seedling = try await fixture.model.createSeedling(
      on: .twig(branch: 2, twig: 0), title: "Cello", notes: " someday ")
    #expect(fixture.model.garden.seedling(id: seedling)?.notes == "someday")
    try await fixture.plant("Cello", seedling: seedling)
    #expect(fixture.model.garden.seedlings.isEmpty)
    #expect(try await fixture.events().map(\.type).last == "seedling_deleted")
  }

  @Test func rejectsInvalidPlantings() async throws {
    let fixture = try await GardenFixture()
    try await fixture.expectError(.titleMissing) { try await fixture.plant(" \n") }
    try await fixture.expectError(.tooLong(.title, count: 61)) {
      try await fixture.plant(String(repeating: "ä", count: 61))
    }
    try await fixture.expectError(.tooLong(.leafName, count: 41)) {
      try await fixture.plant("x", leaf: .new(name: String(repeating: "ä", count: 41)))
    }
    try await fixture.expectError(.soilMissing(cost: 12, available: 10)) {
      try await fixture.plant("x", season: .oneYear)
    }
    var form = GardenModel.PlantForm(twig: .twig(branch: 0, twig: 0))
    form.title = "x"
    form.bloomBudding = String(repeating: "x", count: 61)
    try await fixture.expectError(.tooLong(.budding, count: 61)) { try await fixture.model.plant(form) }
    // A character as the user sees it counts as one.
    try await fixture.plant(String(repeating: "👩‍👩‍👧", count: 60))
  }

  @Test func limitsWateringToOnePerSproutAndThreePerDay() async throws {
    let fixture = try await GardenFixture()
    var ids: [String] = []
    for title in ["a", "b", "c", "d"] { ids.append(try await fixture.plant(title)) }
    try await fixture.model.water(ids[0], text: "Held.", question: "What held?")
    try await fixture.expectError(.alreadyWatered(title: "a")) {
      try await fixture.model.water(ids[0], text: "more", question: nil)
    }
    try await fixture.expectError(.tooLong(.entry, count: 2001)) {
      try await fixture.model.water(ids[1], text: String(repeating: "x", count: 2001), question: nil)
    }
    let accents = String(repeating: "x" + String(repeating: "\u{301}", count: 150), count: 2000)
    try await fixture.expectError(.tooLarge(.entry, bytes: 602_000)) {
      try await fixture.model.water(ids[1], text: accents, question: nil)
    }
    fixture.time.advance(seconds: 1)
    try await fixture.expectError(.unknownSprout) { try await fixture.model.water("sprout-x", text: "", question: nil) }
    try await fixture.model.water(ids[1], text: "", question: "")
    fixture.time.advance(seconds: 1)
    try await fixture.model.water(ids[2], text: "c", question: nil)
    try await fixture.expectError(.noWaterLeft(returns: "tomorrow at 06:00")) {
      try await fixture.model.water(ids[3], text: "d", question: nil)
    }
    try await fixture.model.uproot(ids[3], creatingSeedling: false)
    try await fixture.expectError(.notGrowing(title: "d")) {
      try await fixture.model.water(ids[3], text: "d", question: nil)
    }
    let entries = try await fixture.model.entries(fixture.model.garden.items(fixture.model.garden.journal))
    #expect(entries.map(\.text) == ["Held.", "", "c"])
    #expect(entries.map(\.question) == ["What held?", nil, nil], "an empty question is none")
  }

  @Test func aDoubleClickMakesOneEntry() async throws {
    let fixture = try await GardenFixture()
    let id = try await fixture.plant("a")
    let model = fixture.model
    let clicks = (0..<5).map { click in
      Task { @MainActor in try await model.water(id, text: "\(click)", question: nil) }
    }
    var done = 0
    for click in clicks {
      if case .success = await click.result { done += 1 }
    }
    #expect(done == 1)
    #expect(model.garden.journal.count == 1)
  }

  @Test func shinesOnceAWeek() async throws {
    let fixture = try await GardenFixture()
    let joy = Node.twig(branch: 4, twig: 7)
    try await fixture.expectError(.textMissing) { try await fixture.model.shine(joy, text: " \n ", question: "?") }
    try await fixture.expectError(.tooLong(.reflection, count: 2001)) {
      try await fixture.model.shine(joy, text: String(repeating: "x", count: 2001), question: "?")
    }
    try await fixture.model.shine(joy, text: "Laughed.", question: "When?")
    try await fixture.expectError(.noSunLeft(returns: "on Monday at 06:00")) {
      try await fixture.model.shine(joy, text: "again", question: "?")
    }
    let entry = try #require(
      try await fixture.model.entries(fixture.model.garden.items(fixture.model.garden.journal)).first)
    #expect(entry.twigLabel == "joy")
    #expect(entry.question == "When?")
  }

  @Test func rejectsHarvestsDuringTheInitialSync() async throws {
    let fixture = try await GardenFixture()
    let id = try await fixture.plant("Cello", season: .twoWeeks)
    fixture.time.advance(days: 15)
    // Another program starts the initial sync and is interrupted.
    let store = try await EventStore.open(folder: fixture.folder + "/garden")
    try await store.set("begun", for: .initialSync)
    try await fixture.expectError(.initialSyncRunning) {
      try await fixture.model.harvest(id, result: 4, reflection: "Sung.")
    }
    try await fixture.expectError(.initialSyncRunning) { try await fixture.model.uproot(id, creatingSeedling: false) }
    try await fixture.model.water(id, text: "Writing goes on.", question: nil)
    #expect(fixture.model.initialSync == .running)
    #expect(try await fixture.anotherModel().initialSync == .running)

    try await store.set(nil, for: .initialSync)
    try await fixture.model.harvest(id, result: 4, reflection: "Sung.")
    #expect(fixture.model.initialSync != .running)
  }

  @Test func harvestsReadySprouts() async throws {
    let fixture = try await GardenFixture()
    let id = try await fixture.plant("a", ground: .firm)
    try await fixture.expectError(.notReady(title: "a", due: "2 December 2026")) {
      try await fixture.model.harvest(id, result: 4, reflection: "")
    }
    fixture.time.advance(days: 14)
    try await fixture.model.harvest(id, result: 4, reflection: " ")
    #expect(try fixture.sprout(id).harvest?.result == 4)
    #expect(try fixture.sprout(id).harvest?.reflection == nil)
    let gained = Soil.capacityGained(.twoWeeks, .firm, result: 4, capacity: 10)
    #expect(fixture.model.garden.capacity == 10 + gained)
    try await fixture.expectError(.notGrowing(title: "a")) {
      try await fixture.model.harvest(id, result: 4, reflection: "")
    }
    try await fixture.expectError(.unknownSprout) { try await fixture.model.harvest("x", result: 4, reflection: "") }
  }

  @Test func uprootsAndKeepsTheIdea() async throws {
    let fixture = try await GardenFixture()
    let id = try await fixture.plant("An idea", season: .threeMonths)
    try await fixture.model.uproot(id, creatingSeedling: true)
    #expect(fixture.model.garden.available == 6.25)
    #expect(fixture.model.garden.seedlings.map(\.title) == ["An idea"])
    try await fixture.expectError(.notGrowing(title: "An idea")) {
      try await fixture.model.uproot(id, creatingSeedling: true)
    }
  }

  @Test func writesOnlyChangedFieldsOfASprout() async throws {
    let fixture = try await GardenFixture()
    let id = try await fixture.plant("a")
    let before = try await fixture.model.store.count()
    try await fixture.model.edit(id, title: "a", bloomWither: "")
    #expect(try await fixture.model.store.count() == before, "nothing changed, so nothing is written")
    try await fixture.model.edit(id, title: " b ", bloomBudding: "half")
    #expect(try fixture.sprout(id).title == "b")
    #expect(try fixture.sprout(id).bloomBudding == "half")
    guard case .sproutEdited(let edit) = try await fixture.events().last?.payload else {
      Issue.record("no edit")
      return
    }
    #expect(edit.bloomWither == nil && edit.leafID == nil)
    // Two edits in the same millisecond are ordered by their random `client_id`s.
    fixture.time.advance(seconds: 1)
    try await fixture.model.edit(id, bloomBudding: "")
    #expect(try (fixture.sprout(id).bloomBudding ?? "") == "")
    try await fixture.expectError(.titleMissing) { try await fixture.model.edit(id, title: " ") }
    try await fixture.expectError(.tooLong(.flourishing, count: 61)) {
      try await fixture.model.edit(id, bloomFlourish: String(repeating: "x", count: 61))
    }
    try await fixture.expectError(.unknownSprout) { try await fixture.model.edit("x", title: "y") }
  }

  @Test func aSproutMovesToANewLeafInOneTransaction() async throws {
    let fixture = try await GardenFixture()
    let id = try await fixture.plant("a")
    let before = try await fixture.events().count
    try await fixture.expectError(.tooLong(.leafName, count: 41)) {
      try await fixture.model.edit(id, title: "b", leaf: .new(name: String(repeating: "x", count: 41)))
    }
    #expect(try await fixture.events().count == before)
    #expect(try fixture.sprout(id).title == "a")
    try await fixture.model.edit(id, leaf: .new(name: "By the river"))
    let written = try await fixture.events().dropFirst(before)
    #expect(written.map(\.type).sorted() == ["leaf_created", "sprout_edited"])
    let leaf = try #require(fixture.model.garden.leaves.last)
    #expect(leaf.name == "By the river" && leaf.twigID == fixture.model.garden.sprout(id: id)?.twigID)
    #expect(try fixture.sprout(id).leafID == leaf.id)
    // Without a name, it gets the sprout's title.
    fixture.time.advance(seconds: 1)
    try await fixture.model.edit(id, title: "c", leaf: .new(name: " "))
    #expect(fixture.model.garden.leaves.last?.name == "c")
    #expect(try fixture.sprout(id).leafID == fixture.model.garden.leaves.last?.id)
  }

  @Test func startingOverKeepsACopyAndABackup() async throws {
    let fixture = try await GardenFixture()
    let id = try await fixture.plant("a")
    try await fixture.model.water(id, text: "A line", question: nil)
    let count = try await fixture.model.store.count()
    let folder = fixture.model.folder + "-copies"
    let copy = try await fixture.model.startOver(keepingCopyBelow: folder)
    #expect(try await fixture.model.store.count() == 0)
    #expect(fixture.model.garden.sprouts.isEmpty && fixture.model.undoable == nil)
    #expect(try copy.contents().events.count == count)
    let backup = try #require(try await fixture.model.backups(secondFolder: nil).first)
    let contents = try await GardenModel.contents(ofExport: backup.path)
    _ = try await fixture.model.importEvents(contents.events, superseded: [])
    #expect(fixture.model.garden.sprouts.map(\.id) == [id])
    #expect(try await fixture.model.store.count() == count)
  }

  @Test func aLongTextFromAnotherSourceMayStay() async throws {
    let fixture = try await GardenFixture()
    let long = String(repeating: "x", count: 61)
    let planted = Payload.SproutPlanted(
      sproutID: "s", twigID: "branch-0-twig-0", title: long, season: .oneMonth, environment: .firm, soilCost: 1,
      leafID: "")
    _ = try await fixture.model.importEvents([Event(.sproutPlanted(planted), at: fixture.model.now, clientID: "a")])
    fixture.time.advance(seconds: 1)
    try await fixture.model.edit("s", title: long, bloomBudding: "half")
    #expect(try fixture.sprout("s").title == long)
    #expect(try fixture.sprout("s").bloomBudding == "half")
  }

  @Test func createsAndDeletesSeedlings() async throws {
    let fixture = try await GardenFixture()
    let twig = Node.twig(branch: 0, twig: 2)
    try await fixture.expectError(.titleMissing) { try await fixture.model.createSeedling(on: twig, title: "") }
    try await fixture.expectError(.tooLong(.seedlingNotes, count: 201)) {
      try await fixture.model.createSeedling(on: twig, title: "x", notes: String(repeating: "x", count: 201))
    }
    let id = try await fixture.model.createSeedling(on: twig, title: "Table tennis")
    try await fixture.model.deleteSeedling(id)
    #expect(fixture.model.garden.seedlings.isEmpty)
    try await fixture.expectError(.unknownSeedling) { try await fixture.model.deleteSeedling(id) }
  }

  @Test func writesOnlyChangedFieldsOfASeedling() async throws {
    let fixture = try await GardenFixture()
    let model = fixture.model
    let id = try await model.createSeedling(on: .twig(branch: 0, twig: 2), title: "Table tennis", notes: "with Mia")
    let before = try await model.store.count()
    try await model.editSeedling(id, title: "Table tennis", notes: " with Mia\n")
    #expect(try await model.store.count() == before, "nothing changed, so nothing is written")
    try await model.editSeedling(id, title: " Badminton ", notes: "with Mia")
    guard case .seedlingEdited(let edit) = try await fixture.events().last?.payload else {
      Issue.record("no edit")
      return
    }
    #expect(edit.title == "Badminton" && edit.notes == nil)
    #expect(model.garden.seedling(id: id)?.notes == "with Mia")
    // Two edits in the same millisecond are ordered by their random `client_id`s.
    fixture.time.advance(seconds: 1)
    try await model.editSeedling(id, notes: "")
    #expect(model.garden.seedling(id: id)?.title == "Badminton")
    #expect(model.garden.seedling(id: id)?.notes == "")
  }

  @Test func rejectsUnusableEditsOfASeedling() async throws {
    let fixture = try await GardenFixture()
    let id = try await fixture.model.createSeedling(on: .twig(branch: 0, twig: 2), title: "Table tennis")
    try await fixture.expectError(.titleMissing) { try await fixture.model.editSeedling(id, title: " ") }
    try await fixture.expectError(.tooLong(.title, count: 61)) {
      try await fixture.model.editSeedling(id, title: String(repeating: "x", count: 61))
    }
    try await fixture.expectError(.tooLong(.seedlingNotes, count: 201)) {
      try await fixture.model.editSeedling(id, notes: String(repeating: "x", count: 201))
    }
    try await fixture.model.deleteSeedling(id)
    try await fixture.expectError(.unknownSeedling) { try await fixture.model.editSeedling(id, title: "y") }
  }

  @Test func editsASeedlingWithALongTitleFromElsewhere() async throws {
    let fixture = try await GardenFixture()
    let (title, now) = (String(repeating: "x", count: 80), fixture.time.now)
    _ = try await fixture.model.importEvents([
      Event(
        .seedlingCreated(.init(seedlingID: "seedling-1", twigID: "branch-0-twig-0", title: title)), at: now,
        clientID: Event.clientID(at: now, random: 1))
    ])
    fixture.time.advance(seconds: 1)
    try await fixture.model.editSeedling("seedling-1", title: title, notes: "later")
    #expect(fixture.model.garden.seedling(id: "seedling-1")?.notes == "later")
  }

  /// Other clients write longer titles. They must not keep a sprout from being uprooted or a leaf from being named.
  @Test func aTitleFromElsewhereIsShortenedForASeedling() async throws {
    let fixture = try await GardenFixture()
    let long = String(repeating: "x" + String(repeating: "\u{301}", count: 150), count: 60)
    let event = Event(
      .sproutPlanted(
        .init(
          sproutID: "s", twigID: "branch-0-twig-0", title: long, season: .oneMonth, environment: .fertile, soilCost: 3,
          leafID: "")), at: fixture.time.now.adding(seconds: -60), clientID: "long")
    _ = try await fixture.model.importEvents([event])
    try await fixture.model.uproot("s", creatingSeedling: true)
    let title = try #require(fixture.model.garden.seedlings.first?.title)
    #expect(!title.isEmpty && LimitedText.title.fits(title))
  }

  @Test func aTextOfInvisibleCharactersIsStoredAsAnEmptyOne() async throws {
    let fixture = try await GardenFixture()
    let id = try await fixture.plant("a")
    try await fixture.model.water(id, text: "\u{200B}\0\n", question: nil)
    let watered = try await fixture.model.contents().events.first { $0.kind == .sproutWatered }
    #expect(watered?.payload.words.map(\.text) == [""])
    try await fixture.expectError(.titleMissing) {
      try await fixture.model.createSeedling(on: .trunk, title: "\u{AD}\u{1B}")
    }
    try await fixture.expectError(.textMissing) {
      try await fixture.model.shine(.trunk, text: "\u{FEFF}\u{200D}", question: nil)
    }
  }

  @Test func everyErrorHasAMessage() {
    let errors: [IntentError] = [
      .unknownSprout, .unknownSeedling, .notGrowing(title: "T"), .notReady(title: "T", due: "D"),
      .noWaterLeft(returns: "R"), .alreadyWatered(title: "T"), .noSunLeft(returns: "R"),
      .soilMissing(cost: 8, available: 1.5), .textMissing, .titleMissing, .tooLong(.title, count: 61),
      .tooLarge(.title, bytes: 2000),
      .nothingToUndo, .tooLateToUndo, .plantedInUse(title: "T"),
    ]
    #expect(Set(errors.map(\.message)).count == errors.count)
    for error in errors {
      #expect(error.message.hasSuffix("."))
      #expect(!error.message.contains("{"), "\(error.message)")
      #expect(userMessage(for: error) == error.message)
    }
    #expect(userMessage(for: StoreError.diskFull) == StoreError.diskFull.message)
    #expect(userMessage(for: Settings.Unreadable(path: "/p", detail: "why")) == "“/p” can’t be used: why.")
  }

  @Test func importsAFile() async throws {
    let (fixture, other) = (try await GardenFixture(), try await GardenFixture())
    let id = try await other.plant("a")
    try await other.model.water(id, text: "x", question: nil)
    let events = try await other.events()
    let result = try await fixture.model.importEvents(events + events)
    #expect(result.inserted.count == 3)
    #expect(fixture.model.garden.journal.count == 1)
    try await fixture.expectModelMatchesLog()
  }
}

@MainActor @Suite struct UndoTests {
  @Test func undoesEveryUndoableAction() async throws {
    let fixture = try await GardenFixture()
    let id = try await fixture.plant("a")
    let seedling = try await fixture.model.createSeedling(on: .twig(branch: 0, twig: 0), title: "s")
    fixture.time.advance(days: 14)
    var form = GardenModel.PlantForm(twig: .twig(branch: 0, twig: 0), leaf: .new(name: "New"))
    (form.title, form.seedlingID) = ("From an idea", seedling)
    let before = fixture.model.garden.checkpoint()
    let count = try await fixture.model.store.count()
    let actions: [(GardenModel.Undoable.Action, @MainActor () async throws -> Void)] = [
      (.plant, { _ = try await fixture.model.plant(form) }),
      (.water, { try await fixture.model.water(id, text: "w", question: "?") }),
      (.shine, { try await fixture.model.shine(.twig(branch: 0, twig: 0), text: "s", question: "?") }),
      (.harvest, { try await fixture.model.harvest(id, result: 5, reflection: "h") }),
      (.uproot, { try await fixture.model.uproot(id, creatingSeedling: true) }),
      (.deleteSeedling, { try await fixture.model.deleteSeedling(seedling) }),
    ]
    for (action, intent) in actions {
      try await intent()
      #expect(fixture.model.undoable?.action == action)
      #expect(fixture.model.undoable?.until == fixture.time.now.adding(seconds: GardenModel.undoSeconds))
      fixture.time.advance(seconds: GardenModel.undoSeconds - 1)
      #expect(try await fixture.model.undo()?.action == action)
      #expect(fixture.model.undoable == nil)
      #expect(try await fixture.model.store.count() == count)
      #expect(fixture.model.garden.checkpoint() == before, "\(action)")
    }
    #expect(try await fixture.model.unfinished(.water, about: id)?.text == "w")
    #expect(try await fixture.model.unfinished(.sun, about: "")?.text == "s")
    #expect(try await fixture.model.unfinished(.harvest, about: id)?.text == "h")
  }

  @Test func undoesActionsInReverseOrder() async throws {
    let fixture = try await GardenFixture()
    let (first, second) = (try await fixture.plant("a"), try await fixture.plant("b"))
    fixture.time.advance(seconds: GardenModel.undoSeconds)
    try await fixture.model.water(first, text: "1", question: nil)
    try await fixture.model.water(second, text: "2", question: nil)
    try await fixture.model.undo()
    #expect(try fixture.sprout(second).waterings.isEmpty)
    #expect(try fixture.sprout(first).waterings.count == 1)
    try await fixture.model.undo()
    #expect(fixture.model.garden.journal.isEmpty)
    try await fixture.expectError(.nothingToUndo) { try await fixture.model.undo() }
    #expect(try await fixture.model.unfinished(.water, about: first)?.text == "1")
  }

  @Test func undoesOnlyTheOfferedAction() async throws {
    let fixture = try await GardenFixture()
    let (first, second) = (try await fixture.plant("a"), try await fixture.plant("b"))
    try await fixture.model.water(first, text: "1", question: nil)
    try await fixture.model.water(second, text: "2", question: nil)
    let offered = try #require(fixture.model.undoable)
    #expect(try await fixture.model.undo(offered)?.action == .water)
    #expect(try await fixture.model.undo(offered) == nil)
    #expect(try fixture.sprout(first).waterings.count == 1)
    #expect(try fixture.sprout(second).waterings.isEmpty)
  }

  @Test func undoesNothingFromBeforeAPermanentAction() async throws {
    let fixture = try await GardenFixture()
    try await fixture.model.water(try await fixture.plant("a"), text: "1", question: nil)
    try await fixture.model.createSeedling(on: .twig(branch: 0, twig: 0), title: "b")
    try await fixture.expectError(.nothingToUndo) { try await fixture.model.undo() }
    #expect(fixture.model.garden.journal.count == 1)
  }

  @Test func rejectsUndoAfterTheUndoWindow() async throws {
    let fixture = try await GardenFixture()
    let id = try await fixture.plant("a")
    fixture.time.advance(seconds: GardenModel.undoSeconds)
    try await fixture.expectError(.tooLateToUndo) { try await fixture.model.undo() }
    try await fixture.expectError(.nothingToUndo) { try await fixture.model.undo() }
    try await fixture.model.water(id, text: "w", question: "?")
    fixture.time.advance(seconds: GardenModel.undoSeconds)
    try await fixture.expectError(.tooLateToUndo) { try await fixture.model.undo() }
    try await fixture.expectError(.nothingToUndo) { try await fixture.model.undo() }
    #expect(fixture.model.garden.journal.count == 1)
    #expect(try await fixture.model.unfinished(.water, about: id)?.text == nil)
  }

  @Test func theOfferEndsBeforeTheUndoWindow() async throws {
    let fixture = try await GardenFixture()
    let (pauses, endPause) = AsyncStream.makeStream(of: Void.self)
    let (time, offered) = (fixture.time, GardenModel.offerSeconds)
    let clock = WallClock(now: { time.now }, zone: { time.zone }) { seconds in
      #expect(seconds == offered)
      for await _ in pauses {}
    }
    let model = try await GardenModel.open(folder: fixture.folder + "/other", clock: clock)
    let id = try await model.createSeedling(on: .twig(branch: 2, twig: 0), title: "Cello")
    try await model.deleteSeedling(id)
    #expect(model.undoable?.entityID == id)
    endPause.finish()
    for await undoable in Observations({ model.undoable }) where undoable == nil { break }
    // A late click.
    fixture.time.advance(seconds: GardenModel.undoSeconds - 1)
    try await model.undo()
    #expect(model.garden.seedlings.map(\.id) == [id])
  }

  @Test func aSlowStoreShortensTheOffer() async throws {
    let fixture = try await GardenFixture()
    let (pauses, pause) = AsyncStream.makeStream(of: Int64.self)
    let time = fixture.time
    let clock = WallClock(
      now: {
        time.advance(seconds: 2)
        return time.now
      }, zone: { time.zone }, pause: { pause.yield($0) })
    let model = try await GardenModel.open(folder: fixture.folder + "/other", clock: clock)
    try await model.deleteSeedling(try await model.createSeedling(on: .twig(branch: 2, twig: 0), title: "Cello"))
    for await seconds in pauses {
      #expect(seconds <= GardenModel.offerSeconds - 2)
      break
    }
  }

  @Test func undoRemovesOnlyTheLastAction() async throws {
    let fixture = try await GardenFixture()
    let (first, second) = (try await fixture.plant("a"), try await fixture.plant("b"))
    try await fixture.model.water(first, text: "1", question: nil)
    try await fixture.model.water(second, text: "2", question: nil)
    try await fixture.model.undo()
    #expect(try fixture.sprout(first).waterings.count == 1)
    #expect(try fixture.sprout(second).waterings.isEmpty)
    try await fixture.model.water(second, text: "3", question: nil)
    try await fixture.model.createSeedling(on: .twig(branch: 0, twig: 0), title: "c")
    try await fixture.expectError(.nothingToUndo) { try await fixture.model.undo() }
  }

  @Test func anEmptyTextBecomesNoDraft() async throws {
    let fixture = try await GardenFixture()
    let id = try await fixture.plant("a")
    try await fixture.model.water(id, text: "", question: nil)
    try await fixture.model.undo()
    #expect(try await fixture.model.unfinished(.water, about: id)?.text == nil)
  }
}

@MainActor @Suite struct DraftTests {
  @Test func draftsRemainUntilTheirEntryIsSaved() async throws {
    let fixture = try await GardenFixture()
    let id = try await fixture.plant("a")
    try await fixture.model.save(DraftContent("Half a sen", .water, about: id))
    try await fixture.model.save(DraftContent("A thought", .sun, about: ""))
    #expect(try await fixture.anotherModel().unfinished(.water, about: id)?.text == "Half a sen")
    #expect(try await fixture.model.unfinished(.harvest, about: id)?.text == nil)
    fixture.time.advance(days: 1)
    #expect(try await fixture.model.unfinished(.water, about: id)?.text == "Half a sen", "it outlives the day")
    try await fixture.model.save(DraftContent("Half a sentence.", .water, about: id))
    try await fixture.model.water(id, text: "Half a sentence.", question: nil)
    #expect(try await fixture.model.unfinished(.water, about: id)?.text == nil)
    #expect(try await fixture.model.unfinished(.sun, about: "")?.text == "A thought")
    try await fixture.model.save(DraftContent("", .sun, about: ""))
    #expect(try await fixture.model.unfinished(.sun, about: "")?.text == nil)
  }

  @Test func draftsKeepTheirQuestions() async throws {
    let fixture = try await GardenFixture()
    let id = try await fixture.plant("a")
    let (why, joy) = (
      GardenModel.AskedQuestion("Why?\nHow?"), GardenModel.AskedQuestion("What shone?", on: Node.twigs[63])
    )
    try await fixture.model.save(DraftContent("Half a sen", .water, about: id, asked: why))
    try await fixture.model.save(DraftContent("A thought", .sun, about: "", asked: joy))
    var water = try await fixture.anotherModel().unfinished(.water, about: id)
    #expect(water?.text == "Half a sen" && water?.asked == why)
    var sun = try await fixture.anotherModel().unfinished(.sun, about: "")
    #expect(sun?.text == "A thought" && sun?.asked == joy)
    #expect(try await fixture.model.store.drafts().count == 2, "a question alone is not a draft")
    // Written as an entry, then undone.
    try await fixture.model.water(id, text: "Half a sen", question: why.question)
    try await fixture.model.shine(try #require(joy.twig), text: "A thought", question: joy.question)
    #expect(try await fixture.model.store.drafts().isEmpty)
    try await fixture.model.undo()
    try await fixture.model.undo()
    water = try await fixture.model.unfinished(.water, about: id)
    #expect(water?.text == "Half a sen" && water?.asked == why)
    sun = try await fixture.model.unfinished(.sun, about: "")
    #expect(sun?.text == "A thought" && sun?.asked == joy)
  }

  @Test func draftsRemainWhenTheEntryIsRejected() async throws {
    let fixture = try await GardenFixture()
    let id = try await fixture.plant("a")
    try await fixture.model.water(id, text: "x", question: nil)
    try await fixture.model.save(DraftContent("y", .water, about: id))
    try await fixture.expectError(.alreadyWatered(title: "a")) {
      try await fixture.model.water(id, text: "y", question: nil)
    }
    #expect(try await fixture.model.unfinished(.water, about: id)?.text == "y")
  }
}
