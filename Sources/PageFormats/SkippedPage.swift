import Localization

/// An entry or a file that became no page.
public struct SkippedPage: Equatable, Sendable {
  /// Names it: the file, or its date or title.
  public var what: String
  public var why: SkipReason

  public init(what: String, why: SkipReason) {
    self.what = what
    self.why = why
  }
}

/// Why an entry or a file became no page.
public enum SkipReason: Equatable, Sendable, CaseIterable {
  /// It has no date, or one that no calendar has.
  case noDate
  /// Its dates have no year, and neither its name nor a heading tells it.
  case noYear
  /// It has nothing but a date.
  case empty
  /// It has only video, sound or documents, which aren't imported.
  case onlyMedia
  /// Another entry has the same name, or the same date, title and text.
  case duplicate
  /// Its text is longer than a page may be.
  case tooLong
  /// The file is damaged, encrypted or may not be read.
  case unreadable
  /// The file isn't what the format says, such as broken JSON.
  case malformed
  /// A symbolic link, a pipe or a device.
  case notAFile
  /// It has only tags, and the caller asked to leave such entries out.
  case bareTags

  /// The reason in the user's language, as the end of a line: `2024-01-12.md: nothing but a date`.
  public var text: String {
    switch self {
    case .noDate: tr("no usable date")
    case .noYear: tr("dates without a year")
    case .empty: tr("nothing but a date")
    case .onlyMedia: tr("only video, sound or documents, which aren’t imported")
    case .duplicate: tr("the same as another entry")
    case .tooLong: tr("too long for a page")
    case .unreadable: tr("the file can’t be read")
    case .malformed: tr("the file is damaged")
    case .notAFile: tr("a link or device, not a file")
    case .bareTags: tr("only a mood or tags")
    }
  }
}
