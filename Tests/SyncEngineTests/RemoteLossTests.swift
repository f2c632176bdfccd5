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

  @Test func nextSyncOfANewProcessFindsLoss() async throws {
    let device = try await deviceWithLoss()
    try await device.restart()
    #expect(await device.engine.sync().problem == nil)
    #expect(await device.engine.status.phase == .remoteLoss)
    #expect(try await device.store.remoteLoss()?.numbers == [205, 5])
    #expect(try await device.store.remoteLoss()?.missing == 200)
    #expect(try await device.store.count() == 205)
    #expect(device.backups.all.count == 1)
  }

  /// Whichever rows remain: also the newest, so that nothing new seems to be there.
  @Test func isFoundWhenTheNewestRowsRemain() async throws {
    let device = try await deviceWithLoss()
    service.configure { $0.rows = [] }
    service.write(Event.waters(300..<301), userID: "user")
    await device.engine.sync()
    #expect(await device.engine.status.phase == .remoteLoss)
  }

  @Test func anotherProcessKnowsWithoutAsking() async throws {
    let device = try await deviceWithLoss()
    await device.engine.sync()
    try await device.restart()
    let status = await device.engine.refreshFigures()
    #expect(status.remoteLoss?.numbers == [205, 5] && status.phase == .remoteLoss)
    // It is the same loss: one request and no other backup.
    service.log = []
    await device.engine.sync()
    #expect(service.log.filter { $0 == .head }.count == 1 && !service.log.contains(.insert))
    #expect(await device.engine.status.phase == .remoteLoss)
    #expect(device.backups.all.count == 1)
  }

  /// Too few for a question, and yet it is told, and where they are.
  @Test func aSmallRemovalIsInTheReportAndTheStatus() async throws {
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
    // The next sync removes nothing, and the window still shows what was removed.
    #expect(await device.engine.redownload().removal == nil)
    #expect(await device.engine.status.removal == removal)
  }

  @Test func whatAnAnswerRemovesIsInItsReport() async throws {
    let device = try await deviceWithLoss()
    await device.engine.sync()
    #expect(await device.engine.status.removal == nil)
    #expect(await device.engine.answer(.followServer)?.removal == Removal(count: 200, backup: "backup"))
  }

  @Test func keepMineRemovesNothing() async throws {
    let device = try await deviceWithLoss()
    await device.engine.sync()
    #expect(await device.engine.answer(.keepMine)?.removal == nil)
    #expect(await device.engine.status.removal == nil)
  }

  /// What can't be read may be a loss: nothing is removed, everything is sent, and a full download makes it readable.
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
    #expect(await device.engine.answer(.followServer) == nil)
    #expect(service.rows.count == 7)
    #expect(try await device.store.count() == 207)
    #expect(await device.engine.redownload().problem == nil)
    #expect(await device.engine.status.remoteLoss?.missing == 200)
    #expect(try await device.store.count() == 207)
    // The rows are back, and with them the garden is as usual.
    try await device.store.set(record, for: .remoteLoss)
    service.configure { $0.rows = [] }
    service.write(try await device.store.events(afterSeq: 0).map(\.event), userID: "user")
    #expect(await device.engine.redownload().problem == nil)
    #expect(await device.engine.status.phase == .synced)
  }

  @Test func newEntriesStillGoUp() async throws {
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

  @Test func isForgottenWhenTheRowsAreBack() async throws {
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

  /// Part of the rows are back: what still lacks is few enough to be removed in silence at any other time.
  @Test func afterALossNothingIsRemovedWithoutAnAnswer() async throws {
    let device = try await deviceWithLoss()
    await device.engine.sync()
    service.configure { $0.rows = [] }
    service.write(Event.waters(0..<200), userID: "user")
    await device.engine.sync()
    #expect(await device.engine.status.remoteLoss?.numbers == [205, 200])
    #expect(try await device.store.count() == 205)
  }

  @Test func keepMineUploadsWhatTheServerLacks() async throws {
    let device = try await deviceWithLoss()
    await device.engine.sync()
    try await device.restart()
    #expect(await device.engine.answer(.keepMine)?.problem == nil)
    #expect(service.rows.count == 205)
    #expect(await device.engine.status.phase == .synced)
  }

  @Test func followServerRemovesWhatItLacks() async throws {
    let device = try await deviceWithLoss()
    await device.engine.sync()
    try await device.restart()
    #expect(await device.engine.answer(.followServer)?.problem == nil)
    #expect(try await device.store.count() == 5)
    #expect(await device.engine.status.phase == .synced)
  }

  @Test func notNowKeepsItVisible() async throws {
    let device = try await deviceWithLoss()
    await device.engine.sync()
    #expect(await device.engine.answer(.notNow) == nil)
    await device.engine.sync()
    let status = await device.engine.status
    #expect(status.phase == .remoteLoss && status.isRemoteLossDeferred)
  }

  @Test func aDecisionThatFailsStaysOpen() async throws {
    let device = try await deviceWithLoss()
    await device.engine.sync()
    service.setFaults { call, _ in call == .rows ? .lost : nil }
    #expect(await device.engine.answer(.followServer)?.problem != nil)
    #expect(try await device.store.remoteLoss() != nil)
    #expect(try await device.store.count() == 205)
  }

  @Test func theReportOfADecisionTellsWhatItDid() async throws {
    let device = try await deviceWithLoss()
    await device.engine.sync()
    let report = await device.engine.answer(.keepMine)
    #expect(report?.pushed == 200 && report?.mode == .full)
  }

  /// After a move what few rows the server lacks is sent to it. Of many the user is asked, and the answer counts.
  @Test(arguments: [RemoteLoss.Answer.followServer, .keepMine])
  func theAnswerCountsAfterAMoveToo(answer: RemoteLoss.Answer) async throws {
    let device = try await deviceWithLoss()
    try await device.store.bind(to: "https://a.example.org")
    try await device.store.bind(to: "https://b.example.org", hasMoved: true)
    #expect(await device.engine.sync().problem == nil)
    #expect(try await device.store.remoteLoss()?.missing == 200)
    #expect(await device.engine.answer(answer)?.problem == nil)
    let count = answer == .keepMine ? 205 : 5
    #expect(try await device.store.count() == count && service.rows.count == count)
    #expect(try await device.store.hasValidCache())
    #expect(await device.engine.sync().mode == .incremental)
  }
}
