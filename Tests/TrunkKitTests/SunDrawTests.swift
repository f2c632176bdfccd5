import TestSupport
import Testing
import TrunkModel

@testable import TrunkKit

/// A garden of events, which tests write without the rules for soil.
private struct Life {
  var garden: Garden
  /// Wednesday 18 November 2026, 09:00 in Berlin.
  var now: Instant
  private let person: String
  private var count = 0

  init(_ person: String = "") throws {
    garden = Garden(zone: try zone("Europe/Berlin"))
    now = try instant("2026-11-18T08:00:00Z")
    self.person = person
  }

  var draw: SunDraw { SunDraw(garden, at: now) }

  mutating func pass(days: Int64) { now = now.adding(seconds: days * 86_400) }

  mutating func write(_ payload: Payload) {
    count += 1
    now = now.adding(seconds: 1)
    garden.apply([LoggedEvent(seq: Int64(count), event: Event(payload, at: now, clientID: "\(count)"))])
  }

  @discardableResult
  mutating func plant(_ twig: Node) -> String {
    let id = "sprout-\(person)\(count)"
    write(
      .sproutPlanted(
        .init(
          sproutID: id, twigID: twig.id, title: "x", season: .oneYear, environment: .fertile, soilCost: 0, leafID: "x"))
    )
    return id
  }

  mutating func shine(_ twig: Node) {
    write(.sunShone(.init(twigID: twig.id, twigLabel: "x", content: "x", prompt: nil)))
  }
}

@Suite struct SunDrawTests {
  private let practice = Node.twig(branch: 2, twig: 0)
  private let sport = Node.twig(branch: 0, twig: 2)
  private let joy = Node.twig(branch: 4, twig: 7)
  private let bikes = Node.twig(branch: 3, twig: 3)
  private let sitting = Node.twig(branch: 5, twig: 0)

  @Test func theFirstTwoSunsAreAboutBeginnings() throws {
    var life = try Life()
    life.plant(practice)
    life.plant(sport)
    life.write(.seedlingCreated(.init(seedlingID: "idea", twigID: joy.id, title: "x")))
    var questions = Questions(recentWater: [], recentSun: [])
    let asked = questions.sun(life.draw, label: { _ in "it" })
    #expect(ResourceTexts.beginningQuestions.map { $0.replacing("{twig}", with: "it") }.contains(asked.question))
    var drawn: Set<Node> = []
    for _ in 1...2 {
      drawn.insert(life.draw.twig)
      #expect(life.draw.isAboutBeginnings(on: life.draw.twig))
      life.shine(life.draw.twig)
      life.pass(days: 7)
    }
    #expect(drawn == [practice, sport], "nothing grows from an idea yet")
    #expect(!life.draw.isAboutBeginnings(on: practice))
  }

  @Test func devicesAgreeAndPeopleDiffer() throws {
    var twigs: Set<Node> = []
    for person in 0..<20 {
      var life = try Life("\(person)-")
      for twig in Node.twigs.prefix(20) { life.plant(twig) }
      life.pass(days: 6)
      let (monday, later) = (life.draw.twig, SunDraw(life.garden, at: life.now.adding(seconds: 3 * 86_400)).twig)
      #expect(monday == later, "the sun shines once a week")
      for twig in Node.twigs.suffix(44) { life.plant(twig) }
      #expect(life.draw.twig == monday, "what was planted during the week doesn't count")
      twigs.insert(monday)
    }
    #expect(twigs.count > 5)
  }

  @Test func asksTheSameQuestionAllWeek() throws {
    var life = try Life()
    life.plant(practice)
    var (one, two) = (Questions(recentWater: [], recentSun: []), Questions(recentWater: [], recentSun: []))
    let sun = one.sun(life.draw, label: \.name)
    life.pass(days: 2)
    #expect(two.sun(life.draw, label: \.name) == sun)
  }

  @Test func weighsWhatATwigHas() throws {
    var life = try Life()
    life.plant(practice)
    let harvested = life.plant(sport)
    life.write(.seedlingCreated(.init(seedlingID: "idea", twigID: joy.id, title: "x")))
    life.write(.nodeUpdated(.init(nodeID: bikes.id, label: "Bikes")))
    life.shine(sitting)
    life.pass(days: 7)
    life.write(.sproutHarvested(.init(sproutID: harvested, result: 3, capacityGained: 0, reflection: nil)))
    #expect(life.draw.weights[sport] == 4, "it was still growing on Monday")
    life.pass(days: 7)
    #expect(life.draw.weights == [practice: 4, sport: 2, joy: 2, bikes: 2, sitting: 1])
    life.pass(days: 735)
    #expect(life.draw.weights[sport] == nil, "the harvest is more than two years old")
  }

  @Test func drawsInProportionToTheWeights() throws {
    var life = try Life()
    life.plant(practice)
    life.write(.nodeUpdated(.init(nodeID: bikes.id, label: "Bikes")))
    for _ in 1...5 {
      life.pass(days: 7)
      life.shine(sitting)
    }
    life.pass(days: 7)
    let draw = life.draw
    #expect(draw.weights == [practice: 4, bikes: 2, sitting: 1])
    var random = SeededRandom(seed: 1)
    let drawn = (0..<3000).map { _ in draw.another(besides: [], using: &random) }
    #expect(!drawn.contains(sitting), "it was the latest twig")
    #expect((1900...2100).contains(drawn.count { $0 == practice }), "4 of 6")
  }

  @Test func everyFourthWeekIsForABareTwig() throws {
    var life = try Life()
    for twig in [practice, sport, joy, bikes, sitting] { life.plant(twig) }
    var bareWeeks: [Int] = []
    var twigs: [Node] = []
    for week in 1...18 {
      let draw = life.draw
      if draw.weights[draw.twig] == nil { bareWeeks.append(week) }
      #expect(!twigs.suffix(3).contains(draw.twig), "week \(week)")
      twigs.append(draw.twig)
      life.shine(draw.twig)
      life.pass(days: 7)
    }
    #expect(bareWeeks == [9, 13, 17])
  }

  @Test func aSingleTwigIsDrawnAgain() throws {
    var life = try Life()
    life.plant(practice)
    for _ in 1...3 {
      #expect(life.draw.twig == practice)
      life.shine(practice)
      life.pass(days: 7)
    }
  }

  @Test func anotherTwigShowsAllBeforeItRepeatsOne() throws {
    var life = try Life()
    life.plant(practice)
    life.plant(sport)
    let draw = life.draw
    var random = SeededRandom(seed: 1)
    var shown = [draw.twig]
    for _ in 0..<63 { shown.append(draw.another(besides: shown, using: &random)) }
    #expect(Set(shown).count == 64)
    #expect(Set(shown.prefix(2)) == [practice, sport])
    #expect(draw.another(besides: shown, using: &random) != shown.last)
  }

  @Test func anEmptyGardenHasASunToo() throws {
    #expect(Node.twigs.contains(try Life().draw.twig))
  }
}
