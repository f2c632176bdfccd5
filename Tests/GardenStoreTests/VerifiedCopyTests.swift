import Foundation
import Garden
import Storage
import Testing

@testable import GardenStore

/// The copy without which nothing is cleared.
@Suite struct VerifiedCopyTests {
  let folder: TemporaryFolder
  let store: GardenStore

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.store()
  }

  private var copies: String { folder.path + "/signed-out/user" }

  /// A confirmed, an unsent and a rejected event, and a draft.
  private func fill() async throws {
    _ = try await store.merge([row(1, .water(1, "confirmed"))])
    _ = try await store.append([.water(2, "rejected")])
    try await store.quarantine(try await store.outbox(now: .start)[0], answer: "400")
    _ = try await store.append([.water(3, "unsent")], heldUntil: .start.plus(9))
    try await store.save(draft("half a sentence"))
  }

  private func draft(_ text: String) -> Draft {
    Draft(key: DraftKey(kind: "water", entity: "sprout-1", day: ""), text: text, updated: .start)
  }

  @Test func copyHoldsEverythingAndOnlyItsOwnerCanReadIt() async throws {
    try await fill()
    let copy = try await store.writeCopy(below: copies, at: .start)
    let contents = try copy.contents()
    #expect(contents.events.map(\.journalText) == [["confirmed"], ["rejected"], ["unsent"]])
    #expect(contents.drafts.map(\.text) == ["half a sentence"])
    #expect(try folder.mode("signed-out/user/\(copy.name)") == 0o700)
    #expect(try folder.mode("signed-out/user/\(copy.name)/garden.db") == 0o600)
    #expect(try GardenStore.copies(below: copies) == [copy])
    // The same second again is another copy.
    let second = try await store.writeCopy(below: copies, at: .start)
    #expect(second != copy)
    #expect(try GardenStore.copies(below: copies) == [second, copy])
  }

  @Test func clearRemovesOnlyWhatIsInTheCopy() async throws {
    try await fill()
    let copy = try await store.writeCopy(below: copies, at: .start)
    _ = try await store.append([.water(4, "written since")])
    #expect(try await !store.clear(keptIn: copy))
    #expect(try await store.count() == 4)
    let newer = try await store.writeCopy(below: copies, at: .start)
    try await store.save(draft("a draft since"))
    #expect(try await !store.clear(keptIn: newer))
    #expect(try await store.drafts().count == 1)
    let newest = try await store.writeCopy(below: copies, at: .start)
    #expect(try await store.clear(keptIn: newest))
    #expect(try await store.count() == 0)
    #expect(try newest.contents().events.count == 4)
  }

  @Test func clearRefusesADamagedCopy() async throws {
    try await fill()
    let copy = try await store.writeCopy(below: copies, at: .start)
    let database = try Database(path: copy.path, mode: .readWrite, busyTimeout: 0)
    try database.run("UPDATE events SET raw = replace(raw, 'unsent', 'forged')")
    #expect(throws: StoreError.damaged(path: copy.path)) { try copy.contents() }
    #expect(try await !store.clear(keptIn: copy))
    try FileManager.default.removeItem(atPath: copy.path)
    await #expect(throws: StoreError.self) { try await store.clear(keptIn: copy) }
    #expect(try await store.count() == 3)
  }

  @Test func plantedLinkLeadsNowhere() async throws {
    try await fill()
    let elsewhere = folder.path + "/elsewhere"
    try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: false)
    try FileManager.default.createDirectory(atPath: folder.path + "/signed-out", withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(atPath: copies, withDestinationPath: elsewhere)
    await #expect(throws: StoreError.self) { try await store.writeCopy(below: copies, at: .start) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere).isEmpty)
    #expect(try await store.count() == 3)
  }

  @Test func unfinishedCopyIsNoCopy() async throws {
    try await fill()
    let unfinished = copies + "/20260101-000000.part"
    try FileManager.default.createDirectory(atPath: unfinished, withIntermediateDirectories: true)
    try "".write(toFile: unfinished + "/garden.db", atomically: false, encoding: .utf8)
    #expect(try GardenStore.copies(below: copies).isEmpty)
    let copy = try await store.writeCopy(below: copies, at: .start)
    #expect(try FileManager.default.contentsOfDirectory(atPath: copies) == [copy.name])
  }

  @Test func onlyWhatIsLackingComesBackAndOnlyOnce() async throws {
    try await fill()
    let contents = try await store.writeCopy(below: copies, at: .start).contents()
    #expect(try await store.lacking(contents.events).isEmpty)
    #expect(try await store.restore(contents.drafts) == 0)
    try await store.clear()
    _ = try await store.merge([row(1, .water(1, "confirmed"))])
    try await store.save(draft("begun since"))
    let lacking = try await store.lacking(contents.events + contents.events)
    #expect(lacking.map(\.journalText) == [["rejected"], ["unsent"]])
    _ = try await store.append(lacking)
    #expect(try await store.syncFigures(now: .start).pending == 2)
    #expect(try await store.lacking(contents.events).isEmpty)
    for count in [1, 0] { #expect(try await store.restore(contents.drafts) == count) }
    #expect(try await store.drafts().map(\.text) == ["half a sentence\nbegun since"])
  }
}
