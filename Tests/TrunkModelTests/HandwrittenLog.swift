import TestSupport
import Testing

@testable import TrunkModel

/// An event from JSON in which `'` replaces `"`.
func event(_ json: String) throws -> Event {
  try Event(json: json.replacing("'", with: "\""))
}

/// A handwritten log.
struct HandwrittenLog {
  private(set) var events: [Event] = []
  private var next = 0

  mutating func add(_ content: Payload, _ time: String, _ location: SourceLocation = #_sourceLocation) throws {
    let instant = try instant(time, location)
    events.append(Event(content, at: instant, clientID: "\(instant)-\(events.count)"))
  }

  mutating func plant(
    _ id: String, _ time: String, cost: Double = 2, twig: String = "branch-0-twig-0", leaf: String = "",
    season: Season = .twoWeeks, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let content = Payload.SproutPlanted(
      sproutID: id, twigID: twig, title: "A title", season: season, environment: .fertile, soilCost: cost,
      leafID: leaf)
    try add(.sproutPlanted(content), time, location)
  }

  mutating func water(_ id: String, _ time: String, _ location: SourceLocation = #_sourceLocation) throws {
    try add(.sproutWatered(.init(sproutID: id, content: "A line.", prompt: "A question?")), time, location)
  }

  mutating func harvest(
    _ id: String, _ time: String, result: Int = 3, gained: Double = 1, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let content = Payload.SproutHarvested(sproutID: id, result: result, capacityGained: gained, reflection: nil)
    try add(.sproutHarvested(content), time, location)
  }

  mutating func uproot(
    _ id: String, _ time: String, returned: Double = 0.5, _ location: SourceLocation = #_sourceLocation
  ) throws {
    try add(.sproutUprooted(.init(sproutID: id, soilReturned: returned)), time, location)
  }

  mutating func shine(
    _ time: String, twig: String = "branch-1-twig-2", _ location: SourceLocation = #_sourceLocation
  ) throws {
    try add(.sunShone(.init(twigID: twig, twigLabel: "reasoning", content: "So.", prompt: nil)), time, location)
  }

  func garden(_ zone: Zone = .utc) -> Garden { Garden(events, zone: zone) }
}
