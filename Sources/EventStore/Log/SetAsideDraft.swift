import Glibc
import SQLiteKit
import TrunkModel

/// A draft that could not be saved before its program had to end: a private file in the garden's folder, until a
/// program opens the garden for writing.
struct SetAsideDraft {
  let draft: Draft
  /// The text of the form's last version that was on disk.
  let replaced: String

  private static let prefix = "unsaved-draft-"
  private static let suffix = ".json"

  func write(in folder: String) throws(PrivateFiles.Failure) {
    var members = [
      ("kind", draft.key.kind), ("entity", draft.key.entity), ("day", draft.key.day),
      ("updated", draft.updated.description), ("text", draft.text), ("replaced", replaced),
    ]
    if let asked = draft.asked { members.append(("asked", asked)) }
    let json = JSON.object(members.map { JSON.Member($0.0, .string($0.1)) })
    let name = SetAsideDraft.prefix + RandomUUID.text() + SetAsideDraft.suffix
    try PrivateFiles.write(json.compactText, to: folder + "/" + name)
    try PrivateFiles.sync(folder: folder)
  }

  /// Whether a file of this name holds a set-aside draft.
  static func isName(_ name: String) -> Bool { name.hasPrefix(prefix) && name.hasSuffix(suffix) }

  /// Moves the drafts of all files into the garden. A file that isn't a draft stays.
  /// - Throws: the first error; that file stays too.
  static func saveAll(in folder: String, to database: Database) throws {
    var problem: (any Error)?
    for name in try PrivateFiles.names(in: folder) where isName(name) {
      let path = folder + "/" + name
      do {
        try PrivateFiles.readExclusively(path) { bytes in
          guard let file = SetAsideDraft(bytes) else { return }
          try database.transaction { try file.save(to: DraftTable(database: database)) }
          try PrivateFiles.remove(path)
        }
      } catch {
        problem = problem ?? error
      }
    }
    if let problem { throw problem }
  }

  /// Saves it before any text that was written since.
  private func save(to table: DraftTable) throws {
    let stored = try table.load(draft.key)?.text ?? ""
    guard stored != replaced else {
      return draft.text.isEmpty ? try table.remove(draft.key) : try table.save(draft)
    }
    // A crash may have prevented the removal of the file.
    guard !draft.text.isEmpty, !stored.hasPrefix(draft.text + "\n") else { return }
    try table.restore(draft)
  }

  /// - Returns: `nil` if it is not such a file.
  private init?(_ bytes: [UInt8]) {
    guard let json = try? JSON(String(decoding: bytes, as: UTF8.self)), let kind = json["kind"]?.text,
      let entity = json["entity"]?.text, let day = json["day"]?.text, let text = json["text"]?.text,
      let updated = json["updated"]?.text.flatMap({ Instant($0) })
    else { return nil }
    draft = Draft(
      key: DraftKey(kind: kind, entity: entity, day: day), text: text, asked: json["asked"]?.text, updated: updated)
    replaced = json["replaced"]?.text ?? ""
  }
}

extension SetAsideDraft {
  init(_ draft: Draft, replacing replaced: String) { (self.draft, self.replaced) = (draft, replaced) }
}

extension EventStore {
  /// Writes a draft that can't be saved into a private file in a garden's folder. `open` saves it later.
  /// - Parameter replaced: the text of its last version that was saved; empty if none was.
  /// - Throws: `moved` if the folder is gone.
  public nonisolated static func setAside(
    _ draft: Draft, replacing replaced: String = "", in folder: String
  ) throws(StoreError) {
    do { try SetAsideDraft(draft, replacing: replaced).write(in: folder) } catch {
      throw error.systemError == ENOENT ? .moved(path: GardenFile.path(in: folder)) : .init(error, path: error.path)
    }
  }

  /// Saves all drafts that were set aside; call it before the garden is copied and removed.
  public func saveSetAsideDrafts() throws(StoreError) {
    do { try SetAsideDraft.saveAll(in: folder, to: database) } catch { throw failure(error) }
  }
}
