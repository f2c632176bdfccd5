import TrunkKit
import TrunkModel

/// What the demo person does.
extension DemoLife {
  mutating func add(_ content: Payload, at instant: Instant) {
    let event = Event(
      content, at: instant, timeZone: demo.zone.identifier,
      clientID: Event.clientID(at: instant, random: UInt32.random(in: 0 ... .max, using: &random)))
    garden.apply([LoggedEvent(seq: Int64(events.count), event: event)])
    events.append(event)
  }

  mutating func plantSomething(on day: Day, at instant: Instant) {
    let isFirst = day == first
    guard growing.count < targetCount(on: day), isFirst || random.isLucky(demo.eventCount == nil ? 0.16 : 0.5) else {
      return
    }
    var sagas = Array(DemoTexts.sagas.indices).filter { saga in !growing.contains { $0.saga == saga } }
    // Running came first, and was running again a year ago.
    if isFirst { sagas = [DemoTexts.running, DemoTexts.cello, DemoTexts.letters].filter { sagas.contains($0) } }
    if (370...384).contains(left(day)), sagas.contains(DemoTexts.running) { sagas = [DemoTexts.running] }
    // Take the more neglected of two random sagas.
    guard let one = sagas.randomElement(using: &random), let other = sagas.randomElement(using: &random) else { return }
    let saga = round(one) <= round(other) ? one : other
    let stage = DemoTexts.sagas[saga].stages[chapters[saga] % stages(saga)]
    // A stage that repeats is on harder ground.
    let harder = Ground.allCases.drop { $0 != stage.ground }.dropFirst(round(saga)).first ?? .barren
    let cost = Soil.cost(stage.season, harder)
    // All other sprouts are harvested before only the last four grow, which leaves soil for them.
    let end = DemoLife.lastChapters.first { $0.saga == saga }?.daysAgo ?? 0
    guard isFirst || Int(stage.season.days) + 8 < left(day) - end, cost + (left(day) < 200 ? 8 : 0) <= garden.available
    else { return }
    let planted = DemoTexts.Stage(DemoLife.title(stage.title, round: round(saga)), stage.season, harder)
    plant(saga, planted, at: instant)
    chapters[saga] += 1
  }

  /// How many sprouts should grow: few at first, more with a larger garden, and at the end only the last four.
  func targetCount(on day: Day) -> Int {
    if left(day) < 30 { return 4 }
    return min(7, (demo.eventCount == nil ? 3 : 5) + Int(garden.capacity / 22))
  }

  /// How many times all stages of a saga were completed.
  func round(_ saga: Int) -> Int { chapters[saga] / stages(saga) }

  func stages(_ saga: Int) -> Int { DemoTexts.sagas[saga].stages.count }

  /// The title of a repeated stage gets a number.
  static func title(_ title: String, round: Int) -> String {
    let numerals = ["", " II", " III", " IV", " V", " VI", " VII", " VIII", " IX", " X"]
    return title + (round < numerals.count ? numerals[round] : " \(round + 1)")
  }

  mutating func plant(
    _ index: Int, _ stage: DemoTexts.Stage, isLast: Bool = false, at instant: Instant
  ) {
    let saga = DemoTexts.sagas[index]
    let leaf = leaves[index] ?? GardenModel.newID("leaf", using: &random)
    if leaves[index] == nil {
      leaves[index] = leaf
      add(.leafCreated(.init(leafID: leaf, twigID: saga.node.id, name: saga.leaf)), at: instant)
    }
    let id = GardenModel.newID("sprout", using: &random)
    let hasBlooms = !saga.blooms.isEmpty && (isLast || random.isLucky(0.7))
    let cost = Soil.cost(stage.season, stage.ground)
    add(
      .sproutPlanted(
        .init(
          sproutID: id, twigID: saga.node.id, title: stage.title, season: stage.season, environment: stage.ground,
          soilCost: cost, leafID: leaf, bloomWither: hasBlooms ? saga.blooms[0] : nil,
          bloomBudding: hasBlooms ? saga.blooms[1] : nil, bloomFlourish: hasBlooms ? saga.blooms[2] : nil)),
      at: instant)
    // A seedling of this twig became the sprout.
    if let seedling = ideas.firstIndex(where: { $0.idea.node == saga.node }) {
      add(.seedlingDeleted(.init(seedlingID: ideas.remove(at: seedling).id)), at: instant)
    }
    let day = demo.zone.dayKey(instant)
    let share = Double.random(in: 0.3..<0.7, using: &random)
    let isGivenUp = !isLast && day != first && random.isLucky(0.07)
    growing.append(
      Growing(
        id: id, saga: index, due: instant.adding(seconds: stage.season.seconds), cost: cost,
        uprootDay: isGivenUp ? day.adding(days: Int32(Double(stage.season.days) * share)) : nil, isLast: isLast,
        lastWatered: day.adding(days: -1)))
  }

  mutating func harvest(on day: Day, at instant: Instant) {
    for sprout in growing where sprout.due <= instant && !sprout.isLast {
      guard left(day) < 8 || random.isLucky(0.5), let planted = garden.sprout(id: sprout.id) else { continue }
      let results = [1, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5]
      let result = results.randomElement(using: &random) ?? 3
      let gained = Soil.capacityGained(
        planted.season, planted.ground, result: result, capacity: garden.capacity)
      let reflection =
        random.isLucky(0.85)
        ? lately.pick(DemoTexts.harvests[result - 1], memory: 24, using: &random) : nil
      add(
        .sproutHarvested(
          .init(sproutID: sprout.id, result: result, capacityGained: gained, reflection: reflection)), at: instant)
      growing.removeAll { $0.id == sprout.id }
      return
    }
  }

  mutating func uproot(on day: Day, at instant: Instant) {
    guard let sprout = growing.first(where: { $0.uprootDay.map { $0 <= day } ?? false }), sprout.due > instant
    else { return }
    add(
      .sproutUprooted(.init(sproutID: sprout.id, soilReturned: Soil.returned(uprooting: sprout.cost))), at: instant)
    if let title = garden.sprout(id: sprout.id)?.title, random.isLucky(0.5) {
      let id = GardenModel.newID("seedling", using: &random)
      add(
        .seedlingCreated(
          .init(seedlingID: id, twigID: DemoTexts.sagas[sprout.saga].node.id, title: title)), at: instant)
    }
    growing.removeAll { $0.id == sprout.id }
  }

  mutating func water(on day: Day, at instant: Instant) {
    let candidates = growing.indices.filter { growing[$0].lastWatered < day && mayWater(growing[$0], on: day) }
    guard garden.waterLeft(at: instant) > 0, !candidates.isEmpty else { return }
    // Prefer the sprout that was not watered for the longest time.
    let longest = candidates.min { growing[$0].lastWatered < growing[$1].lastWatered }
    let isAnniversary = day == today.adding(months: -12)
    let favourite = isAnniversary ? candidates.first { growing[$0].saga == DemoTexts.running } : nil
    let chosen =
      favourite ?? wanted(candidates, on: day)
      ?? (random.isLucky(0.6) ? longest : candidates.randomElement(using: &random))
    guard let index = chosen else { return }
    let text = favourite == nil ? entry(growing[index].saga, on: day) : DemoTexts.aYearAgo
    let phase = garden.sprout(id: growing[index].id)?.phase(at: instant) ?? .middle
    let question = lately.question(ResourceTexts.waterQuestions[phase, default: []], using: &random)
    add(.sproutWatered(.init(sproutID: growing[index].id, content: text, prompt: question)), at: instant)
    growing[index].lastWatered = day
  }

  /// Waterings before today are limited so that one of the four is watered and two are due, by one and four days.
  func mayWater(_ sprout: Growing, on day: Day) -> Bool {
    guard sprout.isLast else { return true }
    return switch sprout.saga {
    case DemoTexts.cello: left(day) >= 4
    case DemoTexts.letters: left(day) >= 1
    case DemoTexts.running: left(day) >= 2
    default: true
    }
  }

  func wanted(_ candidates: [Int], on day: Day) -> Int? {
    let saga: Int
    switch left(day) {
    case 0: saga = DemoTexts.balcony
    case 1: saga = DemoTexts.letters
    case 2: saga = DemoTexts.running
    case 4: saga = DemoTexts.cello
    default: return nil
    }
    return candidates.first { growing[$0].saga == saga }
  }

  mutating func entry(_ saga: Int, on day: Day) -> String {
    if random.isLucky(0.02), !isRemembered(day) { return "" }
    var sentences = [lately.pick(DemoTexts.sagas[saga].entries, memory: 24, using: &random)]
    if random.isLucky(0.38) {
      let season = Int(day.month % 12) / 3
      let texts = random.isLucky(0.5) ? DemoTexts.weather[season] : DemoTexts.openings
      sentences.insert(lately.pick(texts, memory: 24, using: &random), at: 0)
    }
    if random.isLucky(0.35) { sentences.append(lately.pick(DemoTexts.closings, memory: 24, using: &random)) }
    return sentences.joined(separator: " ")
  }

  mutating func shine(at instant: Instant) {
    guard garden.sunLeft(at: instant) > 0, let twig = Node.twigs.randomElement(using: &random),
      let branch = twig.branch
    else { return }
    let label = garden.nodes[ExactID(twig.id)]?.label ?? twig.name
    let general = ResourceTexts.sunQuestions.map { $0.replacing("{twig}", with: label) }
    let own = ResourceTexts.twigQuestions[twig, default: []]
    let question = lately.question(random.isLucky(0.75) || own.isEmpty ? general : own, using: &random)
    var text = lately.pick(DemoTexts.reflections[branch], memory: 24, using: &random)
    if random.isLucky(0.4) { text += " " + lately.pick(DemoTexts.afterthoughts, memory: 24, using: &random) }
    add(.sunShone(.init(twigID: twig.id, twigLabel: label, content: text, prompt: question)), at: instant)
  }

  mutating func noteIdea(at instant: Instant) {
    guard ideas.count < 9 else { return }
    let idea = DemoTexts.ideas[nextIdea % DemoTexts.ideas.count]
    nextIdea += 1
    guard !ideas.contains(where: { $0.idea.title == idea.title }) else { return }
    let id = GardenModel.newID("seedling", using: &random)
    add(
      .seedlingCreated(.init(seedlingID: id, twigID: idea.node.id, title: idea.title, notes: idea.notes)), at: instant)
    ideas.append((id, idea))
  }

  /// Edits a sprout, a seedling or a node.
  mutating func tidy(at instant: Instant) {
    let unlabelled = DemoTexts.nodes.first { garden.nodes[ExactID(DemoLife.node($0).id)] == nil }
    if let unlabelled {
      let content = Payload.NodeUpdated(
        nodeID: DemoLife.node(unlabelled).id, label: unlabelled.label, note: unlabelled.note)
      return add(.nodeUpdated(content), at: instant)
    }
    if random.isLucky(0.3), let idea = ideas.randomElement(using: &random) {
      if random.isLucky(0.3) {
        add(.seedlingDeleted(.init(seedlingID: idea.id)), at: instant)
        ideas.removeAll { $0.id == idea.id }
      } else {
        let notes = DemoTexts.notes.randomElement(using: &random)
        add(.seedlingEdited(.init(seedlingID: idea.id, notes: notes)), at: instant)
      }
      return
    }
    guard let sprout = growing.filter({ !$0.isLast }).randomElement(using: &random) else {
      return noteIdea(at: instant)
    }
    let line = Int.random(in: 0..<3, using: &random)
    let text = DemoTexts.blooms[line].randomElement(using: &random)
    add(
      .sproutEdited(
        .init(
          sproutID: sprout.id, bloomWither: line == 0 ? text : nil, bloomBudding: line == 1 ? text : nil,
          bloomFlourish: line == 2 ? text : nil)), at: instant)
  }

  static func node(_ entry: (branch: Int, twig: Int, label: String?, note: String?)) -> Node {
    .twig(branch: entry.branch, twig: entry.twig)
  }
}
