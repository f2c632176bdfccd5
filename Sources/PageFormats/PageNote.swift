import Localization

/// What the user should know about how an export was read.
public enum PageNote: Equatable, Hashable, Sendable {
  /// The number of files that aren't UTF-8 and were read as Windows-1252.
  case windows1252(files: Int)
  /// The number of lines that look like the start of an entry but have no readable date. They stay in the text.
  case linesLikeEntries(count: Int)

  /// A sentence in the user's language.
  public var text: String {
    switch self {
    case .windows1252(let files):
      trn(
        "{n} file is not UTF-8 and was read as Windows-1252. Check its accents.",
        "{n} files are not UTF-8 and were read as Windows-1252. Check their accents.", files)
    case .linesLikeEntries(let count):
      trn(
        "{n} line looks like the start of an entry, but has no readable date. It stays in the text above it.",
        "{n} lines look like the start of an entry, but have no readable date. They stay in the text above them.",
        count)
    }
  }
}
