import TrunkKit
import TrunkModel

/// Simulates the demo person, day by day.
struct DemoLife {
  var events: [Event] = []

  let demo: DemoGarden
  let first: Day
  let today: Day
  var random: SeededRandom
  /// The garden derived from the events so far, to check the rules.
  var garden: Garden
  var growing: [Growing] = []
  /// How often each saga was continued, and its leaf once it has one.
  var chapters = [Int](repeating: 0, count: DemoTexts.sagas.count)
  var leaves = [String?](repeating: nil, count: DemoTexts.sagas.count)
  var ideas: [(id: String, idea: DemoTexts.Idea)] = []
  var nextIdea = 0
  var shineDay: Day
  var lately = Lately()

  struct Growing {
    let id: String
    let saga: Int
    let due: Instant
    let cost: Double
    /// The day it is uprooted; `nil` for most.
    let uprootDay: Day?
    /// Whether it is one of the four that grow at the end.
    let isLast: Bool
    var lastWatered: Day
  }

  /// Texts that were used recently and must not repeat yet.
  struct Lately {
    var lines: [String] = []
    var questions: [String] = []

    mutating func pick(_ texts: [String], memory: Int, using random: inout SeededRandom) -> String {
      var text = texts.randomElement(using: &random) ?? ""
      for _ in 0..<8 where lines.contains(text) { text = texts.randomElement(using: &random) ?? "" }
      lines.append(text)
      if lines.count > memory { lines.removeFirst() }
      return text
    }

    mutating func question(_ texts: [String], using random: inout SeededRandom) -> String {
      var text = texts.randomElement(using: &random) ?? ""
      for _ in 0..<20 where questions.contains(text) { text = texts.randomElement(using: &random) ?? "" }
      questions.append(text)
      if questions.count > 30 { questions.removeFirst() }
      return text
    }
  }

  init(_ demo: DemoGarden) {
    self.demo = demo
    today = demo.zone.dayKey(demo.now)
    first = today.adding(months: Int32(-12 * demo.years))
    random = SeededRandom(seed: demo.seed)
    garden = Garden(zone: demo.zone)
    shineDay = first
  }

  mutating func live() {
    var day = first
    while day <= today {
      live(day)
      day = day.adding(days: 1)
    }
  }
}

extension DemoLife {
  /// What the person may do on a day, in this order.
  enum Errand {
    case harvest, uproot, plant, plantLast, idea, tidy, water, shine
  }

  /// Days until the last day.
  func left(_ day: Day) -> Int { Int(today.number - day.number) }

  mutating func live(_ day: Day) {
    var errands: [Errand] = [.plantLast]
    if left(day) > 0 {
      errands = [.harvest, .uproot, .plantLast, .plant]
      if day == first { errands += [.plant, .plant] }
      if random.isLucky(0.05) { errands.append(.idea) }
      if random.isLucky(0.04) || day.adding(days: -40) == first { errands.append(.tidy) }
      if day.weekday == 0 { shineDay = day.adding(days: Int32.random(in: 0...6, using: &random)) }
      if day == shineDay, day.monday != today.monday, random.isLucky(0.94) { errands.append(.shine) }
    }
    let waterings = waterings(on: day)
    errands += Array(repeating: .water, count: waterings)
    let extra = tidying(on: day, after: errands.count)
    errands += Array(repeating: .tidy, count: extra)

    // From half an hour after the day begins until late in the evening; today until now.
    let start = demo.zone.start(of: day).milliseconds
    let end = min(demo.zone.start(of: day.adding(days: 1)).milliseconds - 7 * 3_600_000, demo.now.milliseconds)
    let opening = start + min(1_800_000, (end - start) / 4)
    guard end > opening + Int64(errands.count) else { return }
    var times = (0..<errands.count).map { _ in Int64.random(in: opening..<end, using: &random) }.sorted()
    for index in times.indices.dropFirst() { times[index] = max(times[index], times[index - 1] + 1) }
    for (errand, time) in zip(errands, times) where time <= demo.now.milliseconds {
      run(errand, on: day, at: Instant(milliseconds: time))
    }
  }

  mutating func run(_ errand: Errand, on day: Day, at instant: Instant) {
    switch errand {
    case .harvest: harvest(on: day, at: instant)
    case .uproot: uproot(on: day, at: instant)
    case .plant: plantSomething(on: day, at: instant)
    case .plantLast: plantLast(on: day, at: instant)
    case .idea: noteIdea(at: instant)
    case .tidy: tidy(at: instant)
    case .water: water(on: day, at: instant)
    case .shine: shine(at: instant)
    }
  }

  /// How many events are missing by the end of a day; `nil` without a wanted number.
  func missingEvents(_ day: Day) -> Int? {
    guard let count = demo.eventCount else { return nil }
    let (days, total) = (Int(day.number - first.number) + 1, Int(today.number - first.number) + 1)
    return Int((Double(count) * Double(days) / Double(total)).rounded()) - events.count
  }

  mutating func waterings(on day: Day) -> Int {
    switch left(day) {
    case 0: return 1
    // Today's streak began after this day.
    case 12: return 0
    case 1..<12: return Int.random(in: 1...2, using: &random)
    default:
      if let missing = missingEvents(day) { return min(max(missing, 0), Soil.waterings) }
      let counts = [0, 1, 1, 1, 2, 2, 2, 3, 3]
      let count = counts.randomElement(using: &random) ?? 1
      return isRemembered(day) ? max(1, count) : count
    }
  }

  /// Whether an anniversary of this day is today, so that something must be written on it.
  func isRemembered(_ day: Day) -> Bool {
    day == today.adding(days: -7) || [-1, -12, -24, -60].contains { day == today.adding(months: $0) }
  }

  func tidying(on day: Day, after planned: Int) -> Int {
    guard left(day) > 0, let missing = missingEvents(day) else { return 0 }
    return max(0, missing - planned)
  }
}
