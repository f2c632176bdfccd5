import TestSupport
import Testing
import TrunkKit

@testable import TrunkModel

let hostileTexts = [
  "", " ", "\"", "\\", "\\u0041", "\u{0}", "a\u{0}b", "\u{1}\u{1F}\u{7F}", "\r\n\t\u{8}\u{C}", "</script>", "%s%n", "é",
  "e\u{301}", "👩‍👩‍👧‍👦🇦🇶", "\u{202E}abc", "\u{FFFD}", "\u{FFFF}", "\u{10FFFF}", "\u{2028}\u{2029}", "' OR 1=1 --",
  String(repeating: "z\u{300}\u{301}\u{302}", count: 50), "\u{FEFF}x", "{\"type\":\"sun_shone\"}", "１２", "K",
]

/// A log as several devices and clients could produce it over years: every type of event, few entities, so that events
/// refer to the same ones, differing clocks, copies with and without `client_id`, and unknown events.
struct RandomLog {
  let zone: String
  /// The zones of the computer and of the events.
  var zones: Zones { get throws { Zones(try TestSupport.zone(zone)) { Zone.named($0) } } }
  /// In random order, with duplicates.
  let events: [Event]
  /// Near the last event.
  let now: Instant

  init(seed: Int, count: Int) throws {
    var random = SeededRandom(seed: seed)
    zone = random.pick(["UTC", "Europe/Berlin", "Asia/Kathmandu", "Australia/Lord_Howe", "America/St_Johns"])
    // Near a clock change in Europe and Australia, over some hours or some months.
    let start: Int64 = 1_774_650_000_000
    let span = random.pick([36, 24 * 14, 24 * 400]) * 3_600_000
    let step = random.pick([1, 1000, 60_000])
    var maker = EventMaker(random: random)
    var events: [Event] = []
    while events.count < count {
      let instant = Instant(milliseconds: start + Int64(maker.random.next(below: span) / step * step))
      let text = maker.text(at: instant)
      events.append(try Event(json: text))
      // Copies: the same bytes, another spelling, without an id, with the same id and another text.
      switch maker.random.next(below: 12) {
      case 0: events.append(try Event(json: text))
      case 1: events.append(try Event(json: JSON(text).prettyText))
      case 2, 3: events.append(try Event(json: maker.withoutClientID(text)))
      case 4: events.append(try Event(json: maker.altered(text)))
      default: break
      }
    }
    self.events = events.shuffled(using: &maker.random)
    now = Instant(milliseconds: start + Int64(span) - Int64(maker.random.next(below: 100_000_000)))
  }
}

private struct EventMaker {
  var random: SeededRandom
  private var made = 0

  init(random: SeededRandom) {
    self.random = random
  }

  mutating func text(at instant: Instant) -> String {
    made += 1
    var members: [JSON.Member] = [.init("type", .string(type))] + fields
    let time = random.pick(["\(instant)", "\(instant)", "\(instant)".replacing("Z", with: "+00:00")])
    if random.next(below: 40) > 0 { members.append(.init("timestamp", .string(time))) }
    if random.next(below: 5) > 0 {
      members.append(.init("client_id", .string("\(instant)-\(random.pick(["", "é", "e\u{301}"]))\(made)")))
    }
    if random.next(below: 3) == 0 {
      let names = ["Asia/Tokyo", "Pacific/Auckland", "America/Los_Angeles", "Europe/Berlin", "Moon/Crater", "../UTC"]
      members.append(.init("timeZone", .string(random.pick(names))))
    }
    if random.next(below: 10) == 0 { members.append(.init("x", .array([.string(random.pick(hostileTexts)), .null]))) }
    if random.next(below: 15) == 0 { members.remove(at: random.next(below: members.count)) }
    if random.next(below: 15) == 0 {
      let name = members[random.next(below: members.count)].name.decoded
      members.append(.init(name, random.pick([.null, .number(-1), .bool(true), .string(""), .array([])])))
    }
    return JSON.object(random.next(below: 3) == 0 ? members.shuffled(using: &random) : members).compactText
  }

  func withoutClientID(_ text: String) throws -> String {
    guard case .object(let members) = try JSON(text) else { return text }
    return JSON.object(members.filter { $0.name.decoded != "client_id" }).compactText
  }

  mutating func altered(_ text: String) throws -> String {
    guard case .object(let members) = try JSON(text) else { return text }
    let other = JSON.string(random.pick(hostileTexts))
    return JSON.object(
      members.map { ["content", "title", "note"].contains($0.name.decoded) ? .init($0.name.decoded, other) : $0 }
        + [.init("z", other)]
    ).compactText
  }

  private var type: String {
    mutating get {
      random.next(below: 20) == 0
        ? random.pick(["", "circle_joined", "SPROUT_PLANTED", "sprout_planted "])
        : (random.pick(EventKind.allCases + [.sproutPlanted, .sproutWatered, .sproutWatered, .sproutHarvested])).name
    }
  }

  /// The fields of all types at once: each type reads its own, and the rest are unknown fields.
  private var fields: [JSON.Member] {
    mutating get {
      let season = random.pick(Season.allCases).rawValue
      let environment = random.pick(Ground.allCases).rawValue
      let members: [(String, JSON)] = [
        ("sproutId", .string("sprout-\(random.next(below: 6))")),
        ("seedlingId", .string("idea-\(random.next(below: 4))")),
        ("leafId", .string(random.pick(["", "leaf-1", "leaf-2"]))),
        ("twigId", .string("branch-\(random.next(below: 9))-twig-\(random.next(below: 9))")),
        ("nodeId", .string(random.pick(["trunk", "branch-3", "branch-1-twig-1", "nowhere"]))),
        ("title", .string(random.pick(hostileTexts))), ("content", .string(random.pick(hostileTexts))),
        ("notes", .string(random.pick(hostileTexts))), ("note", .string(random.pick(hostileTexts))),
        ("label", .string(random.pick(hostileTexts))), ("name", .string("name")), ("twigLabel", .string("label")),
        ("prompt", .string("prompt")), ("reflection", .string(random.pick(hostileTexts))),
        ("season", .string(season)), ("environment", .string(environment)), ("bloomWither", .string("")),
        ("soilCost", .number(random.pick([0, 2, 3.337, 5, 8]))), ("result", .number(1 + random.next(below: 5))),
        ("capacityGained", .number(random.pick([0, 0.1234567, 3, 60]))),
        ("soilReturned", .number(random.pick([0, 0.625]))),
      ]
      let optional = Set(["title", "notes", "note", "label", "prompt", "reflection", "bloomWither"])
      return members.filter { !optional.contains($0.0) || random.next(below: 4) > 0 }.map { JSON.Member($0.0, $0.1) }
    }
  }
}
