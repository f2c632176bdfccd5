import SQLiteKit
import TrunkModel

struct DraftTable {
  let database: Database

  private static let columns = "kind, entity, day, updated, text, asked"

  func save(_ draft: Draft) throws {
    try database.execute(
      "INSERT OR REPLACE INTO drafts (\(DraftTable.columns)) VALUES (?, ?, ?, ?, ?, ?)",
      .text(draft.key.kind), .text(draft.key.entity), .text(draft.key.day), .integer(draft.updated.milliseconds),
      .text(draft.text), .text(draft.asked))
  }

  func load(_ key: DraftKey) throws -> Draft? {
    try database.first(
      "SELECT \(DraftTable.columns) FROM drafts WHERE kind = ? AND entity = ? AND day = ?",
      .text(key.kind), .text(key.entity), .text(key.day), map: draft)
  }

  /// Newest first.
  func all() throws -> [Draft] {
    try database.all("SELECT \(DraftTable.columns) FROM drafts ORDER BY updated DESC", map: draft)
  }

  /// Calls `body` for each readable draft, in no particular order. Also reads files of older versions, which don't
  /// store what a draft answers.
  func each(_ body: (Draft) -> Void) throws {
    let hasAsked = try database.integer("SELECT count(*) FROM pragma_table_info('drafts') WHERE name = 'asked'") > 0
    let columns = hasAsked ? DraftTable.columns : "kind, entity, day, updated, text, NULL"
    try database.rows("SELECT \(columns) FROM drafts") { row in
      body(draft(row))
      return true
    }
  }

  func remove(_ key: DraftKey) throws {
    try database.execute(
      "DELETE FROM drafts WHERE kind = ? AND entity = ? AND day = ?", .text(key.kind), .text(key.entity),
      .text(key.day))
  }

  /// Removes a draft unless its text has changed since.
  /// - Returns: whether it was removed.
  @discardableResult
  func remove(_ draft: Draft) throws -> Bool {
    try database.execute(
      "DELETE FROM drafts WHERE kind = ? AND entity = ? AND day = ? AND text = ?", .text(draft.key.kind),
      .text(draft.key.entity), .text(draft.key.day), .text(draft.text))
    return database.changes > 0
  }

  /// Restores a draft, before any text that was written under the same key since. Two versions of a form are both
  /// kept: their texts can't be joined.
  func restore(_ draft: Draft) throws {
    let stored = try load(draft.key)?.text ?? ""
    guard stored != draft.text else { return }
    let isSecond = draft.key.isForm && !stored.isEmpty
    let text = stored.isEmpty || isSecond ? draft.text : draft.text + "\n" + stored
    try save(
      Draft(key: isSecond ? draft.key.newSlot() : draft.key, text: text, asked: draft.asked, updated: draft.updated))
  }

  private func draft(_ row: Row) -> Draft {
    Draft(
      key: DraftKey(kind: row.text(0), entity: row.text(1), day: row.text(2)), text: row.text(4),
      asked: row.optionalText(5), updated: Instant(milliseconds: row.integer(3)))
  }
}

extension EventStore {
  /// How long saving a draft waits for another program's lock, in milliseconds. The text is still in its form, which
  /// tries again; a longer wait would only delay the window's reads.
  private static let draftBusyTimeout: Int32 = 1000

  /// Saves a draft while the user types. The draft then survives a crash of the program. It survives a power failure as
  /// soon as the next event is stored or the kernel has written the file.
  /// - Parameter known: the text that the form knows to be on disk; `nil` to replace any.
  /// - Returns: the draft that is on disk instead, for example because another program undid an entry. Then nothing was
  ///   changed.
  @discardableResult
  public func save(_ draft: Draft, replacing known: String? = nil) throws(StoreError) -> Draft? {
    try writeDraft { table in
      if let known, let stored = try table.load(draft.key), ![known, draft.text].contains(stored.text) {
        return stored
      }
      if draft.text.isEmpty { try table.remove(draft.key) } else { try table.save(draft) }
      return nil
    }
  }

  /// Saves a draft that was removed, in front of any text that was written under the same key since.
  public func restoreDraft(_ draft: Draft) throws(StoreError) { try writeDraft { try $0.restore(draft) } }

  public func draft(for key: DraftKey) throws(StoreError) -> Draft? {
    try read { try DraftTable(database: $0).load(key) }
  }

  /// All drafts, newest first.
  public func drafts() throws(StoreError) -> [Draft] {
    try read { try DraftTable(database: $0).all() }
  }

  public func removeDraft(for key: DraftKey) throws(StoreError) {
    try writeDraft { try $0.remove(key) }
  }

  /// Removes a draft unless its text has changed since.
  /// - Returns: whether it was removed.
  @discardableResult
  public func removeDraft(_ draft: Draft) throws(StoreError) -> Bool {
    try writeDraft { try $0.remove(draft) }
  }

  private func writeDraft<Value>(_ body: (DraftTable) throws -> Value) throws(StoreError) -> Value {
    database.setBusyTimeout(Self.draftBusyTimeout)
    defer { database.setBusyTimeout(busyTimeout) }
    return try write(durably: false) { try body(DraftTable(database: $0)) }
  }
}
