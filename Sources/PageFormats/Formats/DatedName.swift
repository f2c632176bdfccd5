/// A date in front matter, or in the name of a file with what else the name says.
struct DatedName {
  let written: WrittenDate
  /// The date as it is written.
  let text: String
  /// The name without the date.
  let rest: String
  let folder: Substring

  /// A date in front matter.
  init?(property text: String) {
    guard let date = WrittenDate(text, in: .nothing) else { return nil }
    (written, self.text, rest, folder) = (date, text, "", Self.frontMatter)
  }

  /// Stands for the folder of dates in front matter, because their order is that of another program's settings.
  private static let frontMatter: Substring = "/"

  /// - Returns: `nil` if neither the name nor the folders have a date.
  init?(_ file: ExportFiles.File) {
    folder = file.folder
    if let date = WrittenDate(file.stem, in: .name) {
      written = date
      text = String(file.stem[date.range])
      let words = [file.stem[..<date.range.lowerBound], file.stem[date.range.upperBound...]]
        .map { PageText.line($0.trimming(" -–—_.,:")) }
      // The day of the week belongs to the date.
      rest = words.filter { !$0.isEmpty && ($0.utf8.count < 3 || !DateWords.isWeekday($0.lowercased())) }
        .joined(separator: " ")
      return
    }
    // `2023/January/05.md`, `2023/01/05.md`, `2023-01/05.md`
    let folders = file.fullPath.split(separator: "/").dropLast()
    let paths = [folders.suffix(2).joined(separator: "/") + "/" + file.stem, (folders.last ?? "") + "-" + file.stem]
    guard let date = paths.lazy.compactMap({ WrittenDate($0, in: .nothing) }).first else { return nil }
    written = date
    text = String(file.stem)
    rest = ""
  }
}

extension StringProtocol {
  /// Without these characters at both ends.
  func trimming(_ characters: String) -> String {
    let start = drop { characters.contains($0) }
    return String(start.reversed().drop { characters.contains($0) }.reversed())
  }
}
