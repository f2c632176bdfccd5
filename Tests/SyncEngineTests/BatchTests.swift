import EventStore
import Testing
import TrunkModel

@testable import SyncEngine

/// The number of events per request, and clients that page by time.
@Suite struct BatchTests {
  let service = MemoryService()

  /// Behaves like the web client: fetches 1,000 rows without paging and continues strictly after the last time that it
  /// saw.
  private final class Reader {
    private var last = Int64.min
    private(set) var ids: Set<String> = []

    func pull(_ service: MemoryService) {
      while true {
        let rows = service.rows.filter { $0.userID == "user" && $0.microseconds > last }
          .sorted { ($0.microseconds, $0.id) < ($1.microseconds, $1.id) }.prefix(1000)
        guard let newest = rows.last else { return }
        ids.formUnion(rows.map(\.clientID))
        last = newest.microseconds
      }
    }
  }

  private func device(sharesTimes: Bool) async throws -> Device {
    service.configure { $0.sharesTimes = sharesTimes }
    let device = try await Device(service)
    try await device.store.set(nil, for: .rowTimes)
    return device
  }

  @Test(arguments: [0, 37, 900]) func aClientThatPagesByTimeMissesNothing(before: Int) async throws {
    let device = try await device(sharesTimes: true)
    let early = Reader()
    for number in 0..<before { service.write(Event.waters(number..<(number + 1)), userID: "user") }
    early.pull(service)
    await device.engine.sync()
    _ = try await device.store.append(Event.waters(1000..<2600))
    service.log = []
    #expect(await device.engine.sync().problem == nil)
    #expect(service.rows.count == before + 1600)
    for reader in [early, Reader()] {
      reader.pull(service)
      #expect(reader.ids.count == before + 1600)
    }
    // Two batches of two, then the rest of the first thousand at once, then single events.
    let batches = 3 + (before + 1600 - 1000)
    #expect(service.log.count { $0 == .insert } == batches)
  }

  /// The same for an upload before the first download.
  @Test func aClientThatPagesByTimeMissesNothingOfAFirstUpload() async throws {
    let device = try await device(sharesTimes: true)
    _ = try await device.store.append(Event.waters(0..<1100))
    #expect(await device.engine.sync().problem == nil)
    let reader = Reader()
    reader.pull(service)
    #expect(reader.ids.count == 1100)
    #expect(service.log.count { $0 == .insert } == 103)
  }

  /// The result is stored, so a new process knows it.
  @Test func aServerWithDistinctTimesGetsLargeBatches() async throws {
    let device = try await device(sharesTimes: false)
    await device.engine.sync()
    _ = try await device.store.append(Event.waters(0..<2000))
    await device.engine.sync()
    #expect(service.log.count { $0 == .insert } == 3)
    service.advance(seconds: 601)
    try await device.restart()
    await device.engine.sync()
    _ = try await device.store.append(Event.waters(2000..<3000))
    service.log = []
    await device.engine.sync()
    #expect(service.log == [.insert, .head, .rows])
    let reader = Reader()
    reader.pull(service)
    #expect(reader.ids.count == 3000)
  }

  /// The result applies to one server only.
  @Test func aMovedServerIsProbedAgain() async throws {
    let device = try await device(sharesTimes: true)
    try await device.write(4)
    await device.engine.sync()
    #expect(try await device.store.value(.rowTimes)?.hasPrefix("shared") == true)
    try await device.store.bind(to: "https://a.example.org")
    try await device.store.bind(to: "https://b.example.org", hasMoved: true)
    #expect(try await device.store.value(.rowTimes) == nil)
  }

  /// The migration that gives each row its own time is applied after the account has filled the first page.
  @Test func aServerThatChangesToDistinctTimesIsDetectedWithinADay() async throws {
    let device = try await device(sharesTimes: true)
    _ = try await device.store.append(Event.waters(0..<1010))
    await device.engine.sync()
    service.configure { $0.sharesTimes = false }
    func requests(for range: Range<Int>) async throws -> Int {
      _ = try await device.store.append(Event.waters(range))
      service.log = []
      #expect(await device.engine.sync().problem == nil)
      return service.log.count { $0 == .insert }
    }
    #expect(try await requests(for: 2000..<2020) == 20)
    device.clock.advance(seconds: 86_401)
    // A probe of two, then the rest together.
    #expect(try await requests(for: 3000..<3500) == 2)
  }

  @Test func aServerThatSharesTimesIsProbedOnceADay() async throws {
    let device = try await device(sharesTimes: true)
    _ = try await device.store.append(Event.waters(0..<1010))
    await device.engine.sync()
    device.clock.advance(seconds: 86_401)
    _ = try await device.store.append(Event.waters(2000..<2010))
    service.log = []
    await device.engine.sync()
    #expect(service.log.count { $0 == .insert } == 9)
  }

  @Test func oneBatchWithASharedTimeIsNotEnough() async throws {
    let device = try await device(sharesTimes: false)
    await device.engine.sync()
    service.configure { $0.sharesTimes = true }
    try await device.write(2)
    await device.engine.sync()
    service.configure { $0.sharesTimes = false }
    _ = try await device.store.append(Event.waters(0..<500))
    service.log = []
    await device.engine.sync()
    #expect(service.log.count { $0 == .insert } == 2)
  }
}
