import Foundation
import SQLiteKit
import TemporaryFolders
import Testing

@testable import EventStore

/// A draft that could not be saved is saved by the next program.
struct SetAsideDraftTests {
  private let folder: TemporaryFolder
  private let key = DraftKey(kind: "water", entity: "sprout-1", day: "")

  init() throws {
    folder = try TemporaryFolder.forGarden()
    _ = try folder.store()
  }

  private func draft(_ text: String, key: DraftKey? = nil) -> Draft {
    Draft(key: key ?? self.key, text: text, asked: "Why?", updated: .start)
  }

  /// The names of the files with drafts.
  private var files: [String] {
    get throws { try PrivateFiles.names(in: folder.garden).filter { $0.hasPrefix("unsaved-draft-") } }
  }

  @Test func openingTheGardenSavesTheDraft() async throws {
    try EventStore.setAside(draft("Slow bow\n\u{1F3BB}"), in: folder.garden)
    #expect(try files.count == 1)
    let mode = try FileManager.default.attributesOfItem(atPath: folder.garden + "/" + files[0])[.posixPermissions]
    #expect(mode as? Int == 0o600)
    #expect(try await folder.store().draft(for: key) == draft("Slow bow\n\u{1F3BB}"))
    #expect(try files.isEmpty)
  }

  @Test func aNewerTextIsJoined() async throws {
    try await folder.store().save(draft("Less arm"))
    try EventStore.setAside(draft("Slow bow"), in: folder.garden)
    #expect(try await folder.store().draft(for: key)?.text == "Slow bow\nLess arm")
  }

  @Test func replacesTheVersionOnWhichItWasTyped() async throws {
    try await folder.store().save(draft("Slow"))
    try EventStore.setAside(draft("Slow bow"), replacing: "Slow", in: folder.garden)
    #expect(try await folder.store().drafts().map(\.text) == ["Slow bow"])
    try EventStore.setAside(draft(""), replacing: "Slow bow", in: folder.garden)
    #expect(try await folder.store().drafts().isEmpty, "an empty text removes the draft")
    #expect(try files.isEmpty)
  }

  @Test func anOpenFormDoesNotOverwriteIt() async throws {
    let form = try folder.store()
    try EventStore.setAside(draft("Slow bow"), in: folder.garden)
    _ = try folder.store()
    #expect(try await form.save(draft("x"), replacing: "") == draft("Slow bow"))
    #expect(try await form.drafts().map(\.text) == ["Slow bow"])
    #expect(try await form.save(draft("Slow bow\nx"), replacing: "Slow bow") == nil)
    #expect(try await form.drafts().map(\.text) == ["Slow bow\nx"])
  }

  @Test func signingOutSavesTheDraftFirst() async throws {
    let store = try folder.store()
    try EventStore.setAside(draft("Slow bow"), in: folder.garden)
    try await store.saveSetAsideDrafts()
    #expect(try await store.drafts().map(\.text) == ["Slow bow"])
    #expect(try files.isEmpty)
  }

  @Test func twoVersionsOfAFormAreKept() async throws {
    let form = DraftKey(kind: "plant", entity: "leaf#form-1", day: "")
    try await folder.store().save(draft("{}", key: form))
    try EventStore.setAside(draft("{\"title\":\"Swim\"}", key: form), in: folder.garden)
    let drafts = try await folder.store().drafts()
    #expect(Set(drafts.map(\.text)) == ["{}", "{\"title\":\"Swim\"}"])
    #expect(drafts.allSatisfy { $0.key.entity.hasPrefix("leaf#") })
  }

  @Test func nothingCanBeSetAsideForARemovedGarden() throws {
    try FileManager.default.removeItem(atPath: folder.garden)
    #expect(throws: StoreError.moved(path: folder.database)) {
      try EventStore.setAside(draft("Slow bow"), in: folder.garden)
    }
  }

  @Test func aFileThatIsNotADraftStays() async throws {
    let path = folder.garden + "/unsaved-draft-1.json"
    try Data("{\"kind\":\"water\"}".utf8).write(to: URL(fileURLWithPath: path))
    #expect(try await folder.store().drafts().isEmpty)
    #expect(try files.count == 1)
  }

  @Test func waitsUntilNoOtherProgramHoldsTheLock() async throws {
    try EventStore.setAside(draft("Slow bow"), in: folder.garden)
    let other = try Database(path: folder.database, mode: .readWrite, busyTimeout: 0)
    try other.run("BEGIN IMMEDIATE")
    #expect(try await folder.store().drafts().isEmpty)
    #expect(try files.count == 1)
    try other.run("ROLLBACK")
    #expect(try await folder.store().drafts().map(\.text) == ["Slow bow"])
  }

  /// The window's reads would wait too.
  @Test func savingADraftDoesNotWaitLongForALock() async throws {
    let store = try EventStore(folder: folder.garden, options: ConnectionOptions(busyTimeout: 600_000))
    let other = try Database(path: folder.database, mode: .readWrite, busyTimeout: 0)
    try other.run("BEGIN IMMEDIATE")
    await #expect(throws: StoreError.busy) { try await store.save(draft("Slow bow")) }
    try other.run("ROLLBACK")
    #expect(try await store.read { try $0.integer("PRAGMA busy_timeout") } == 600_000)
  }
}
