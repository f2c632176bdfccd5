import Garden
import Storage

/// What a draft belongs to: one text field about one thing on one day.
public struct DraftKey: Hashable, Sendable {
  /// The form, such as `water`.
  public var kind: String
  /// The id of what it is about.
  public var entity: String
  /// The reset day, or empty for drafts that do not lapse.
  public var day: String

  public init(kind: String, entity: String, day: String) {
    self.kind = kind
    self.entity = entity
    self.day = day
  }
}

/// A text that was typed and not yet made an event.
public struct Draft: Sendable, Equatable {
  public let key: DraftKey
  public let text: String
  public let updated: Instant

  public init(key: DraftKey, text: String, updated: Instant) {
    self.key = key
    self.text = text
    self.updated = updated
  }
}

struct DraftTable {
  let database: Database

  func save(_ text: String, _ key: DraftKey, now: Instant) throws {
    try database.execute(
      "INSERT OR REPLACE INTO drafts (kind, entity, day, updated, text) VALUES (?, ?, ?, ?, ?)",
      .text(key.kind), .text(key.entity), .text(key.day), .integer(now.milliseconds), .text(text))
  }

  func load(_ key: DraftKey) throws -> Draft? {
    try database.first(
      "SELECT kind, entity, day, updated, text FROM drafts WHERE kind = ? AND entity = ? AND day = ?",
      .text(key.kind), .text(key.entity), .text(key.day), map: draft)
  }

  /// Newest first.
  func all() throws -> [Draft] {
    try database.all("SELECT kind, entity, day, updated, text FROM drafts ORDER BY updated DESC", map: draft)
  }

  /// In no order, as far as they can be read.
  func each(_ body: (Draft) -> Void) throws {
    try database.rows("SELECT kind, entity, day, updated, text FROM drafts") { row in
      body(draft(row))
      return true
    }
  }

  func remove(_ key: DraftKey) throws {
    try database.execute(
      "DELETE FROM drafts WHERE kind = ? AND entity = ? AND day = ?", .text(key.kind), .text(key.entity),
      .text(key.day))
  }

  /// Removes a draft that still has these words.
  func remove(_ draft: Draft) throws {
    try database.execute(
      "DELETE FROM drafts WHERE kind = ? AND entity = ? AND day = ? AND text = ?", .text(draft.key.kind),
      .text(draft.key.entity), .text(draft.key.day), .text(draft.text))
  }

  /// Keeps a draft again, in front of what was begun in its place meanwhile.
  func restore(_ draft: Draft) throws {
    let present = try load(draft.key)?.text ?? ""
    guard present != draft.text else { return }
    try save(present.isEmpty ? draft.text : draft.text + "\n" + present, draft.key, now: draft.updated)
  }

  private func draft(_ row: Row) -> Draft {
    Draft(
      key: DraftKey(kind: row.text(0), entity: row.text(1), day: row.text(2)), text: row.text(4),
      updated: Instant(milliseconds: row.integer(3)))
  }
}
