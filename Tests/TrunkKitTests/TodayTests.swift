import Foundation
import TestSupport
import Testing
import TrunkModel

@testable import TrunkKit

@MainActor @Suite struct TodayTests {
  @Test func ordersDueAndReadySprouts() async throws {
    let fixture = try await GardenFixture()
    let (a, b, c) = (
      try await fixture.plant("a"), try await fixture.plant("b"), try await fixture.plant("c", season: .oneMonth)
    )
    fixture.time.advance(days: 1)
    try await fixture.model.water(a, text: "", question: nil)
    fixture.time.advance(days: 1)
    try await fixture.model.water(b, text: "", question: nil)
    func ids(_ sprouts: [Sprout]) -> [String] { sprouts.map(\.id) }
    var (garden, now) = (fixture.model.garden, fixture.model.now)
    #expect(ids(garden.waterable(at: now)) == [c, a])
    #expect(ids(garden.wateredToday(at: now)) == [b])
    #expect(ids(garden.growing) == [a, b, c])
    #expect(garden.ready(at: now).isEmpty)
    #expect(Set(ids(garden.upcoming(at: now)).prefix(2)) == [a, b])
    fixture.time.advance(days: 12)
    try await fixture.model.refreshClock()
    (garden, now) = (fixture.model.garden, fixture.model.now)
    #expect(Set(ids(garden.ready(at: now))) == [a, b])
    #expect(ids(garden.upcoming(at: now)) == [c])
    #expect(ids(garden.waterable(at: now)) == [c, a, b])
    #expect(ids(garden.needingWater(at: now)) == [c])
    // A ready sprout that waits longer than a growing one still comes after it.
    try await fixture.model.water(c, text: "", question: nil)
    fixture.time.advance(days: 1)
    try await fixture.model.refreshClock()
    (garden, now) = (fixture.model.garden, fixture.model.now)
    #expect(ids(garden.waterable(at: now)) == [c, a, b])
  }

  @Test func todayAsksForNoWaterForReadySproutsAndDuringRest() async throws {
    let fixture = try await GardenFixture()
    let (ready, watered, thirsty) = (
      try await fixture.plant("ready"), try await fixture.plant("watered", season: .oneMonth),
      try await fixture.plant("thirsty", season: .oneMonth)
    )
    fixture.time.advance(days: 14)
    try await fixture.model.water(watered, text: "", question: nil)
    var today = fixture.model.today(resting: RestDays())
    #expect(today.ready.map(\.id) == [ready] && today.due.map(\.id) == [thirsty])
    #expect(today.watered.map(\.id) == [watered] && today.resting.isEmpty)

    let day = fixture.model.garden.zone.dayKey(fixture.model.now)
    today = fixture.model.today(resting: RestDays("\(day)/\(day)"))
    #expect(today.due.isEmpty && today.resting.map(\.id) == [thirsty])
    #expect(today.ready.map(\.id) == [ready] && today.watered.map(\.id) == [watered])
    let yesterday = day.adding(days: -1)
    #expect(fixture.model.today(resting: RestDays("\(yesterday)/\(yesterday)")).due.map(\.id) == [thirsty])
  }

  @Test func showsEntriesOfThisDayInEarlierYears() async throws {
    let fixture = try await GardenFixture(now: "2021-11-30T22:30:00Z")
    func write(_ day: String) async throws {
      fixture.time.now = try instant(day + "T22:30:00Z")
      let id = try await fixture.plant(day)
      try await fixture.model.water(id, text: day, question: nil)
      fixture.time.advance(days: 14)
      try await fixture.model.harvest(id, result: 1, reflection: "")
    }
    for day in ["2021-11-30", "2024-11-30", "2025-11-30", "2026-10-30", "2026-11-23"] { try await write(day) }
    fixture.time.now = try instant("2026-12-01T04:00:00Z")
    try await fixture.model.refreshClock()
    let found = fixture.model.garden.onThisDay(at: fixture.model.now)
    #expect(found.map(\.anniversary) == [.week, .month, .year, .twoYears, .fiveYears])
    var texts: [String] = []
    for memory in found {
      texts += try await fixture.model.entries(fixture.model.garden.items(memory.entries)).map(\.text)
    }
    #expect(texts == ["2026-11-23", "2026-10-30", "2025-11-30", "2024-11-30", "2021-11-30"])
    fixture.time.now = try instant("2026-12-01T05:00:00Z")
    try await fixture.model.refreshClock()
    #expect(fixture.model.garden.onThisDay(at: fixture.model.now).isEmpty, "a new day began")
  }

  @Test func forecastsWhenASproutCanBePlanted() async throws {
    let fixture = try await GardenFixture()
    #expect(fixture.model.garden.affordability(of: 10, at: fixture.model.now) == .now)
    #expect(fixture.model.garden.affordability(of: 10.5, at: fixture.model.now) == .beyondCapacity)
    let id = try await fixture.plant("a", season: .twoWeeks, ground: .barren)
    let due = try fixture.sprout(id).harvestDue
    // Four soil are missing: a harvest in two weeks comes before twenty days of care.
    #expect(fixture.model.garden.affordability(of: 10, at: fixture.model.now) == .later(due))
    // A day of care yields 0.2.
    #expect(
      fixture.model.garden.affordability(of: 6.1, at: fixture.model.now)
        == .later(fixture.model.now.adding(seconds: 43_200)))
    let gains = fixture.model.garden.capacityGains(.oneMonth, .firm)
    #expect(gains == (1...5).map { Soil.capacityGained(.oneMonth, .firm, result: $0, capacity: 10) })
  }

  @Test func listsEarlierResults() async throws {
    let fixture = try await GardenFixture()
    #expect(fixture.model.garden.history(.twoWeeks, .fertile) == Garden.History())
    for result in [2, 4, 4, 5, 5] {
      let id = try await fixture.plant("\(result)")
      fixture.time.advance(days: 14)
      try await fixture.model.harvest(id, result: result, reflection: "")
    }
    let gone = try await fixture.plant("gone")
    try await fixture.model.uproot(gone, creatingSeedling: false)
    try await fixture.plant("still there")
    try await fixture.plant("another ground", ground: .firm)
    #expect(
      fixture.model.garden.history(.twoWeeks, .fertile)
        == Garden.History(planted: 7, harvested: 5, uprooted: 1, usualResult: 5))
  }

  @Test func greetsByTheTimeOfDay() throws {
    let berlin = try zone("Europe/Berlin")
    func phrase(_ text: String) throws -> String { Greeting.phrase(at: try instant(text), in: berlin) }
    // On 1 January, the first phrase of each time of day applies.
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
  @Test func thereAreEnoughQuestions() {
    #expect(Set(ResourceTexts.waterQuestions).count >= 120)
    #expect(Set(ResourceTexts.sunQuestions).count >= 35)
    #expect(ResourceTexts.waterQuestions.count == Set(ResourceTexts.waterQuestions).count)
    #expect(ResourceTexts.sunQuestions.count == Set(ResourceTexts.sunQuestions).count)
    for twig in Node.twigs { #expect(Set(ResourceTexts.twigQuestions[twig] ?? []).count >= 4, "\(twig.name)") }
    for node in Node.twigs + (0..<8).map({ .branch($0) }) { #expect(!node.presetNote.isEmpty, "\(node.name)") }
  }

  @Test func questionsDoNotRepeatSoon() {
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
    #expect(Set(water).count == ResourceTexts.waterQuestions.count, "every question is asked at some time")
    #expect(Set(sun.map(\.twig)) == Set(Node.twigs))
    #expect(!sun.contains { $0.question.contains("{") })
    let own = sun.filter { ResourceTexts.twigQuestions[$0.twig]?.contains($0.question) ?? false }
    #expect((0.21...0.29).contains(Double(own.count) / Double(sun.count)))
  }

  @Test func questionsStayTheSameForADay() throws {
    let day = try #require(Day(year: 2026, month: 11, day: 24))
    let fresh = Questions(recentWater: [], recentSun: [])
    func asked(_ subjects: [String], on day: Day, after recent: [String] = []) -> [String] {
      var questions = Questions(recentWater: recent, recentSun: [])
      return subjects.map { questions.water(about: $0, on: day) }
    }
    let first = asked(["a", "b", "c"], on: day)
    #expect(Set(first).count == 3)
    #expect(asked(["a", "b", "c"], on: day) == first)
    #expect(asked(["b", "c"], on: day, after: [first[0]]) == Array(first.dropFirst()), "after the first was watered")
    #expect(Set((0..<20).flatMap { asked(["a"], on: day.adding(days: $0)) }).count > 10, "other days have others")
    var (one, two) = (fresh, fresh)
    let sun = one.sun(inWeekOf: day, label: \.name)
    let again = two.sun(inWeekOf: day.adding(days: 2), label: \.name)
    #expect(sun == again, "the sun shines once a week")
  }

  @Test func keepsTheChosenTwig() {
    var random = SeededRandom(seed: 5)
    var questions = Questions(recentWater: [], recentSun: [])
    let twig = Node.twig(branch: 4, twig: 7)
    let known = Set(
      ResourceTexts.sunQuestions.map { $0.replacing("{twig}", with: "delight") }
        + (ResourceTexts.twigQuestions[twig] ?? []))
    for _ in 0..<200 {
      #expect(known.contains(questions.sun(about: twig, label: { _ in "delight" }, using: &random)))
    }
  }

  @Test func theLogRemembersThem() async throws {
    let fixture = try await GardenFixture()
    let ids = [try await fixture.plant("a"), try await fixture.plant("b"), try await fixture.plant("c")]
    let answered = Array(ResourceTexts.waterQuestions.prefix(10))
    for (index, question) in answered.enumerated() {
      if index.isMultiple(of: 3), index > 0 { fixture.time.advance(days: 1) }
      try await fixture.model.water(ids[index % 3], text: "", question: question)
    }
    try await fixture.model.shine(.twig(branch: 0, twig: 0), text: "x", question: ResourceTexts.sunQuestions[3])
    let later = try await fixture.anotherModel()
    var random = SeededRandom(seed: 1)
    for _ in 0..<100 {
      var questions = try await later.questions()
      #expect(!answered.contains(questions.water(using: &random)))
      #expect(questions.sun(label: \.name, using: &random).question != ResourceTexts.sunQuestions[3])
    }
  }
}
