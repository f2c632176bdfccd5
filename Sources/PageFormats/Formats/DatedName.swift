import TrunkModel

/// A date in front matter, in a heading, or in the name of a file with what else the name says.
struct DatedName {
  private(set) var written: WrittenDate
  /// The date as it is written.
  let text: String
  /// The name or heading without the date.
  private(set) var rest: String
  /// The tags that the name has.
  private(set) var tags: [String] = []
  let folder: Substring
  /// Whether the whole date is in the name itself, and not in folders.
  private(set) var isInName = false

  /// A date in front matter. Some programs make a link of the day: `[[2024-07-22]]`.
  init?(property text: String) {
    let plain = text.trimming("[] ")
    guard let date = WrittenDate(plain, in: .nothing) ?? WrittenDate(milliseconds: plain) else { return nil }
    (written, self.text, rest, folder) = (date, text, "", Self.noFolder)
  }

  /// A date in a heading, alone or with a title.
  init?(heading: String) {
    if let date = DatedName(property: heading) {
      self = date
    } else if let heading = DatedTitle(heading) {
      (written, text, rest, folder) = (heading.written, heading.text, heading.title, Self.noFolder)
    } else {
      return nil
    }
  }

  /// A date without a year in a heading: `5 March`. The month must be a name.
  init?(heading: String, year: Int32) {
    let tokens = DateToken.tokens(heading[...]).tokens
    guard tokens.count(where: { $0.number != nil }) == 1,
      tokens.contains(where: { $0.word.flatMap(DateWords.month) != nil }),
      let date = DatedName(property: heading + " \(year)"), case .known = date.written.dayMonth,
      date.written.second == nil
    else { return nil }
    self = date
  }

  /// Stands for the folder of dates that aren't in names, because their order is that of another program's settings.
  private static let noFolder: Substring = "/"

  /// - Returns: `nil` if neither the name nor the folders have a date.
  init?(_ file: ExportFiles.File) {
    folder = file.folder
    if var date = WrittenDate(file.stem, in: .name) {
      date.place(in: file.month)
      (written, text, rest, isInName) = (date, String(file.stem[date.range]), "", true)
      readRest(of: file.stem)
      return
    }
    // `2023/January/05.md`, `2023/01/05.md`, `2023-01/05.md`
    let folders = file.fullPath.split(separator: "/").dropLast()
    let paths = [folders.suffix(2).joined(separator: "/") + "/" + file.stem, (folders.last ?? "") + "-" + file.stem]
    if let date = FolderDate.day(folders) {
      let name = PageText.line(file.stem)
      (written, text) = (date, folders.suffix(3).joined(separator: "/"))
      rest = FolderDate.plainNames.contains(name.lowercased()) || Self.isCopyNumber(name) ? "" : name
    } else if let date = paths.lazy.filter(FolderDate.hasYear).compactMap({ WrittenDate($0, in: .nothing) }).first
      ?? FolderDate.day(folders + [file.stem])
    {
      (written, text, rest) = (date, String(file.stem), "")
    } else {
      return nil
    }
  }

  mutating func place(in month: StatedMonth?) { written.place(in: month) }

  /// This date, with what a name of the same day says beside it.
  func with(_ name: DatedName) -> DatedName {
    var result = self
    (result.rest, result.tags) = (name.rest, name.tags)
    return result
  }

  /// Reads the time and the title beside the date.
  private mutating func readRest(of stem: Substring) {
    var tail = stem[written.range.upperBound...]
    if written.second == nil, let time = NamedTime(tail) {
      (written.second, written.hasSeconds, tail) = (time.second, time.hasSeconds, time.rest)
      if time.isUTC { written.zoning = .utc }
    }
    if tail.hasPrefix("--") { readDenote(&tail) }
    let words = [stem[..<written.range.lowerBound], tail].map { PageText.line($0.trimming(" -–—_.,:")) }
    // The day of the week belongs to the date.
    rest = words.filter { !$0.isEmpty && ($0.utf8.count < 3 || !DateWords.isWeekday($0.lowercased())) }
      .joined(separator: " ")
    if Self.isCopyNumber(rest) { rest = "" }
  }

  /// `--my-title__tag1_tag2`, the names of Emacs's Denote.
  /// Source: the manual of Denote, "The file-naming scheme".
  private mutating func readDenote(_ tail: inout Substring) {
    let bytes = Array(tail.utf8)
    guard let end = bytes.firstIndex(of: "__") else { return }
    tags = String(decoding: bytes[end...], as: UTF8.self).split(separator: "_").map(String.init)
    tail = String(decoding: bytes[..<end].map { $0 == 0x2D ? 0x20 : $0 }, as: UTF8.self)[...]
  }

  /// `(1)`, `2` or `001`, with which programs keep names apart.
  private static func isCopyNumber(_ rest: String) -> Bool {
    let digits = rest.trimming("()")
    return (1...3).contains(digits.utf8.count) && HashTags.isNumber(digits)
  }
}

extension StringProtocol {
  /// Without these characters at both ends.
  func trimming(_ characters: String) -> String {
    let start = drop { characters.contains($0) }
    return String(start.reversed().drop { characters.contains($0) }.reversed())
  }
}
