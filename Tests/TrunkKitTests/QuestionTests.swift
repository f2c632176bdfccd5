import TestSupport
import Testing
import TrunkModel

@testable import TrunkKit

@MainActor @Suite struct QuestionTests {
  @Test func thereAreEnoughQuestions() {
    let water = ResourceTexts.waterQuestions
    #expect(Set(water.values.joined()).count >= 200)
    for phase in Sprout.Phase.allCases {
      let questions = water[phase, default: []]
      #expect(questions.count >= (phase == .middle ? 120 : 24))
      #expect(questions.count == Set(questions).count, "\(phase)")
    }
    #expect(ResourceTexts.sunQuestions.count >= 35)
    #expect(ResourceTexts.beginningQuestions.count >= 8)
    let sun = ResourceTexts.sunQuestions + ResourceTexts.beginningQuestions
    #expect(sun.count == Set(sun).count)
    for twig in Node.twigs { #expect(Set(ResourceTexts.twigQuestions[twig] ?? []).count >= 4, "\(twig.name)") }
    for node in Node.twigs + (0..<8).map({ .branch($0) }) { #expect(!node.presetNote.isEmpty, "\(node.name)") }
  }

  @Test func firstQuestionsAssumeNoEarlierEntry() {
    let telling = ["last time", "entries", "by now", "yesterday", "used to", "again", "since", "no longer", "earlier"]
    for question in ResourceTexts.waterQuestions[.first, default: []] {
      #expect(!telling.contains { question.lowercased().contains($0) }, "\(question)")
    }
  }

  @Test func asksByThePhaseOfASprout() async throws {
    let fixture = try await GardenFixture()
    let id = try await fixture.plant("a", season: .oneMonth)
    func phase() throws -> Sprout.Phase { try fixture.sprout(id).phase(at: fixture.time.now) }
    for day in 1...3 {
      #expect(try phase() == .first, "day \(day)")
      try await fixture.model.water(id, text: "", question: "")
      fixture.time.advance(days: 1)
    }
    #expect(try phase() == .middle)
    fixture.time.advance(days: 22)
    #expect(try phase() == .middle, "25 of 30 days")
    fixture.time.advance(days: 1)
    #expect(try phase() == .last, "26 of 30 days are more than 85 %")
    fixture.time.advance(days: 30)
    #expect(try phase() == .last, "its season has passed")
  }

  @Test func asksTheFirstQuestionsOfASproutThatWasHardlyWatered() async throws {
    let fixture = try await GardenFixture()
    let id = try await fixture.plant("a")
    fixture.time.advance(days: 13)
    #expect(try fixture.sprout(id).phase(at: fixture.time.now) == .first)
  }

  @Test func theLastTwoDaysOfAShortSeasonAreItsLastPhase() async throws {
    let fixture = try await GardenFixture()
    let id = try await fixture.plant("a")
    for _ in 1...3 {
      try await fixture.model.water(id, text: "", question: "")
      fixture.time.advance(days: 1)
    }
    fixture.time.advance(days: 9)
    // 11.9 days are 85 %; two days remain after 12.
    #expect(try fixture.sprout(id).phase(at: fixture.time.now) == .last)
    fixture.time.advance(seconds: -12 * 3600)
    #expect(try fixture.sprout(id).phase(at: fixture.time.now) == .middle)
  }

  @Test func questionsDoNotRepeatSoon() {
    var random = SeededRandom(seed: 3)
    var questions = Questions(recentWater: [], recentSun: [])
    let sun = (0..<4000).map { _ in
      let twig = Node.twigs.randomElement(using: &random) ?? Node.twigs[0]
      return (twig: twig, question: questions.sun(about: twig, label: \.name, using: &random))
    }
    func gap(_ asked: [String]) -> Int {
      var last: [String: Int] = [:]
      var gap = Int.max
      for (index, question) in asked.enumerated() {
        if let before = last[question] { gap = min(gap, index - before) }
        last[question] = index
      }
      return gap
    }
    for phase in Sprout.Phase.allCases {
      let water = (0..<2000).map { _ in questions.water(in: phase, using: &random) }
      #expect(gap(water) > 10)
      #expect(
        Set(water) == Set(ResourceTexts.waterQuestions[phase, default: []]), "every question is asked at some time")
    }
    #expect(gap(sun.map(\.question)) > 15)
    #expect(!sun.contains { $0.question.contains("{") })
    let own = sun.filter { ResourceTexts.twigQuestions[$0.twig]?.contains($0.question) ?? false }
    #expect((0.21...0.29).contains(Double(own.count) / Double(sun.count)))
  }

  @Test func questionsStayTheSameForADay() throws {
    let day = try #require(Day(year: 2026, month: 11, day: 24))
    func asked(_ subjects: [String], on day: Day, after recent: [String] = []) -> [String] {
      var questions = Questions(recentWater: recent, recentSun: [])
      return subjects.map { questions.water(about: $0, in: .middle, on: day) }
    }
    let first = asked(["a", "b", "c"], on: day)
    #expect(Set(first).count == 3)
    #expect(asked(["a", "b", "c"], on: day) == first)
    #expect(asked(["b", "c"], on: day, after: [first[0]]) == Array(first.dropFirst()), "after the first was watered")
    #expect(Set((0..<20).flatMap { asked(["a"], on: day.adding(days: $0)) }).count > 10, "other days have others")
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
    let answered = Array(ResourceTexts.waterQuestions[.middle, default: []].prefix(10))
    for (index, question) in answered.enumerated() {
      if index.isMultiple(of: 3), index > 0 { fixture.time.advance(days: 1) }
      try await fixture.model.water(ids[index % 3], text: "", question: question)
    }
    try await fixture.model.shine(.twig(branch: 0, twig: 0), text: "x", question: ResourceTexts.sunQuestions[3])
    let later = try await fixture.anotherModel()
    var random = SeededRandom(seed: 1)
    for _ in 0..<100 {
      var questions = try await later.questions()
      #expect(!answered.contains(questions.water(in: .middle, using: &random)))
      let twig = Node.twig(branch: 0, twig: 0)
      #expect(questions.sun(about: twig, label: \.name, using: &random) != ResourceTexts.sunQuestions[3])
    }
  }
}
