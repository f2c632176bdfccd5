import TestSupport
import Testing

@testable import TrunkModel

@Suite struct ChartTests {
  private func boundaries(_ range: ChartRange, _ now: String, zone name: String, first: String) throws -> [String] {
    var log = HandwrittenLog()
    try log.shine(first)
    return try log.garden(zone(name)).soilChart(range, now: instant(now)).map(\.instant.description)
  }

  @Test func anEmptyGardenHasNoPoints() throws {
    for range in ChartRange.allCases {
      #expect(try Garden([], zone: .utc).soilChart(range, now: instant("2026-01-01T12:00Z")).isEmpty)
    }
  }

  @Test(arguments: [
    (ChartRange.day, "UTC", "2026-03-30T12:00:00.000Z", 3600, 26),
    (.day, "Asia/Kathmandu", "2026-03-30T12:15:00.000Z", 3600, 26),
    (.week, "Europe/Berlin", "2026-03-24T12:00:00.000Z", 21_600, 30),
    (.month, "Europe/Berlin", "2026-02-27T23:00:00.000Z", 86_400, 33),
    (.threeMonths, "Europe/Berlin", "2025-12-30T23:00:00.000Z", 302_400, 27),
    (.sixMonths, "Europe/Berlin", "2025-09-29T22:00:00.000Z", 604_800, 28),
    (.yearToDate, "Europe/Berlin", "2025-12-31T23:00:00.000Z", 604_800, 14),
    (.yearToDate, "America/St_Johns", "2026-01-01T03:30:00.000Z", 604_800, 14),
  ])
  func boundariesStepByRealTime(range: ChartRange, zone: String, first: String, width: Double, count: Int) throws {
    let now = "2026-03-31T12:34:56.789Z"
    let points = try boundaries(range, now, zone: zone, first: "2026-03-30T00:00Z")
    #expect(points.first == first)
    #expect(points.last == now)
    #expect(points.count == count)
    let instants = try points.map { try instant($0) }
    #expect(zip(instants, instants.dropFirst()).dropLast().allSatisfy { $1.seconds(since: $0) == width })
    #expect(instants.suffix(2).first.map { instants[instants.count - 1].seconds(since: $0) <= width } == true)
  }

  @Test func allTimeHas48IntervalsFromAFullHour() throws {
    let points = try boundaries(.all, "2026-01-21T12:00:00Z", zone: "Asia/Kolkata", first: "2026-01-01T12:00:00Z")
    #expect(points[0] == "2026-01-01T11:30:00.000Z")
    #expect(points[1] == "2026-01-01T21:30:00.000Z")
    #expect(points.count == 50)
  }

  @Test func allTimeOfAShortLogStepsByHours() throws {
    let points = try boundaries(.all, "2026-01-01T14:10:00Z", zone: "UTC", first: "2026-01-01T12:20:00Z")
    #expect(
      points == [
        "2026-01-01T12:00:00.000Z", "2026-01-01T13:00:00.000Z", "2026-01-01T14:00:00.000Z", "2026-01-01T14:10:00.000Z",
      ])
  }

  @Test func nowAppearsOnce() throws {
    let points = try boundaries(.day, "2026-01-01T14:00:00Z", zone: "UTC", first: "2026-01-01T12:20:00Z")
    #expect(points.count == 25)
    #expect(Set(points).count == 25)
  }

  @Test func aGardenWithFutureEventsHasOnePoint() throws {
    #expect(try boundaries(.all, "2026-01-01T14:00:00Z", zone: "UTC", first: "2027-01-01T12:20:00Z").count == 1)
  }

  @Test func pointsHaveTheValueOfTheLastChange() throws {
    var log = HandwrittenLog()
    try log.plant("a", "2026-01-01T10:30Z", cost: 4)
    try log.plant("b", "2026-01-01T11:00Z", cost: 1)
    try log.harvest("a", "2026-01-01T11:00:00.001Z", gained: 2)
    let points = try log.garden().soilChart(.day, now: instant("2026-01-01T12:30Z")).suffix(4)
    #expect(points.map(\.available) == [10, 5, 9, 9])
    #expect(points.map(\.capacity) == [10, 10, 12, 12])
    // Changes before the range count too.
    let later = try log.garden().soilChart(.day, now: instant("2026-05-01T12:30Z"))
    #expect(later.allSatisfy { $0.available == 9 && $0.capacity == 12 })
  }

  @Test func snapshotsFollowEventsThatCanChangeTheSoil() throws {
    var log = HandwrittenLog()
    try log.add(.leafCreated(.init(leafID: "l", twigID: "t", name: "n")), "2026-01-01T10:00Z")
    try log.plant("a", "2026-01-01T10:30Z", cost: 4)
    try log.plant("b", "2026-01-01T10:31Z", cost: 4)
    try log.add(.sproutEdited(.init(sproutID: "a", title: "T")), "2026-01-01T10:40Z")
    for minute in 0..<4 { try log.water("a", "2026-01-01T11:0\(minute)Z") }
    try log.shine("2026-01-01T12:00Z")
    try log.harvest("a", "2026-01-01T13:00Z")
    try log.uproot("b", "2026-01-01T14:00Z")
    #expect(log.garden().snapshots.count == 9)
  }
}
