import EventStore
import Testing
import TrunkModel

@testable import SyncEngine

/// The server has far fewer rows than this computer.
@Suite struct RemoteLossTests {
  let service = MemoryService()

  /// - Returns: a device with 205 entries, of which the server keeps only the first five.
  private func deviceWithLoss() async throws -> Device {
    let device = try await Device(service)
    _ = try await device.store.append(Event.waters(0..<205))
    await device.engine.sync()
    let kept = Set(service.rows.sorted { $0.microseconds < $1.microseconds }.prefix(5).map(\.id))
    service.remove { !kept.contains($0.id) }
    return device
  }

  @Test func theNextSyncOfANewProcessFindsTheLoss() async throws {
    let device = try await deviceWithLoss()
    try await device.restart()
    #expect(await device.engine.sync().problem == nil)
    #expect(await device.engine.status.phase == .remoteLoss)
    #expect(try await device.store.remoteLoss()?.numbers == [205, 5])
    #expect(try await device.store.remoteLoss()?.missing == 200)
    #expect(try await device.store.count() == 205)
    #expect(device.backups.all.count == 1)
  }

  /// The loss is found even if the newest row remains and nothing seems to be new.
  @Test func aLossIsFoundEvenIfTheNewestRowRemains() async throws {
    let device = try await deviceWithLoss()
    service.configure { $0.rows = [] }
    service.write(Event.waters(300..<301), userID: "user")
    await device.engine.sync()
    #expect(await device.engine.status.phase == .remoteLoss)
  }

  @Test func anotherProcessKnowsTheLossWithoutARequest() async throws {
    let device = try await deviceWithLoss()
    await device.engine.sync()
    try await device.restart()
    let status = await device.engine.refreshFigures()
    #expect(status.remoteLoss?.numbers == [205, 5] && status.phase == .remoteLoss)
    // The same loss causes one request and no further backup.
    service.log = []
    await device.engine.sync()
    #expect(service.log.filter { $0 == .head }.count == 1 && !service.log.contains(.insert))
    #expect(await device.engine.status.phase == .remoteLoss)
    #expect(device.backups.all.count == 1)
  }

  /// Too few to ask the user: the removal is reported with its backup.
  @Test func aSmallRemovalIsReported() async throws {
    let device = try await Device(service)
    _ = try await device.store.append(Event.waters(0..<205))
    #expect(await device.engine.sync().removal == nil)
    let lost = Set(service.rows.sorted { $0.microseconds < $1.microseconds }.prefix(3).map(\.id))
    service.remove { lost.contains($0.id) }
    let removal = try #require(await device.engine.sync().removal)
    #expect(removal == Removal(count: 3, backup: "backup"))
    #expect(await device.engine.status.removal == removal)
    #expect(try await device.store.count() == 202)
    #expect(try await device.store.superseded().count == 3)
    // The next sync removes nothing, and the status still has the earlier removal.
    #expect(await device.engine.sync(.allRows).removal == nil)
    #expect(await device.engine.status.removal == removal)
  }

  @Test func theReportOfADecisionContainsTheRemoval() async throws {
    let device = try await deviceWithLoss()
    await device.engine.sync()
    #expect(await device.engine.status.removal == nil)
    #expect(await device.engine.sync(.decision(.followServer)).removal == Removal(count: 200, backup: "backup"))
  }

  @Test func uploadingAgainRemovesNothing() async throws {
    let device = try await deviceWithLoss()
    await device.engine.sync()
    #expect(await device.engine.sync(.decision(.uploadAgain)).removal == nil)
    #expect(await device.engine.status.removal == nil)
  }

  /// As if the server had handed out another account's rows.
  @Test func aSmallGardenIsNotReplacedWithoutAsking() async throws {
    let device = try await Device(service)
    let mine = Event.waters(0..<3)
    _ = try await device.store.append(mine)
    await device.engine.sync()
    service.remove { _ in true }
    service.write(Event.waters(500..<503), userID: "user")
    await device.engine.sync(.allRows)
    #expect(try await Set(device.store.events(afterSeq: 0).map(\.event.raw)).isSuperset(of: mine.map(\.raw)))
    #expect(await device.engine.status.remoteLoss?.missing == 3)
  }

  /// An unreadable record may mean a loss: nothing is removed, events are still sent, and a full download replaces the
  /// record.
  @Test(arguments: ["", "{}", #"{"local":205,"server":"five"}"#])
  func anUnreadableRecordIsAnError(record: String) async throws {
    let device = try await deviceWithLoss()
    await device.engine.sync()
    try await device.store.set(record, for: .remoteLoss)
    try await device.restart()
    try await device.write(2, random: 900)
    #expect(await device.engine.sync().problem == .store(.unreadableLoss))
    let status = await device.engine.status
    #expect(status.phase == .offline && status.failure == .store(.unreadableLoss))
    #expect(await device.engine.sync(.decision(.followServer)).problem == .store(.unreadableLoss))
    #expect(service.rows.count == 7)
    #expect(try await device.store.count() == 207)
    #expect(await device.engine.sync(.allRows).problem == nil)
    #expect(await device.engine.status.remoteLoss?.missing == 200)
    #expect(try await device.store.count() == 207)
    // Once the rows are back, a full download resolves the loss.
    try await device.store.set(record, for: .remoteLoss)
    service.configure { $0.rows = [] }
    service.write(try await device.store.events(afterSeq: 0).map(\.event), userID: "user")
    #expect(await device.engine.sync(.allRows).problem == nil)
    #expect(await device.engine.status.phase == .synced)
  }

  /// Nothing here came from the server, so a full download is the first one.
  @Test func aFullDownloadReplacesAnUnreadableRecordInANewGarden() async throws {
    let device = try await Device(service)
    try await device.store.set("garbage", for: .remoteLoss)
    #expect(await device.engine.sync().problem == .store(.unreadableLoss))
    #expect(await device.engine.sync(.allRows).problem == nil)
    #expect(try await device.store.remoteLoss() == nil)
    try await device.write(2)
    #expect(await device.engine.sync().problem == nil)
    #expect(await device.engine.status.phase == .synced)
  }

  @Test func newEntriesAreStillSent() async throws {
    let device = try await deviceWithLoss()
    await device.engine.sync()
    try await device.write(3, random: 900)
    #expect(await device.engine.sync().pushed == 3)
    #expect(await device.engine.sync().problem == nil)
    #expect(service.rows.count == 8)
    #expect(await device.engine.status.phase == .remoteLoss)
    #expect(try await device.store.count() == 208)
    #expect(device.backups.all.count == 1)
  }

  @Test func theLossIsResolvedWhenTheRowsAreBack() async throws {
    let device = try await deviceWithLoss()
    await device.engine.sync()
    #expect(await device.engine.status.phase == .remoteLoss)
    service.configure { $0.rows = [] }
    service.write(Event.waters(0..<205), userID: "user")
    await device.engine.sync()
    #expect(await device.engine.status.phase == .synced)
    #expect(try await device.store.remoteLoss() == nil)
    #expect(try await device.store.count() == 205)
  }

  /// Some rows are back. The rest are so few that they would be removed without asking if no loss were recorded.
  @Test func afterALossNothingIsRemovedWithoutADecision() async throws {
    let device = try await deviceWithLoss()
    await device.engine.sync()
    service.configure { $0.rows = [] }
    service.write(Event.waters(0..<200), userID: "user")
    await device.engine.sync()
    #expect(await device.engine.status.remoteLoss?.numbers == [205, 200])
    #expect(try await device.store.count() == 205)
  }

  @Test func uploadingAgainSendsWhatTheServerLacks() async throws {
    let device = try await deviceWithLoss()
    await device.engine.sync()
    try await device.restart()
    #expect(await device.engine.sync(.decision(.uploadAgain)).problem == nil)
    #expect(service.rows.count == 205)
    #expect(await device.engine.status.phase == .synced)
  }

  @Test func followServerRemovesWhatItLacks() async throws {
    let device = try await deviceWithLoss()
    await device.engine.sync()
    try await device.restart()
    #expect(await device.engine.sync(.decision(.followServer)).problem == nil)
    #expect(try await device.store.count() == 5)
    #expect(await device.engine.status.phase == .synced)
  }

  @Test func notNowKeepsTheLossVisible() async throws {
    let device = try await deviceWithLoss()
    await device.engine.sync()
    await device.engine.deferRemoteLoss()
    await device.engine.sync()
    let status = await device.engine.status
    #expect(status.phase == .remoteLoss && status.isRemoteLossDeferred)
  }

  @Test func aDecisionThatFailsStaysOpen() async throws {
    let device = try await deviceWithLoss()
    await device.engine.sync()
    service.setFaults { call, _ in call == .rows ? .lost : nil }
    #expect(await device.engine.sync(.decision(.followServer)).problem != nil)
    #expect(try await device.store.remoteLoss() != nil)
    #expect(try await device.store.count() == 205)
  }

  @Test func theReportOfADecisionCountsSentEvents() async throws {
    let device = try await deviceWithLoss()
    await device.engine.sync()
    let report = await device.engine.sync(.decision(.uploadAgain))
    #expect(report.pushed == 200 && report.mode == .full)
  }

  /// After a move, a few missing rows are sent to the server. If many are missing, the user decides.
  @Test(arguments: [RemoteLoss.Decision.followServer, .uploadAgain])
  func theDecisionIsCarriedOutAfterAMove(answer: RemoteLoss.Decision) async throws {
    let device = try await deviceWithLoss()
    try await device.store.bind(to: "https://old.example.org")
    try await device.store.bind(to: Device.server, hasMoved: true)
    #expect(await device.engine.sync().problem == nil)
    #expect(try await device.store.remoteLoss()?.missing == 200)
    #expect(await device.engine.sync(.decision(answer)).problem == nil)
    let count = answer == .uploadAgain ? 205 : 5
    #expect(try await device.store.count() == count && service.rows.count == count)
    #expect(try await device.store.hasValidServerRows())
    #expect(await device.engine.sync().mode == .incremental)
  }
}
