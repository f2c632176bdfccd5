@testable import Garden

/// A generator that gives the same numbers for the same seed everywhere (SplitMix64).
struct Dice: RandomNumberGenerator {
  private var state: UInt64

  init(seed: Int) {
    state = UInt64(bitPattern: Int64(seed))
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  mutating func next(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[next(below: elements.count)] }
}

let hostileTexts = [
  "", " ", "\"", "\\", "\\u0041", "\u{0}", "a\u{0}b", "\u{1}\u{1F}\u{7F}", "\r\n\t\u{8}\u{C}", "</script>", "%s%n", "é",
  "e\u{301}", "👩‍👩‍👧‍👦🇦🇶", "\u{202E}abc", "\u{FFFD}", "\u{FFFF}", "\u{10FFFF}", "\u{2028}\u{2029}", "' OR 1=1 --",
  String(repeating: "z\u{300}\u{301}\u{302}", count: 50), "\u{FEFF}x", "{\"type\":\"sun_shone\"}", "１２", "K",
]

/// A log as it may come together from several devices, clients and years: every type of event, few entities, so that
/// they meet, clocks that disagree, copies with and without `client_id`, and events nobody understands.
struct RandomLog {
  let zone: String
  /// In no particular order, duplicates included.
  let events: [Event]
  /// Near the last event.
  let now: Instant

  init(seed: Int, count: Int) throws {
    var dice = Dice(seed: seed)
    zone = dice.pick(["UTC", "Europe/Berlin", "Asia/Kathmandu", "Australia/Lord_Howe", "America/St_Johns"])
    // Near a change of clocks in Europe and Australia, some hours or some months.
    let start: Int64 = 1_774_650_000_000
    let span = dice.pick([36, 24 * 14, 24 * 400]) * 3_600_000
    let step = dice.pick([1, 1000, 60_000])
    var maker = EventMaker(dice: dice)
    var events: [Event] = []
    while events.count < count {
      let instant = Instant(milliseconds: start + Int64(maker.dice.next(below: span) / step * step))
      let text = maker.text(at: instant)
      events.append(try Event(json: text))
      // Copies: the same bytes, another spelling, without identity, with the same identity and another text.
      switch maker.dice.next(below: 12) {
      case 0: events.append(try Event(json: text))
      case 1: events.append(try Event(json: JSON(text).prettyText))
      case 2, 3: events.append(try Event(json: maker.withoutClientID(text)))
      case 4: events.append(try Event(json: maker.altered(text)))
      default: break
      }
    }
    self.events = events.shuffled(using: &maker.dice)
    now = Instant(milliseconds: start + Int64(span) - Int64(maker.dice.next(below: 100_000_000)))
  }
}

private struct EventMaker {
  var dice: Dice
  private var made = 0

  init(dice: Dice) {
    self.dice = dice
  }

  mutating func text(at instant: Instant) -> String {
    made += 1
    var members: [JSON.Member] = [.init("type", .string(type))] + fields
    let time = dice.pick(["\(instant)", "\(instant)", "\(instant)".replacing("Z", with: "+00:00")])
    if dice.next(below: 40) > 0 { members.append(.init("timestamp", .string(time))) }
    if dice.next(below: 5) > 0 {
      members.append(.init("client_id", .string("\(instant)-\(dice.pick(["", "é", "e\u{301}"]))\(made)")))
    }
    if dice.next(below: 10) == 0 { members.append(.init("x", .array([.string(dice.pick(hostileTexts)), .null]))) }
    if dice.next(below: 15) == 0 { members.remove(at: dice.next(below: members.count)) }
    if dice.next(below: 15) == 0 {
      let name = members[dice.next(below: members.count)].name.decoded
      members.append(.init(name, dice.pick([.null, .number(-1), .bool(true), .string(""), .array([])])))
    }
    return JSON.object(dice.next(below: 3) == 0 ? members.shuffled(using: &dice) : members).compactText
  }

  func withoutClientID(_ text: String) throws -> String {
    guard case .object(let members) = try JSON(text) else { return text }
    return JSON.object(members.filter { $0.name.decoded != "client_id" }).compactText
  }

  mutating func altered(_ text: String) throws -> String {
    guard case .object(let members) = try JSON(text) else { return text }
    let other = JSON.string(dice.pick(hostileTexts))
    return JSON.object(
      members.map { ["content", "title", "note"].contains($0.name.decoded) ? .init($0.name.decoded, other) : $0 }
        + [.init("z", other)]
    ).compactText
  }

  private var type: String {
    mutating get {
      dice.next(below: 20) == 0
        ? dice.pick(["", "circle_joined", "SPROUT_PLANTED", "sprout_planted "])
        : (dice.pick(EventKind.allCases + [.sproutPlanted, .sproutWatered, .sproutWatered, .sproutHarvested])).name
    }
  }

  /// The fields of all types at once: each reads its own, and the rest are extras.
  private var fields: [JSON.Member] {
    mutating get {
      let season = dice.pick(Season.allCases).rawValue
      let environment = dice.pick(Environment.allCases).rawValue
      let members: [(String, JSON)] = [
        ("sproutId", .string("sprout-\(dice.next(below: 6))")), ("seedlingId", .string("idea-\(dice.next(below: 4))")),
        ("leafId", .string(dice.pick(["", "leaf-1", "leaf-2"]))),
        ("twigId", .string("branch-\(dice.next(below: 9))-twig-\(dice.next(below: 9))")),
        ("nodeId", .string(dice.pick(["trunk", "branch-3", "branch-1-twig-1", "nowhere"]))),
        ("title", .string(dice.pick(hostileTexts))), ("content", .string(dice.pick(hostileTexts))),
        ("notes", .string(dice.pick(hostileTexts))), ("note", .string(dice.pick(hostileTexts))),
        ("label", .string(dice.pick(hostileTexts))), ("name", .string("name")), ("twigLabel", .string("label")),
        ("prompt", .string("prompt")), ("reflection", .string(dice.pick(hostileTexts))),
        ("season", .string(season)), ("environment", .string(environment)), ("bloomWither", .string("")),
        ("soilCost", .number(dice.pick([0, 2, 3.337, 5, 8]))), ("result", .number(1 + dice.next(below: 5))),
        ("capacityGained", .number(dice.pick([0, 0.1234567, 3, 60]))),
        ("soilReturned", .number(dice.pick([0, 0.625]))),
      ]
      let optional = Set(["title", "notes", "note", "label", "prompt", "reflection", "bloomWither"])
      return members.filter { !optional.contains($0.0) || dice.next(below: 4) > 0 }.map { JSON.Member($0.0, $0.1) }
    }
  }
}
