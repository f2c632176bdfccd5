import Localization

/// What the user should know about how an export was read.
public enum PageNote: Equatable, Hashable, Sendable {
  /// The number of files that aren't UTF-8 and were read as Windows-1252.
  case windows1252(files: Int)
  /// The number of files that are UTF-8 except for some bytes, which became U+FFFD.
  case damagedUTF8(files: Int)
  /// The number of files that may be journals but aren't part of this one, and the name of one.
  case notRead(files: Int, example: String)
  /// The number of lines that look like the start of an entry but have no readable date. They stay in the text.
  case linesLikeEntries(count: Int)

  /// A sentence in the user's language.
  public var text: String {
    switch self {
    case .windows1252(let files):
      trn(
        "{n} file is not UTF-8 and was read as Windows-1252. Check its accents.",
        "{n} files are not UTF-8 and were read as Windows-1252. Check their accents.", files)
    case .damagedUTF8(let files):
      trn(
        "{n} file has damaged characters. “�” stands in their place.",
        "{n} files have damaged characters. “�” stands in their place.", files)
    case .notRead(let files, let example):
      trn(
        "{n} other file was not read: “{file}”. If it is a journal, import it by itself.",
        "{n} other files were not read, such as “{file}”. If one is a journal, import it by itself.", files,
        ["file": example])
    case .linesLikeEntries(let count):
      trn(
        "{n} line looks like the start of an entry, but has no readable date. It stays in the text above it.",
        "{n} lines look like the start of an entry, but have no readable date. They stay in the text above them.",
        count)
    }
  }
}
