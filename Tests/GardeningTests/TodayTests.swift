import Foundation
import Garden
import Testing

@testable import Gardening

@MainActor @Suite struct TodayTests {
  @Test func ordersWhatIsDueAndReady() async throws {
    let bed = try await Bed()
    let (a, b, c) = (try await bed.plant("a"), try await bed.plant("b"), try await bed.plant("c", season: .oneMonth))
    bed.time.pass(days: 1)
    try await bed.gardener.water(a, text: "", prompt: nil)
    bed.time.pass(days: 1)
    try await bed.gardener.water(b, text: "", prompt: nil)
    func ids(_ sprouts: [Sprout]) -> [String] { sprouts.map(\.id) }
    var (garden, now) = (bed.gardener.garden, bed.gardener.now)
    #expect(ids(garden.due(at: now)) == [c, a])
    #expect(ids(garden.wateredToday(at: now)) == [b])
    #expect(ids(garden.growing) == [a, b, c])
    #expect(garden.ready(at: now).isEmpty)
    #expect(Set(ids(garden.upcoming(at: now)).prefix(2)) == [a, b])
    bed.time.pass(days: 12)
    try await bed.gardener.refreshClock()
    (garden, now) = (bed.gardener.garden, bed.gardener.now)
    #expect(Set(ids(garden.ready(at: now))) == [a, b])
    #expect(ids(garden.upcoming(at: now)) == [c])
    #expect(ids(garden.due(at: now)) == [c, a, b])
  }

  @Test func bringsBackWhatWasWrittenOnThisDay() async throws {
    let bed = try await Bed(now: "2021-11-30T22:30:00Z")
    func write(_ day: String) async throws {
      bed.time.now = try instant(day + "T22:30:00Z")
      let id = try await bed.plant(day)
      try await bed.gardener.water(id, text: day, prompt: nil)
      bed.time.pass(days: 14)
      try await bed.gardener.harvest(id, result: 1, reflection: "")
    }
    for day in ["2021-11-30", "2024-11-30", "2025-11-30", "2026-10-30", "2026-11-23"] { try await write(day) }
    bed.time.now = try instant("2026-12-01T04:00:00Z")
    try await bed.gardener.refreshClock()
    let found = bed.gardener.garden.onThisDay(at: bed.gardener.now)
    #expect(found.map(\.anniversary) == [.week, .month, .year, .twoYears, .fiveYears])
    var texts: [String] = []
    for memory in found { texts += try await bed.gardener.pages(memory.entries).map(\.content) }
    #expect(texts == ["2026-11-23", "2026-10-30", "2025-11-30", "2024-11-30", "2021-11-30"])
    bed.time.now = try instant("2026-12-01T05:00:00Z")
    try await bed.gardener.refreshClock()
    #expect(bed.gardener.garden.onThisDay(at: bed.gardener.now).isEmpty, "a new day began")
  }

  @Test func tellsWhatCanBeAfforded() async throws {
    let bed = try await Bed()
    #expect(bed.gardener.garden.affordability(of: 10, at: bed.gardener.now) == .now)
    #expect(bed.gardener.garden.affordability(of: 10.5, at: bed.gardener.now) == .beyondCapacity)
    let id = try await bed.plant("a", season: .twoWeeks, environment: .barren)
    let due = try bed.sprout(id).harvestDue
    // Four are missing: a harvest in two weeks is sooner than twenty days of care.
    #expect(bed.gardener.garden.affordability(of: 10, at: bed.gardener.now) == .later(due))
    // A day of care is worth 0.2.
    #expect(
      bed.gardener.garden.affordability(of: 6.1, at: bed.gardener.now)
        == .later(bed.gardener.now.adding(seconds: 43_200)))
    let gains = bed.gardener.garden.capacityGains(.oneMonth, .firm)
    #expect(gains == (1...5).map { Soil.capacityGained(.oneMonth, .firm, result: $0, capacity: 10) })
  }

  @Test func remembersHowItWent() async throws {
    let bed = try await Bed()
    #expect(bed.gardener.garden.history(.twoWeeks, .fertile) == Garden.History())
    for result in [2, 4, 4, 5, 5] {
      let id = try await bed.plant("\(result)")
      bed.time.pass(days: 14)
      try await bed.gardener.harvest(id, result: result, reflection: "")
    }
    let gone = try await bed.plant("gone")
    try await bed.gardener.uproot(gone, keepingIdea: false)
    try await bed.plant("still there")
    try await bed.plant("another ground", environment: .firm)
    #expect(
      bed.gardener.garden.history(.twoWeeks, .fertile)
        == Garden.History(planted: 7, harvested: 5, uprooted: 1, usualResult: 5))
  }

  @Test func greetsByTheTimeOfDay() throws {
    let berlin = try zone("Europe/Berlin")
    func phrase(_ text: String) throws -> String { Greeting.phrase(at: try instant(text), in: berlin) }
    // 1 January has the first phrase of each.
    #expect(try phrase("2026-01-01T04:00:00Z") == "Good morning")
    #expect(try phrase("2026-01-01T10:59:59Z") == "Good morning")
    #expect(try phrase("2026-01-01T11:00:00Z") == "Good afternoon")
    #expect(try phrase("2026-01-01T16:00:00Z") == "Good evening")
    #expect(try phrase("2026-01-01T20:00:00Z") == "The night is quiet")
    #expect(try phrase("2026-01-01T03:59:59Z") == "The night is quiet")
    #expect(try phrase("2026-01-02T08:00:00Z") != phrase("2026-01-03T08:00:00Z"))
    #expect(try phrase("2026-12-31T08:00:00Z").isEmpty == false)
  }
}

@MainActor @Suite struct QuestionTests {
  @Test func thereAreEnoughOfThem() {
    #expect(Set(Texts.waterQuestions).count >= 120)
    #expect(Set(Texts.sunQuestions).count >= 35)
    #expect(Texts.waterQuestions.count == Set(Texts.waterQuestions).count)
    #expect(Texts.sunQuestions.count == Set(Texts.sunQuestions).count)
    for twig in Node.twigs { #expect(Set(Texts.twigQuestions[twig] ?? []).count >= 4, "\(twig.name)") }
    for node in Node.twigs + (0..<8).map({ .branch($0) }) { #expect(!node.presetNote.isEmpty, "\(node.name)") }
  }

  @Test func doNotComeBackSoon() {
    var random = SeededRandom(seed: 3)
    var questions = Questions(recentWater: [], recentSun: [])
    let water = (0..<2000).map { _ in questions.water(using: &random) }
    let sun = (0..<4000).map { _ in questions.sun(label: \.name, using: &random) }
    func gap(_ asked: [String]) -> Int {
      var last: [String: Int] = [:]
      var gap = Int.max
      for (index, question) in asked.enumerated() {
        if let before = last[question] { gap = min(gap, index - before) }
        last[question] = index
      }
      return gap
    }
    #expect(gap(water) > 10)
    #expect(gap(sun.map(\.question)) > 15)
    #expect(Set(water).count == Texts.waterQuestions.count, "all come some day")
    #expect(Set(sun.map(\.twig)) == Set(Node.twigs))
    #expect(!sun.contains { $0.question.contains("{") })
    let own = sun.filter { Texts.twigQuestions[$0.twig]?.contains($0.question) ?? false }
    #expect((0.21...0.29).contains(Double(own.count) / Double(sun.count)))
  }

  @Test func aTwigThatWasChosenStays() {
    var random = SeededRandom(seed: 5)
    var questions = Questions(recentWater: [], recentSun: [])
    let twig = Node.twig(branch: 4, twig: 7)
    let known = Set(
      Texts.sunQuestions.map { $0.replacing("{twig}", with: "delight") } + (Texts.twigQuestions[twig] ?? []))
    for _ in 0..<200 {
      #expect(known.contains(questions.sun(about: twig, label: { _ in "delight" }, using: &random)))
    }
  }

  @Test func theLogRemembersThem() async throws {
    let bed = try await Bed()
    let ids = [try await bed.plant("a"), try await bed.plant("b"), try await bed.plant("c")]
    let answered = Array(Texts.waterQuestions.prefix(10))
    for (index, question) in answered.enumerated() {
      if index.isMultiple(of: 3), index > 0 { bed.time.pass(days: 1) }
      try await bed.gardener.water(ids[index % 3], text: "", prompt: question)
    }
    try await bed.gardener.shine(.twig(branch: 0, twig: 0), text: "x", prompt: Texts.sunQuestions[3])
    let later = try await bed.another()
    var random = SeededRandom(seed: 1)
    for _ in 0..<100 {
      var questions = try await later.questions()
      #expect(!answered.contains(questions.water(using: &random)))
      #expect(questions.sun(label: \.name, using: &random).question != Texts.sunQuestions[3])
    }
  }
}
