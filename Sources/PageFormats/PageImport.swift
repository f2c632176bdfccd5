import Localization
import TrunkModel

/// What an export of another journal contains.
public struct PageImport: Equatable, Sendable {
  public var format: PageFormat
  /// Sorted by the text of their dates, then by `sourceID`.
  public var pages: [EarlierPage] = []
  /// Entries and files that became no page, in the order of the source.
  public var skipped: [SkippedPage] = []
  /// How many more there are than `PageLimits.listedSkips`.
  public var unlistedSkips = 0
  /// How often the export has each kind of content that a page can't hold.
  public var leftOut: [LeftOut: Int] = [:]
  /// What the user should know about how the export was read.
  public var notes: [PageNote] = []
  /// The question to answer before anything else is known: read again with `PageOptions.dayMonthOrder`.
  public var question: DayMonthQuestion?
  /// How many pages have only tags, such as Daylio's mood without a word. `PageOptions.skipsBareTags` leaves them out.
  public var bareTagPages = 0

  public init(format: PageFormat) { self.format = format }

  /// Whether the export writes dates that can be read in two ways.
  public var needsDayMonthOrder: Bool { question != nil }
}

/// Whether `03.04.2023` is 3 April or March 4.
public enum DayMonthOrder: Sendable, CaseIterable {
  case dayFirst, monthFirst
}

/// Dates such as `03.04.2023`, and nothing in the export shows their order.
public struct DayMonthQuestion: Equatable, Sendable {
  /// A date as the export writes it.
  public var example: String
  /// How the example reads with each answer.
  public var dayFirst, monthFirst: PageDate
}

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

public enum SkipReason: Equatable, Sendable, CaseIterable {
  /// It has no date, or one that no calendar has.
  case noDate
  /// It has nothing but a date.
  case empty
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
    case .empty: tr("nothing but a date")
    case .duplicate: tr("the same as another entry")
    case .tooLong: tr("too long for a page")
    case .unreadable: tr("the file can’t be read")
    case .malformed: tr("the file is damaged")
    case .notAFile: tr("a link or device, not a file")
    case .bareTags: tr("only a mood or tags")
    }
  }
}

/// Content that a page can't hold.
public enum LeftOut: Equatable, Hashable, Sendable, CaseIterable {
  case pictures, videos, sounds, documents, moods, weather, stars, coordinates, activities, music, scales, properties
  case links, underlines, tasks

  /// How many, in the user's language: `3 pictures`.
  public func text(_ count: Int) -> String {
    switch self {
    case .pictures: trn("{n} picture", "{n} pictures", count)
    case .videos: trn("{n} video", "{n} videos", count)
    case .sounds: trn("{n} sound recording", "{n} sound recordings", count)
    case .documents: trn("{n} document", "{n} documents", count)
    case .moods: trn("{n} mood", "{n} moods", count)
    case .weather: trn("{n} weather note", "{n} weather notes", count)
    case .stars: trn("{n} star or pin", "{n} stars or pins", count)
    case .coordinates: trn("{n} map position", "{n} map positions", count)
    case .activities: trn("{n} activity", "{n} activities", count)
    case .music: trn("{n} piece of music", "{n} pieces of music", count)
    case .scales: trn("{n} entry with ratings", "{n} entries with ratings", count)
    case .properties: trn("{n} property", "{n} properties", count)
    case .links: trn("{n} link between notes", "{n} links between notes", count)
    case .underlines: trn("{n} underline", "{n} underlines", count)
    case .tasks: trn("{n} task time", "{n} task times", count)
    }
  }
}

/// What the user should know about how an export was read.
public enum PageNote: Equatable, Hashable, Sendable {
  /// So many files aren't UTF-8 and were read as Windows-1252.
  case windows1252(files: Int)
  /// So many lines look like the start of an entry, but their date can't be read: they stay in the text.
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
