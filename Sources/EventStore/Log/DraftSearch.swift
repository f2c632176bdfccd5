import SQLiteKit
import TrunkModel

/// Checks whether a garden already has the text of a draft.
struct DraftSearch {
  let database: Database

  /// Whether the whole text of a draft is in the garden's draft with the same key or in its events.
  func has(_ draft: Draft) throws -> Bool {
    if let stored = try DraftTable(database: database).load(draft.key) {
      // A draft of the same form that differs is a later version of it.
      if try draft.isForm || isPart(draft.text, of: stored.text) { return true }
    }
    return try draft.texts.allSatisfy(isInEvent)
  }

  /// Saves the drafts of another garden whose text this one lacks, each in front of newer text with the same key.
  /// - Returns: the number of these drafts.
  func restore(_ drafts: [Draft]) throws -> Int {
    let missing = try missing(drafts)
    for draft in missing { try DraftTable(database: database).restore(draft) }
    return missing.count
  }

  /// The drafts whose text is not in this garden.
  func missing(_ drafts: [Draft]) throws -> [Draft] { try drafts.filter { try !has($0) } }

  private func isPart(_ text: String, of whole: String) throws -> Bool {
    try database.integer("SELECT instr(?1, ?2) > 0", .text(whole), .text(text)) != 0
  }

  private func isInEvent(_ text: String) throws -> Bool {
    // JSON may escape every character except letters and digits. So the longest run of those is in the event's JSON
    // unchanged, and looking for it first is fast.
    let plain = text.utf8.split { !(0x30...0x39).contains($0) && !(0x61...0x7A).contains($0 | 0x20) }
    let longest = plain.max { $0.count < $1.count }.map { String(decoding: $0, as: UTF8.self) } ?? ""
    return try database.integer(
      """
      SELECT EXISTS (
        SELECT 1 FROM events, json_tree(iif(json_valid(raw), raw, 'null')) AS part
        WHERE instr(raw, ?1) > 0 AND part.type = 'text' AND instr(part.atom, ?2) > 0)
      """, .text(longest), .text(text)) != 0
  }
}

extension EventStore {
  /// Returns those drafts of another garden whose text this one lacks.
  public func missingDrafts(_ drafts: [Draft]) throws(StoreError) -> [Draft] {
    drafts.isEmpty ? [] : try read { try DraftSearch(database: $0).missing(drafts) }
  }
}

extension Draft {
  /// A digest of all drafts of a garden, in hexadecimal digits, which changes with each of their texts.
  public static func digest(of drafts: [Draft]) -> String {
    // JSON keeps the fields apart, whatever they contain.
    let fields = drafts.map { JSON.array([$0.key.kind, $0.key.entity, $0.key.day, $0.text].map { .string($0) }) }
    return SHA256().digest(of: fields.map(\.compactText).sorted().joined(separator: "\n")).hexadecimal
  }

  /// Whether the draft is a form with several fields, stored as JSON.
  fileprivate var isForm: Bool { fields != nil }

  /// The typed texts, one for each field that isn't empty.
  fileprivate var texts: [String] {
    guard let fields else { return [String(text.trimmed)] }
    return fields.compactMap(\.value.text).map { String($0.trimmed) }.filter { !$0.isEmpty }
  }

  private var fields: [JSON.Member]? {
    // A text that only begins like JSON is a journal text, not a form.
    text.hasPrefix("{") ? (try? JSON(text))?.members : nil
  }
}
