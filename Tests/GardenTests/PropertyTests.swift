import Gardening
import Testing

@testable import Garden

/// What must hold for every log. A failure names its seed: `RandomLog(seed:count:)` makes that log again.
@Suite struct PropertyTests {
  private static let seeds = 0..<60

  private func report(_ events: [Event], _ log: RandomLog) throws -> String {
    let kept = events.withoutDuplicates()
    return try Garden(events, zone: zone(log.zone)).report(now: log.now) { kept[Int($0)] }.prettyText
  }

  @Test(arguments: seeds)
  func orderAndRepetitionOfArrivalDoNotMatter(seed: Int) throws {
    let log = try RandomLog(seed: seed, count: 80)
    let expected = try report(log.events, log)
    var dice = Dice(seed: ~seed)
    for _ in 0..<2 {
      let again = (0..<dice.next(below: 40)).map { _ in dice.pick(log.events) }
      let events = (log.events + again).shuffled(using: &dice)
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
  func growingStepByStepIsTheSameAsFromZero(seed: Int) throws {
    let log = try RandomLog(seed: seed, count: 600)
    let zone = try zone(log.zone)
    let kept = log.events.withoutDuplicates()
    let arriving = kept.enumerated().map { LoggedEvent(seq: Int64($0), event: $1) }
    var dice = Dice(seed: ~seed)
    // Some logs arrive nearly in order, so that some checkpoints stay, some in none.
    let distance = dice.pick([5, 50, 700])
    let batches = LoggedEvent.sorted(arriving).enumerated()
      .map { (place: $0 + dice.next(below: distance), logged: $1) }.sorted { $0.place < $1.place }.map(\.logged)

    var chronicle = Chronicle(Garden(zone: zone))
    var known: [LoggedEvent] = []
    var rest = batches[...]
    while !rest.isEmpty {
      let batch = LoggedEvent.sorted(Array(rest.prefix(1 + dice.next(below: 60))))
      rest = rest.dropFirst(batch.count)
      known += batch
      guard let first = chronicle.needsRewind(for: batch) else {
        chronicle.advance(batch)
        continue
      }
      let start = chronicle.rewind(before: first)
      let ignored = batch.filter { $0.event.orderKey == nil }
      let again = known.filter { logged in logged.event.orderKey.map { key in start.map { key > $0 } ?? true } ?? false
      }
      chronicle.advance(ignored + LoggedEvent.sorted(again))
    }
    let actual = chronicle.garden.report(now: log.now) { kept[Int($0)] }.prettyText
    let expected = try report(kept, log)
    if actual != expected { Issue.record("seed \(seed): \(firstDifference(actual, expected))") }
    #expect(chronicle.garden.eventCount == Garden(kept, zone: zone).eventCount, "seed \(seed)")
  }

  @Test(arguments: seeds)
  func aCheckpointContinuesWhereItWasMade(seed: Int) throws {
    let log = try RandomLog(seed: seed, count: 80)
    let zone = try zone(log.zone)
    let kept = log.events.withoutDuplicates()
    let sorted = LoggedEvent.sorted(kept.enumerated().map { LoggedEvent(seq: Int64($0), event: $1) })
    var dice = Dice(seed: ~seed)
    let middle = dice.next(below: sorted.count + 1)
    var before = Garden(zone: zone)
    before.apply(sorted[..<middle])
    var after = try #require(Garden(checkpoint: before.checkpoint(), zone: zone), "seed \(seed)")
    #expect(after.lastKey == before.lastKey)
    #expect(after.checkpoint() == before.checkpoint(), "seed \(seed)")
    after.apply(sorted[middle...])
    let actual = after.report(now: log.now) { kept[Int($0)] }.prettyText
    let expected = try report(kept, log)
    if actual != expected { Issue.record("seed \(seed): \(firstDifference(actual, expected))") }
  }

  @Test(arguments: seeds)
  func whatIsExportedIsImportedUnchanged(seed: Int) throws {
    let log = try RandomLog(seed: seed, count: 80)
    let kept = log.events.withoutDuplicates()
    let file = ExportFile.encode(kept, exportedAt: log.now)
    let imported = try ExportFile.decode(file)
    #expect(ExportFile.encode(imported, exportedAt: log.now).utf8.elementsEqual(file.utf8), "seed \(seed)")
    var dice = Dice(seed: ~seed)
    let shuffled = kept.shuffled(using: &dice)
    #expect(ExportFile.encode(shuffled, exportedAt: log.now).utf8.elementsEqual(file.utf8), "seed \(seed)")
    // Nothing is lost, the unknown and the malformed included.
    #expect(imported.map(\.canonicalText).sorted() == kept.map(\.canonicalText).sorted(), "seed \(seed)")
    #expect(imported.filter { !$0.isUnderstood }.count == kept.filter { !$0.isUnderstood }.count)
    #expect(try report(imported, log) == report(kept, log), "seed \(seed)")
  }

  @Test func theLogsAreAsHostileAsTheyClaim() throws {
    var (ignored, duplicates, anonymous, waiting, kinds) = (0, 0, 0, 0, Set<EventKind>())
    for seed in Self.seeds {
      let log = try RandomLog(seed: seed, count: 80)
      let kept = log.events.withoutDuplicates()
      duplicates += log.events.count - kept.count
      ignored += kept.filter { !$0.isUnderstood }.count
      anonymous += kept.filter { $0.clientID == nil }.count
      waiting += Garden(kept, zone: .utc).waiting.count
      kinds.formUnion(kept.compactMap(\.content.kind))
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
