import Conformance
import Testing
import TrunkKit
import TrunkModel

@Test(arguments: ConformanceLog.names)
func derivesTheSameGardenAsAnIndependentImplementation(name: String) throws {
  let log = try ConformanceLog(name)
  let zone = try #require(Zone.named(log.zone))
  let now = try #require(Instant(log.now))
  let events = try ExportFile.decodeEvents(log.text).withoutDuplicates()
  let report = Garden(events, zone: zone).report(now: now) { events[Int($0)] }
  #expect(log.differences(from: report).prefix(5) == [])
}
