/// A journal of another program with its pages: one source in the store, and one element of `earlierJournals` in an
/// export file.
public struct EarlierJournal: Hashable, Sendable {
  /// Names the format for programs: `dayone`.
  public var format: String
  /// What the user calls it, usually the name of its file or folder.
  public var name: String
  /// When its newest pages were imported.
  public var importedAt: Instant
  public var pages: [EarlierPage]
  /// The source IDs of pages that the user has removed. An import doesn't bring them back.
  public var removed: [String]

  public init(
    format: String, name: String, importedAt: Instant, pages: [EarlierPage] = [], removed: [String] = []
  ) {
    (self.format, self.name, self.importedAt) = (format, name, importedAt)
    (self.pages, self.removed) = (pages, removed)
  }
}

extension EarlierJournal {
  /// Reads `earlierJournals` of an export file.
  /// - Returns: also the number of pages that can't be read and are left out. A journal without readable pages counts
  ///   as one.
  static func read(_ json: JSON) -> (journals: [EarlierJournal], unreadable: Int) {
    guard let elements = json.elements else { return ([], json == .null ? 0 : 1) }
    let journals = elements.map { EarlierJournal($0) }
    let unreadable = zip(elements, journals).reduce(0) { sum, pair in
      let pages = pair.0["pages"]
      guard let journal = pair.1 else { return sum + max(pages?.elements?.count ?? 1, 1) }
      return sum + (pages.map { $0.elements?.count ?? 1 } ?? 0) - journal.pages.count
    }
    return (journals.compactMap(\.self), unreadable)
  }

  /// Reads what `json` makes. Pages that can't be read are left out.
  /// - Returns: `nil` for anything else.
  private init?(_ json: JSON) {
    guard let format = json["format"]?.text, let name = json["name"]?.text,
      let importedAt = json["importedAt"]?.text.flatMap({ Instant($0) })
    else { return nil }
    self.init(
      format: format, name: name, importedAt: importedAt,
      pages: (json["pages"]?.elements ?? []).compactMap(EarlierPage.init),
      removed: (json["removed"]?.elements ?? []).compactMap(\.text))
  }

  /// Without members that are empty.
  var json: JSON {
    let members: [JSON.Member?] = [
      .init("format", .string(format)), .init("importedAt", .string("\(importedAt)")), .init("name", .string(name)),
      .init("pages", .array(pages.map(\.json))),
      removed.isEmpty ? nil : .init("removed", .array(removed.map { .string($0) })),
    ]
    return .object(members.compactMap(\.self))
  }
}

extension EarlierPage {
  /// Reads what `json` makes; `nil` for anything else.
  public init?(_ json: JSON) {
    guard let date = json["date"]?.text.flatMap({ PageDate($0) }), let id = json["id"]?.text,
      let title = (json["title"] ?? .string("")).text, let text = (json["text"] ?? .string("")).text
    else { return nil }
    self.init(
      date: date, title: title, text: text,
      tags: (json["tags"]?.elements ?? []).compactMap(\.text), place: json["place"]?.text ?? "",
      pictures: json["pictures"]?.double.flatMap { Int(exactly: $0) } ?? 0, sourceID: id)
  }

  /// Without members that are empty.
  public var json: JSON {
    func text(_ name: String, _ text: String) -> JSON.Member? { text.isEmpty ? nil : .init(name, .string(text)) }
    let members = [
      text("date", "\(date)"), text("id", sourceID), pictures == 0 ? nil : .init("pictures", .number(pictures)),
      text("place", place), tags.isEmpty ? nil : .init("tags", .array(tags.map { .string($0) })),
      text("text", self.text),
      text("title", title),
    ]
    return .object(members.compactMap(\.self))
  }
}
