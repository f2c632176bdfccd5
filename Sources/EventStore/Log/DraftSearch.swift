import SQLiteKit
import TrunkModel

/// Finds the words of a draft in a garden.
struct DraftSearch {
  let database: Database

  /// Whether all words of a draft are in the draft of the same place, or in events that were made of it.
  func has(_ draft: Draft) throws -> Bool {
    if let present = try DraftTable(database: database).load(draft.key) {
      // A form that was changed since is a later state of the same form.
      if draft.isForm || present.text.contains(draft.text) { return true }
    }
    return try draft.texts.allSatisfy(isInEvent)
  }

  private func isInEvent(_ text: String) throws -> Bool {
    // JSON may escape all but these, so the longest run of them is in the text of the event as it is: a quick first look.
    let plain = text.utf8.split { !(0x30...0x39).contains($0) && !(0x61...0x7A).contains($0 | 0x20) }
    let word = plain.max { $0.count < $1.count }.map { String(decoding: $0, as: UTF8.self) } ?? ""
    return try database.integer(
      """
      SELECT EXISTS (
        SELECT 1 FROM events, json_tree(iif(json_valid(raw), raw, 'null')) AS part
        WHERE instr(raw, ?1) > 0 AND part.type = 'text' AND instr(part.atom, ?2) > 0)
      """, .text(word), .text(text)) != 0
  }
}

extension Draft {
  /// Whether it is a form with several fields, kept as JSON.
  fileprivate var isForm: Bool { fields != nil }

  /// What was typed, field by field.
  fileprivate var texts: [String] {
    guard let fields else { return [String(text.trimmed)] }
    return fields.compactMap(\.value.text).map { String($0.trimmed) }.filter { !$0.isEmpty }
  }

  private var fields: [JSON.Member]? {
    guard text.hasPrefix("{"), case .object(let members)? = try? JSON(text) else { return nil }
    return members
  }
}
