import TestSupport
import Testing
import TrunkKit

@testable import TrunkModel

/// Properties that hold for every log. A failure names its seed: `RandomLog(seed:count:)` recreates that log.
@Suite struct DerivationPropertyTests {
  private static let seeds = 0..<60

  private func report(_ events: [Event], _ log: RandomLog) throws -> String {
    let kept = events.withoutDuplicates()
    return try Garden(events, zones: log.zones).report(now: log.now) { kept[Int($0)] }.prettyText
  }

  @Test(arguments: seeds)
  func arrivalOrderAndDuplicatesDoNotMatter(seed: Int) throws {
    let log = try RandomLog(seed: seed, count: 80)
    let expected = try report(log.events, log)
    var random = SeededRandom(seed: ~seed)
    for _ in 0..<2 {
      let again = (0..<random.next(below: 40)).map { _ in random.pick(log.events) }
      let events = (log.events + again).shuffled(using: &random)
      let actual = try report(events, log)
      if actual != expected { Issue.record("seed \(seed): \(firstDifference(actual, expected))") }
    }
  }

  @Test(arguments: seeds)
  func withoutDuplicatesIsStable(seed: Int) throws {
    let log = try RandomLog(seed: seed, count: 80)
    let kept = log.events.withoutDuplicates()
    #expect(kept.withoutDuplicates().map(\.raw) == kept.map(\.raw), "seed \(seed)")
    let mirrored = Array(log.events.reversed()).withoutDuplicates()
    #expect(Set(kept.map(\.canonicalText)) == Set(mirrored.map(\.canonicalText)), "seed \(seed)")
  }

  @Test(arguments: seeds.prefix(20))
  func growingStepByStepEqualsDerivingFromTheStart(seed: Int) throws {
    let log = try RandomLog(seed: seed, count: 600)
    let zones = try log.zones
    let kept = log.events.withoutDuplicates()
    let arriving = kept.enumerated().map { LoggedEvent(seq: Int64($0), event: $1) }
    var random = SeededRandom(seed: ~seed)
    // Some logs arrive almost in order, so that checkpoints remain usable; others in random order.
    let distance = random.pick([5, 50, 700])
    let batches = LoggedEvent.sorted(arriving).enumerated()
      .map { (place: $0 + random.next(below: distance), logged: $1) }.sorted { $0.place < $1.place }.map(\.logged)

    var projection = Projection(Garden(zones: zones))
    var known: [LoggedEvent] = []
    var rest = batches[...]
    while !rest.isEmpty {
      let batch = LoggedEvent.sorted(Array(rest.prefix(1 + random.next(below: 60))))
      rest = rest.dropFirst(batch.count)
      known += batch
      guard let first = projection.needsRewind(for: batch) else {
        projection.advance(batch)
        continue
      }
      let start = projection.rewind(before: first)
      let ignored = batch.filter { $0.event.orderKey == nil }
      let again = known.filter { logged in logged.event.orderKey.map { key in start.map { key > $0 } ?? true } ?? false
      }
      projection.advance(ignored + LoggedEvent.sorted(again))
    }
    let actual = projection.garden.report(now: log.now) { kept[Int($0)] }.prettyText
    let expected = try report(kept, log)
    if actual != expected { Issue.record("seed \(seed): \(firstDifference(actual, expected))") }
    #expect(projection.garden.eventCount == Garden(kept, zones: zones).eventCount, "seed \(seed)")
  }

  @Test(arguments: seeds)
  func aCheckpointContinuesTheDerivation(seed: Int) throws {
    let log = try RandomLog(seed: seed, count: 80)
    let zones = try log.zones
    let kept = log.events.withoutDuplicates()
    let sorted = LoggedEvent.sorted(kept.enumerated().map { LoggedEvent(seq: Int64($0), event: $1) })
    var random = SeededRandom(seed: ~seed)
    let middle = random.next(below: sorted.count + 1)
    var before = Garden(zones: zones)
    before.apply(sorted[..<middle])
    var after = try #require(Garden(checkpoint: before.checkpoint(), zones: zones), "seed \(seed)")
    #expect(after.lastKey == before.lastKey)
    #expect(after.checkpoint() == before.checkpoint(), "seed \(seed)")
    after.apply(sorted[middle...])
    let actual = after.report(now: log.now) { kept[Int($0)] }.prettyText
    let expected = try report(kept, log)
    if actual != expected { Issue.record("seed \(seed): \(firstDifference(actual, expected))") }
  }

  @Test(arguments: seeds)
  func exportsAreImportedUnchanged(seed: Int) throws {
    let log = try RandomLog(seed: seed, count: 80)
    let kept = log.events.withoutDuplicates()
    let file = ExportFile.encode(kept, exportedAt: log.now)
    let imported = try ExportFile.decode(file)
    #expect(ExportFile.encode(imported, exportedAt: log.now).utf8.elementsEqual(file.utf8), "seed \(seed)")
    var random = SeededRandom(seed: ~seed)
    let shuffled = kept.shuffled(using: &random)
    #expect(ExportFile.encode(shuffled, exportedAt: log.now).utf8.elementsEqual(file.utf8), "seed \(seed)")
    // Nothing is lost, including unknown and malformed events.
    #expect(imported.map(\.canonicalText).sorted() == kept.map(\.canonicalText).sorted(), "seed \(seed)")
    #expect(imported.filter { !$0.isUnderstood }.count == kept.filter { !$0.isUnderstood }.count)
    #expect(try report(imported, log) == report(kept, log), "seed \(seed)")
  }

  @Test func randomLogsContainEveryDifficulty() throws {
    var (ignored, duplicates, anonymous, waiting, kinds) = (0, 0, 0, 0, Set<EventKind>())
    for seed in Self.seeds {
      let log = try RandomLog(seed: seed, count: 80)
      let kept = log.events.withoutDuplicates()
      duplicates += log.events.count - kept.count
      ignored += kept.filter { !$0.isUnderstood }.count
      anonymous += kept.filter { $0.clientID == nil }.count
      waiting += Garden(kept, zone: .utc).waiting.count
      kinds.formUnion(kept.compactMap(\.kind))
    }
    #expect(kinds.count == EventKind.allCases.count)
    #expect(ignored > 300 && duplicates > 300 && anonymous > 300 && waiting > 10)
  }

  private func firstDifference(_ left: String, _ right: String) -> String {
    let (left, right) = (left.split(separator: "\n"), right.split(separator: "\n"))
    let index =
      zip(left, right).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? min(left.count, right.count)
    return "line \(index): \(left.dropFirst(index).first ?? "end"), expected \(right.dropFirst(index).first ?? "end")"
  }
}
