import Foundation
import Garden
import GardenStore
import Observation
import Testing

@testable import Gardening

@MainActor @Suite struct IntentTests {
  @Test func plantsASproutWithItsLeaf() async throws {
    let bed = try await Bed()
    var planting = Gardener.Planting(twig: .twig(branch: 2, twig: 0), leaf: .new(name: " Cello "))
    planting.title = "  Learn the prelude\n"
    planting.season = .threeMonths
    planting.environment = .fertile
    planting.bloomWither = "closed case"
    planting.bloomFlourish = "  by heart "
    let id = try await bed.gardener.plant(planting)
    let sprout = try bed.sprout(id)
    #expect(sprout.title == "Learn the prelude")
    #expect(sprout.soilCost == 5)
    #expect(sprout.bloomWither == "closed case")
    #expect(sprout.bloomBudding == nil)
    #expect(sprout.bloomFlourish == "by heart")
    #expect(sprout.plantedAt == bed.time.now)
    #expect(bed.gardener.garden.leaf(id: sprout.leafID)?.name == "Cello")
    #expect(bed.gardener.garden.available == 5)
    #expect(id.wholeMatch(of: /sprout-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
    let events = try await bed.events()
    #expect(events.map(\.type) == ["leaf_created", "sprout_planted"])
    #expect(events.allSatisfy { $0.clientID?.hasPrefix("2026-11-18T08:00:00.000Z-") == true })
    #expect(bed.gardener.undoable?.action == .plant)
    #expect(bed.gardener.undoable?.entityID == id)
  }

  @Test func namesTheLeafLikeTheSproutAndUsesTheOneThatIsThere() async throws {
    let bed = try await Bed()
    let title = String(repeating: "äb", count: 25)
    let first = try bed.sprout(try await bed.plant(title))
    #expect(bed.gardener.garden.leaf(id: first.leafID)?.name == String(title.prefix(40)))
    let second = try bed.sprout(try await bed.plant("Next", leaf: .existing(id: first.leafID)))
    #expect(second.leafID == first.leafID)
    #expect(bed.gardener.garden.leaves.count == 1)
    #expect(bed.gardener.garden.latestSprout(onLeaf: first.leafID)?.id == second.id)
  }

  @Test func aSeedlingGoesWithItsPlanting() async throws {
    let bed = try await Bed()
    let seedling = try await bed.gardener.seed(.twig(branch: 2, twig: 0), title: "Cello", notes: " someday ")
    #expect(bed.gardener.garden.seedling(id: seedling)?.notes == "someday")
    try await bed.plant("Cello", seedling: seedling)
    #expect(bed.gardener.garden.seedlings.isEmpty)
    #expect(try await bed.events().map(\.type).last == "seedling_deleted")
  }

  @Test func refusesWhatCannotBePlanted() async throws {
    let bed = try await Bed()
    try await bed.refused(.titleMissing) { try await bed.plant(" \n") }
    try await bed.refused(.tooLong(count: 61, limit: 60)) { try await bed.plant(String(repeating: "ä", count: 61)) }
    try await bed.refused(.tooLong(count: 41, limit: 40)) {
      try await bed.plant("x", leaf: .new(name: String(repeating: "ä", count: 41)))
    }
    try await bed.refused(.soilMissing(cost: 12, available: 10)) { try await bed.plant("x", season: .oneYear) }
    var planting = Gardener.Planting(twig: .twig(branch: 0, twig: 0))
    planting.title = "x"
    planting.bloomBudding = String(repeating: "x", count: 61)
    try await bed.refused(.tooLong(count: 61, limit: 60)) { try await bed.gardener.plant(planting) }
    // What a person sees as one character counts as one.
    try await bed.plant(String(repeating: "👩‍👩‍👧", count: 60))
  }

  @Test func watersOnceADayAndThreeTimes() async throws {
    let bed = try await Bed()
    var ids: [String] = []
    for title in ["a", "b", "c", "d"] { ids.append(try await bed.plant(title)) }
    try await bed.gardener.water(ids[0], text: "Held.", prompt: "What held?")
    try await bed.refused(.alreadyWatered(title: "a")) {
      try await bed.gardener.water(ids[0], text: "more", prompt: nil)
    }
    try await bed.refused(.tooLong(count: 2001, limit: 2000)) {
      try await bed.gardener.water(ids[1], text: String(repeating: "x", count: 2001), prompt: nil)
    }
    bed.time.pass(seconds: 1)
    try await bed.refused(.unknownSprout) { try await bed.gardener.water("sprout-x", text: "", prompt: nil) }
    try await bed.gardener.water(ids[1], text: "", prompt: "")
    bed.time.pass(seconds: 1)
    try await bed.gardener.water(ids[2], text: "c", prompt: nil)
    try await bed.refused(.noWaterLeft(returns: "tomorrow at 06:00")) {
      try await bed.gardener.water(ids[3], text: "d", prompt: nil)
    }
    try await bed.gardener.uproot(ids[3], keepingIdea: false)
    try await bed.refused(.notGrowing(title: "d")) { try await bed.gardener.water(ids[3], text: "d", prompt: nil) }
    let pages = try await bed.gardener.pages(Array(bed.gardener.garden.journal))
    #expect(pages.map(\.content) == ["Held.", "", "c"])
    #expect(pages.map(\.prompt) == ["What held?", nil, nil], "an empty question is none")
  }

  @Test func aDoubleClickMakesOneEntry() async throws {
    let bed = try await Bed()
    let id = try await bed.plant("a")
    let gardener = bed.gardener
    let clicks = (0..<5).map { click in
      Task { @MainActor in try await gardener.water(id, text: "\(click)", prompt: nil) }
    }
    var done = 0
    for click in clicks {
      if case .success = await click.result { done += 1 }
    }
    #expect(done == 1)
    #expect(gardener.garden.journal.count == 1)
  }

  @Test func shinesOnceAWeek() async throws {
    let bed = try await Bed()
    let joy = Node.twig(branch: 4, twig: 7)
    try await bed.refused(.textMissing) { try await bed.gardener.shine(joy, text: " \n ", prompt: "?") }
    try await bed.refused(.tooLong(count: 2001, limit: 2000)) {
      try await bed.gardener.shine(joy, text: String(repeating: "x", count: 2001), prompt: "?")
    }
    try await bed.gardener.shine(joy, text: "Laughed.", prompt: "When?")
    try await bed.refused(.noSunLeft(returns: "on Monday at 06:00")) {
      try await bed.gardener.shine(joy, text: "again", prompt: "?")
    }
    let page = try #require(try await bed.gardener.pages(Array(bed.gardener.garden.journal)).first)
    #expect(page.twigLabel == "joy")
    #expect(page.prompt == "When?")
  }

  @Test func nothingIsHarvestedInAPartOfAGarden() async throws {
    let bed = try await Bed()
    let id = try await bed.plant("Cello", season: .twoWeeks)
    bed.time.pass(days: 15)
    // Another program begins the first download, and breaks off.
    let store = try await GardenStore.open(folder: bed.folder + "/garden")
    try await store.set("begun", for: .firstSync)
    try await bed.refused(.stillComing) { try await bed.gardener.harvest(id, result: 4, reflection: "Sung.") }
    try await bed.refused(.stillComing) { try await bed.gardener.uproot(id, keepingIdea: false) }
    try await bed.gardener.water(id, text: "Writing goes on.", prompt: nil)
    #expect(bed.gardener.isPartial)
    #expect(try await bed.another().isPartial)

    try await store.set(nil, for: .firstSync)
    try await bed.gardener.harvest(id, result: 4, reflection: "Sung.")
    #expect(!bed.gardener.isPartial)
  }

  @Test func harvestsWhatIsReady() async throws {
    let bed = try await Bed()
    let id = try await bed.plant("a", environment: .firm)
    try await bed.refused(.notReady(title: "a", due: "2 December 2026")) {
      try await bed.gardener.harvest(id, result: 4, reflection: "")
    }
    bed.time.pass(days: 14)
    try await bed.gardener.harvest(id, result: 4, reflection: " ")
    #expect(try bed.sprout(id).harvest?.result == 4)
    #expect(try bed.sprout(id).harvest?.reflection == nil)
    let gained = Soil.capacityGained(.twoWeeks, .firm, result: 4, capacity: 10)
    #expect(bed.gardener.garden.capacity == 10 + gained)
    try await bed.refused(.notGrowing(title: "a")) {
      try await bed.gardener.harvest(id, result: 4, reflection: "")
    }
    try await bed.refused(.unknownSprout) { try await bed.gardener.harvest("x", result: 4, reflection: "") }
  }

  @Test func uprootsAndKeepsTheIdea() async throws {
    let bed = try await Bed()
    let id = try await bed.plant("An idea", season: .threeMonths)
    try await bed.gardener.uproot(id, keepingIdea: true)
    #expect(bed.gardener.garden.available == 6.25)
    #expect(bed.gardener.garden.seedlings.map(\.title) == ["An idea"])
    try await bed.refused(.notGrowing(title: "An idea")) { try await bed.gardener.uproot(id, keepingIdea: true) }
  }

  @Test func editsOnlyWhatChanged() async throws {
    let bed = try await Bed()
    let id = try await bed.plant("a")
    let before = try await bed.gardener.store.count()
    try await bed.gardener.edit(id, title: "a", bloomWither: "")
    #expect(try await bed.gardener.store.count() == before, "nothing changed, so nothing is written")
    try await bed.gardener.edit(id, title: " b ", bloomBudding: "half")
    #expect(try bed.sprout(id).title == "b")
    #expect(try bed.sprout(id).bloomBudding == "half")
    guard case .sproutEdited(let edit) = try await bed.events().last?.content else {
      Issue.record("no edit")
      return
    }
    #expect(edit.bloomWither == nil && edit.leafID == nil)
    // Two edits of one millisecond have no order.
    bed.time.pass(seconds: 1)
    try await bed.gardener.edit(id, bloomBudding: "")
    #expect(try (bed.sprout(id).bloomBudding ?? "") == "")
    try await bed.refused(.titleMissing) { try await bed.gardener.edit(id, title: " ") }
    try await bed.refused(.tooLong(count: 61, limit: 60)) {
      try await bed.gardener.edit(id, bloomFlourish: String(repeating: "x", count: 61))
    }
    try await bed.refused(.unknownSprout) { try await bed.gardener.edit("x", title: "y") }
  }

  @Test func keepsAndDropsSeedlings() async throws {
    let bed = try await Bed()
    let twig = Node.twig(branch: 0, twig: 2)
    try await bed.refused(.titleMissing) { try await bed.gardener.seed(twig, title: "") }
    try await bed.refused(.tooLong(count: 201, limit: 200)) {
      try await bed.gardener.seed(twig, title: "x", notes: String(repeating: "x", count: 201))
    }
    let id = try await bed.gardener.seed(twig, title: "Table tennis")
    try await bed.gardener.deleteSeedling(id)
    #expect(bed.gardener.garden.seedlings.isEmpty)
    try await bed.refused(.unknownSeedling) { try await bed.gardener.deleteSeedling(id) }
  }

  @Test func everyReasonIsToldInWords() {
    let errors: [GardeningError] = [
      .unknownSprout, .unknownSeedling, .notGrowing(title: "T"), .notReady(title: "T", due: "D"),
      .noWaterLeft(returns: "R"), .alreadyWatered(title: "T"), .noSunLeft(returns: "R"),
      .soilMissing(cost: 8, available: 1.5), .textMissing, .titleMissing, .tooLong(count: 61, limit: 60),
      .nothingToUndo, .tooLateToUndo, .plantedInUse(title: "T"),
    ]
    #expect(Set(errors.map(\.message)).count == errors.count)
    for error in errors {
      #expect(error.message.hasSuffix("."))
      #expect(!error.message.contains("{"), "\(error.message)")
      #expect(plainWords(error) == error.message)
    }
    #expect(plainWords(StoreError.diskFull) == StoreError.diskFull.message)
    #expect(plainWords(Settings.Unreadable(path: "/p", detail: "why")) == "“/p” can’t be used: why.")
  }

  @Test func importsAFile() async throws {
    let (bed, other) = (try await Bed(), try await Bed())
    let id = try await other.plant("a")
    try await other.gardener.water(id, text: "x", prompt: nil)
    let events = try await other.events()
    let result = try await bed.gardener.importEvents(events + events)
    #expect(result.inserted.count == 3)
    #expect(bed.gardener.garden.journal.count == 1)
    try await bed.expectTrueGarden()
  }
}

@MainActor @Suite struct UndoTests {
  @Test func takesBackEveryActionThatCanBe() async throws {
    let bed = try await Bed()
    let id = try await bed.plant("a")
    let seedling = try await bed.gardener.seed(.twig(branch: 0, twig: 0), title: "s")
    bed.time.pass(days: 14)
    var planting = Gardener.Planting(twig: .twig(branch: 0, twig: 0), leaf: .new(name: "New"))
    (planting.title, planting.seedlingID) = ("From an idea", seedling)
    let before = bed.gardener.garden.checkpoint()
    let count = try await bed.gardener.store.count()
    let actions: [(Gardener.Undoable.Action, @MainActor () async throws -> Void)] = [
      (.plant, { _ = try await bed.gardener.plant(planting) }),
      (.water, { try await bed.gardener.water(id, text: "w", prompt: "?") }),
      (.shine, { try await bed.gardener.shine(.twig(branch: 0, twig: 0), text: "s", prompt: "?") }),
      (.harvest, { try await bed.gardener.harvest(id, result: 5, reflection: "h") }),
      (.uproot, { try await bed.gardener.uproot(id, keepingIdea: true) }),
      (.deleteSeedling, { try await bed.gardener.deleteSeedling(seedling) }),
    ]
    for (action, intent) in actions {
      try await intent()
      #expect(bed.gardener.undoable?.action == action)
      #expect(bed.gardener.undoable?.until == bed.time.now.adding(seconds: Gardener.undoSeconds))
      bed.time.pass(seconds: Gardener.undoSeconds - 1)
      #expect(try await bed.gardener.undo() == action)
      #expect(bed.gardener.undoable == nil)
      #expect(try await bed.gardener.store.count() == count)
      #expect(bed.gardener.garden.checkpoint() == before, "\(action)")
    }
    #expect(try await bed.gardener.draft(.water, about: id) == "w")
    #expect(try await bed.gardener.draft(.sun, about: "") == "s")
    #expect(try await bed.gardener.draft(.harvest, about: id) == "h")
  }

  @Test func takesBackOneActionAfterTheOther() async throws {
    let bed = try await Bed()
    let (first, second) = (try await bed.plant("a"), try await bed.plant("b"))
    bed.time.pass(seconds: Gardener.undoSeconds)
    try await bed.gardener.water(first, text: "1", prompt: nil)
    try await bed.gardener.water(second, text: "2", prompt: nil)
    try await bed.gardener.undo()
    #expect(try bed.sprout(second).waterings.isEmpty)
    #expect(try bed.sprout(first).waterings.count == 1)
    try await bed.gardener.undo()
    #expect(bed.gardener.garden.journal.isEmpty)
    try await bed.refused(.nothingToUndo) { try await bed.gardener.undo() }
    #expect(try await bed.gardener.draft(.water, about: first) == "1")
  }

  @Test func takesBackNothingButWhatWasOffered() async throws {
    let bed = try await Bed()
    let (first, second) = (try await bed.plant("a"), try await bed.plant("b"))
    try await bed.gardener.water(first, text: "1", prompt: nil)
    try await bed.gardener.water(second, text: "2", prompt: nil)
    let offered = try #require(bed.gardener.undoable)
    #expect(try await bed.gardener.undo(offered) == .water)
    #expect(try await bed.gardener.undo(offered) == nil)
    #expect(try bed.sprout(first).waterings.count == 1)
    #expect(try bed.sprout(second).waterings.isEmpty)
  }

  @Test func takesBackNothingFromBeforeALastingAction() async throws {
    let bed = try await Bed()
    try await bed.gardener.water(try await bed.plant("a"), text: "1", prompt: nil)
    try await bed.gardener.seed(.twig(branch: 0, twig: 0), title: "b")
    try await bed.refused(.nothingToUndo) { try await bed.gardener.undo() }
    #expect(bed.gardener.garden.journal.count == 1)
  }

  @Test func saysWhenItIsTooLate() async throws {
    let bed = try await Bed()
    let id = try await bed.plant("a")
    bed.time.pass(seconds: Gardener.undoSeconds)
    try await bed.refused(.tooLateToUndo) { try await bed.gardener.undo() }
    try await bed.refused(.nothingToUndo) { try await bed.gardener.undo() }
    try await bed.gardener.water(id, text: "w", prompt: "?")
    bed.time.pass(seconds: Gardener.undoSeconds)
    try await bed.refused(.tooLateToUndo) { try await bed.gardener.undo() }
    try await bed.refused(.nothingToUndo) { try await bed.gardener.undo() }
    #expect(bed.gardener.garden.journal.count == 1)
    #expect(try await bed.gardener.draft(.water, about: id) == nil)
  }

  @Test(.timeLimit(.minutes(5))) func isOfferedForALittleLessThanItIsPossible() async throws {
    let bed = try await Bed()
    let (pauses, endPause) = AsyncStream.makeStream(of: Void.self)
    let (time, offered) = (bed.time, Gardener.offerSeconds)
    let clock = Clock(now: { time.now }, zone: { time.zone }) { seconds in
      #expect(seconds == offered)
      for await _ in pauses {}
    }
    let gardener = try await Gardener.open(folder: bed.folder + "/other", clock: clock)
    let id = try await gardener.seed(.twig(branch: 2, twig: 0), title: "Cello")
    try await gardener.deleteSeedling(id)
    #expect(gardener.undoable?.entityID == id)
    endPause.finish()
    for await undoable in Observations({ gardener.undoable }) where undoable == nil { break }
    // A late click.
    bed.time.pass(seconds: Gardener.undoSeconds - 1)
    try await gardener.undo()
    #expect(gardener.garden.seedlings.map(\.id) == [id])
  }

  @Test(.timeLimit(.minutes(5))) func theTimeOfTheStoreShortensTheOffer() async throws {
    let bed = try await Bed()
    let (pauses, pause) = AsyncStream.makeStream(of: Int64.self)
    let time = bed.time
    let clock = Clock(
      now: {
        time.pass(seconds: 2)
        return time.now
      }, zone: { time.zone }, pause: { pause.yield($0) })
    let gardener = try await Gardener.open(folder: bed.folder + "/other", clock: clock)
    try await gardener.deleteSeedling(try await gardener.seed(.twig(branch: 2, twig: 0), title: "Cello"))
    for await seconds in pauses {
      #expect(seconds <= Gardener.offerSeconds - 2)
      break
    }
  }

  @Test func onlyTheLastActionIsTakenBack() async throws {
    let bed = try await Bed()
    let (first, second) = (try await bed.plant("a"), try await bed.plant("b"))
    try await bed.gardener.water(first, text: "1", prompt: nil)
    try await bed.gardener.water(second, text: "2", prompt: nil)
    try await bed.gardener.undo()
    #expect(try bed.sprout(first).waterings.count == 1)
    #expect(try bed.sprout(second).waterings.isEmpty)
    try await bed.gardener.water(second, text: "3", prompt: nil)
    try await bed.gardener.seed(.twig(branch: 0, twig: 0), title: "c")
    try await bed.refused(.nothingToUndo) { try await bed.gardener.undo() }
  }

  @Test func anEmptyTextBecomesNoDraft() async throws {
    let bed = try await Bed()
    let id = try await bed.plant("a")
    try await bed.gardener.water(id, text: "", prompt: nil)
    try await bed.gardener.undo()
    #expect(try await bed.gardener.draft(.water, about: id) == nil)
  }
}

@MainActor @Suite struct DraftTests {
  @Test func areKeptUntilTheyAreWritten() async throws {
    let bed = try await Bed()
    let id = try await bed.plant("a")
    try await bed.gardener.keepDraft("Half a sen", .water, about: id)
    try await bed.gardener.keepDraft("A thought", .sun, about: "")
    #expect(try await bed.another().draft(.water, about: id) == "Half a sen")
    #expect(try await bed.gardener.draft(.harvest, about: id) == nil)
    bed.time.pass(days: 1)
    #expect(try await bed.gardener.draft(.water, about: id) == "Half a sen", "it outlives the day")
    try await bed.gardener.keepDraft("Half a sentence.", .water, about: id)
    try await bed.gardener.water(id, text: "Half a sentence.", prompt: nil)
    #expect(try await bed.gardener.draft(.water, about: id) == nil)
    #expect(try await bed.gardener.draft(.sun, about: "") == "A thought")
    try await bed.gardener.keepDraft("", .sun, about: "")
    #expect(try await bed.gardener.draft(.sun, about: "") == nil)
  }

  @Test func keepTheirQuestions() async throws {
    let bed = try await Bed()
    let id = try await bed.plant("a")
    let (why, joy) = (Gardener.Asked("Why?\nHow?"), Gardener.Asked("What shone?", on: Node.twigs[63]))
    try await bed.gardener.keepDraft("Half a sen", .water, about: id, asked: why)
    try await bed.gardener.keepDraft("A thought", .sun, about: "", asked: joy)
    var water = try await bed.another().begun(.water, about: id)
    #expect(water?.text == "Half a sen" && water?.asked == why)
    var sun = try await bed.another().begun(.sun, about: "")
    #expect(sun?.text == "A thought" && sun?.asked == joy)
    #expect(try await bed.gardener.store.drafts().count == 2, "what is asked is no text that somebody has begun")
    // Written, and taken back.
    try await bed.gardener.water(id, text: "Half a sen", prompt: why.question)
    try await bed.gardener.shine(try #require(joy.twig), text: "A thought", prompt: joy.question)
    #expect(try await bed.gardener.store.drafts().isEmpty)
    try await bed.gardener.undo()
    try await bed.gardener.undo()
    water = try await bed.gardener.begun(.water, about: id)
    #expect(water?.text == "Half a sen" && water?.asked == why)
    sun = try await bed.gardener.begun(.sun, about: "")
    #expect(sun?.text == "A thought" && sun?.asked == joy)
  }

  @Test func stayWhenTheEntryIsRefused() async throws {
    let bed = try await Bed()
    let id = try await bed.plant("a")
    try await bed.gardener.water(id, text: "x", prompt: nil)
    try await bed.gardener.keepDraft("y", .water, about: id)
    try await bed.refused(.alreadyWatered(title: "a")) { try await bed.gardener.water(id, text: "y", prompt: nil) }
    #expect(try await bed.gardener.draft(.water, about: id) == "y")
  }
}
