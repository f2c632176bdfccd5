import SQLiteKit
import TrunkModel

/// A draft that could not be saved before its program had to end: a private file in the garden's folder, until a
/// program opens the garden for writing.
enum SetAsideDraft {
  private static let prefix = "unsaved-draft-"
  private static let suffix = ".json"

  static func write(_ draft: Draft, in folder: String) throws(PrivateFiles.Failure) {
    var members = [
      ("kind", draft.key.kind), ("entity", draft.key.entity), ("day", draft.key.day),
      ("updated", draft.updated.description), ("text", draft.text),
    ]
    if let asked = draft.asked { members.append(("asked", asked)) }
    let json = JSON.object(members.map { JSON.Member($0.0, .string($0.1)) })
    try PrivateFiles.write(json.compactText, to: folder + "/" + prefix + RandomUUID.text() + suffix)
    try PrivateFiles.sync(folder: folder)
  }

  /// Moves the drafts of all files into the garden. A file that can't be read or saved stays for the next time.
  static func saveAll(in folder: String, to database: Database, patience: Int32) {
    // Another program's lock must not delay the start.
    database.setBusyTimeout(0)
    defer { database.setBusyTimeout(patience) }
    guard let names = try? PrivateFiles.names(in: folder) else { return }
    for name in names where name.hasPrefix(prefix) && name.hasSuffix(suffix) {
      let path = folder + "/" + name
      guard let bytes = try? PrivateFiles.readFile(path), let draft = draft(bytes) else { continue }
      do {
        try database.transaction { try DraftTable(database: database).restore(draft) }
        try PrivateFiles.remove(path)
      } catch {
        continue
      }
    }
  }

  /// - Returns: `nil` if it is not such a file.
  private static func draft(_ bytes: [UInt8]) -> Draft? {
    guard let json = try? JSON(String(decoding: bytes, as: UTF8.self)), let kind = json["kind"]?.text,
      let entity = json["entity"]?.text, let day = json["day"]?.text, let text = json["text"]?.text, !text.isEmpty,
      let updated = json["updated"]?.text.flatMap({ Instant($0) })
    else { return nil }
    return Draft(
      key: DraftKey(kind: kind, entity: entity, day: day), text: text, asked: json["asked"]?.text, updated: updated)
  }
}

extension EventStore {
  /// Writes a draft that can't be saved into a private file in a garden's folder. `open` saves it later.
  public nonisolated static func setAside(_ draft: Draft, in folder: String) throws(StoreError) {
    do { try SetAsideDraft.write(draft, in: folder) } catch { throw StoreError(error, path: error.path) }
  }
}
