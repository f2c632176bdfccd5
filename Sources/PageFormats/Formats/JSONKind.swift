/// The forms of JSON, told apart by the names of their members.
enum JSONKind: Equatable {
  case dayOne, jrnl, diarium, journey
  /// Entries of an unknown program, as an array or as the member `entries`.
  case list, entries

  /// - Returns: `nil` for another form, such as one whose entries have their text under an unknown name.
  init?(_ bytes: [UInt8]) {
    guard let outline = JSONOutline(bytes) else { return nil }
    if outline.isArray {
      let isDiarium = outline.names.contains("date") && !outline.names.isDisjoint(with: ["html", "heading"])
      guard isDiarium || JSONReader.isEntry(outline.names) else { return nil }
      self = isDiarium ? .diarium : .list
    } else if !outline.names.isDisjoint(with: ["date_journal", "dateOfJournal"]) {
      self = .journey
    } else if outline.hasEntries {
      let names = outline.entryNames
      // A journal of Day One may have no entries.
      if names.contains("creationDate") || names.isEmpty && outline.names.contains("metadata") {
        self = .dayOne
      } else if names.isSuperset(of: ["title", "date", "body"]) {
        self = .jrnl
      } else if JSONReader.isEntry(names) {
        self = .entries
      } else {
        return nil
      }
    } else {
      return nil
    }
  }

  func reader(_ journals: [ExportFiles.File]) -> any FormatReader {
    switch self {
    case .dayOne: DayOneReader(journals: journals)
    case .jrnl: JrnlJSONReader(journals: journals)
    case .diarium: DiariumReader(journals: journals)
    case .journey: JourneyReader(entries: journals)
    case .list: JSONReader(journals: journals, wrapper: nil)
    case .entries: JSONReader(journals: journals, wrapper: "entries")
    }
  }
}
