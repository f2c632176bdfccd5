import Foundation
import SQLiteKit
import Synchronization
import TemporaryFolders
import Testing
import TrunkModel

@testable import EventStore
@testable import SyncEngine

/// The program is killed at any moment, and writes to its file fail at any moment.
@Suite struct CrashTests {
  let service = MemoryService()

  /// Copies the files in the state in which `kill -9` would leave them.
  private static func snapshot(_ device: TemporaryFolder) throws -> TemporaryFolder {
    let (files, copy) = (FileManager.default, try TemporaryFolder("trunk-sync", isInMemory: true).created())
    try files.createDirectory(atPath: copy.path + "/garden", withIntermediateDirectories: true)
    for name in ["garden.db", "garden.db-wal"] where files.fileExists(atPath: device.path + "/garden/" + name) {
      try files.copyItem(atPath: device.path + "/garden/" + name, toPath: copy.path + "/garden/" + name)
    }
    return copy
  }

  /// Takes the files as they were before each request, while the server has processed all requests.
  @Test(arguments: [false, true])
  func aSyncSurvivesAKillBetweenAnyRequests(isFull: Bool) async throws {
    service.configure { $0.pageLimit = 3 }
    service.write(Event.waters(0..<4), userID: "user")
    let device = try await Device(service)
    await device.engine.sync()
    service.write(Event.waters(10..<17), userID: "user")
    // Enough for more than one batch.
    let large = String(repeating: "x", count: 400_000)
    try await device.write(5, random: 100, text: large)
    let snapshots = Mutex<[TemporaryFolder]>([])
    service.setGate { [folder = device.folder] _ in
      do {
        let copy = try CrashTests.snapshot(folder)
        snapshots.withLock { $0.append(copy) }
      } catch { Issue.record(error) }
    }
    let report = isFull ? await device.engine.sync(.allRows) : await device.engine.sync()
    #expect(report.problem == nil)
    service.setGate(nil)
    let all = Set(service.rows.map(\.clientID))
    #expect(all.count == 16 && service.rows.count == 16)
    let folders = snapshots.withLock { $0 }
    #expect(folders.count >= 6)
    for folder in folders {
      let restarted = try await Device(service, template: folder)
      #expect(await restarted.engine.sync().problem == nil)
      #expect(Set(try await restarted.store.events(afterSeq: 0).compactMap(\.event.clientID)) == all)
      #expect(try await restarted.store.count() == 16)
      #expect(try await restarted.pending() == 0)
      #expect(service.rows.count == 16)
    }
  }

  private func run(_ sql: String, _ device: Device) throws {
    try Database(path: device.store.folder + "/garden.db", mode: .readWrite, busyTimeout: 1000).run(sql)
  }

  /// If a page can't be stored, the cursor doesn't move past it.
  @Test func theCursorMovesOnlyWithItsRows() async throws {
    service.configure { $0.pageLimit = 3 }
    let device = try await Device(service)
    service.write(Event.waters(0..<1), userID: "user")
    await device.engine.sync()
    for number in 1..<10 {
      // Farther apart than the overlap that is read again.
      service.advance(seconds: 1000)
      service.write(Event.waters(number..<(number + 1)), userID: "user")
    }
    let bad = Event.waters(6..<7)[0].clientID ?? ""
    try run(
      """
      CREATE TRIGGER no BEFORE INSERT ON events WHEN new.client_id = '\(bad)' BEGIN
        SELECT RAISE(ABORT, 'no');
      END
      """, device)
    service.advance(seconds: 1000)
    service.write(Event.waters(20..<21), userID: "user")
    let report = await device.engine.sync()
    #expect(report.problem?.code == "store_failed")
    #expect(try await device.store.cursor()?.createdAt != service.rows.last?.createdAt)
    #expect(await device.engine.sync(.allRows).problem?.code == "store_failed")
    let count = try await device.store.count()
    #expect(count >= 4 && count < 11)
    try run("DROP TRIGGER no", device)
    #expect(await device.engine.sync().problem == nil)
    #expect(try await device.store.count() == 11)
  }

  /// An acknowledgement is stored only after the server has sent it.
  @Test func eventsAreSentAgainIfTheAcknowledgementCannotBeStored() async throws {
    let device = try await Device(service)
    await device.engine.sync()
    try await device.write(3)
    try run("CREATE TRIGGER no BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'no'); END", device)
    #expect(await device.engine.sync().problem?.code == "store_failed")
    #expect(try await device.pending() == 3)
    #expect(service.rows.count == 3)
    try run("DROP TRIGGER no", device)
    let report = await device.engine.sync()
    #expect(report.problem == nil && service.rows.count == 3)
    #expect(try await device.pending() == 0)
  }
}
