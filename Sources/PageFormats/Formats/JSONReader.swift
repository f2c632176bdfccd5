import TrunkModel

/// Reads the JSON of programs that aren't known: a list of objects with a date and a text, alone or as `entries`.
struct JSONReader: FormatReader {
  let format = PageFormat.json
  let journals: [ExportFiles.File]
  /// The name of the list, if it is a member of an object.
  let wrapper: String?

  private static let texts = ["text", "content", "body", "html"]

  /// Whether entries with these names can be read. An entry whose text has another name would lose it.
  static func isEntry(_ names: Set<String>) -> Bool { names.contains("date") && !names.isDisjoint(with: texts) }

  func read(_ collector: PageCollector) throws(PageReadError) {
    try collector.forEach(journals) { file, bytes throws(PageReadError) in
      try collector.forEachObject(bytes, of: file, in: wrapper) { entry throws(PageReadError) in
        try collector.add(Self.draft(entry))
      }
    }
  }

  private static func draft(_ entry: JSON) -> PageDraft {
    let date = entry["date"]?.text ?? ""
    let text = texts.lazy.compactMap { entry[$0]?.text }.first { !$0.isEmpty } ?? ""
    let id = entry["id"]?.text ?? entry["id"]?.double.map { "\(Int64(clamping: $0))" }
    return PageDraft(
      label: date, date: PageDate(iso: date), title: entry["title"]?.text ?? entry["heading"]?.text ?? "",
      text: HTMLText.hasMarkup(text) ? HTMLText.plain(text) : text, tags: tags(entry["tags"]), id: id)
  }

  /// A list, or words separated with commas.
  static func tags(_ value: JSON?) -> [String] {
    value?.elements?.compactMap(\.text) ?? value?.text?.split(separator: ",").map(String.init) ?? []
  }
}

extension Int64 {
  /// The nearest whole number.
  fileprivate init(clamping value: Double) { self = Int64(exactly: value.rounded()) ?? 0 }
}
