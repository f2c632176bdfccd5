import Localization
import TreePicture
import TrunkModel

/// A part of the journal to read outside the program: as a text file, as a web page or on paper.
///
/// All texts are in the user's language and free of control characters; formats only have to escape their own syntax.
public struct JournalBook: Sendable, Equatable {
  /// What the book is about, such as `VOICE · practice`, in a line above the title; may be empty.
  public let subtitle: String
  public let title: String
  /// From the first to the last day: `3 March 2025 – 24 November 2026`; empty without entries.
  public let dates: String
  /// The user's name; may be empty.
  public let author: String
  public let parts: [Part]
  /// The parts that only the book of one or more whole years has.
  public internal(set) var whole: Whole?

  /// The tree on a day, in the colours of a season.
  public struct Tree: Sendable, Equatable {
    public let state: TreeState
    /// See `Palette`.
    public let season: Double
  }

  /// A word or two in italics, and what follows them on the same line.
  public struct RunIn: Sendable, Equatable {
    public let label, text: String
  }

  /// One year, or the whole book if it isn't divided into years.
  public struct Part: Sendable, Equatable {
    /// `nil` if the book has only one part.
    public let title: String?
    public let sections: [Section]
  }

  /// The entries of a month, or of one sprout on a leaf.
  public struct Section: Sendable, Equatable {
    public let title: String
    public let entries: [Entry]
    /// How many waterings without words were left out: `and 4 waterings without words`; empty for none.
    public var silence = ""
    /// `nil` in books of a part of the journal.
    public var month: Month?
  }

  /// What a whole month has beside its entries.
  public struct Month: Sendable, Equatable {
    /// `May`.
    public let name: String
    public let year: String
    /// On its last day, in its colours.
    public let tree: Tree
    /// What was planted, what grew and what the sun fell on.
    public let lines: [RunIn]
    /// `In earlier Mays`.
    public let earlierTitle: String
    /// Entries of other years on days that have an entry in this one, at most one a year, oldest first.
    public let earlier: [Earlier]
  }

  /// An entry of an earlier year, or its beginning.
  public struct Earlier: Sendable, Equatable {
    public let day: Int32
    public let year: Int32
    /// At most thirty words, on one line.
    public let text: String
    let seq: Int64
  }

  /// What came of a sprout: a small chapter on the day of its harvest.
  public struct Chapter: Sendable, Equatable {
    public let title: String
    /// From when to when, and where: `from 3 April to 2 July 2025 · Hands, carpentry`.
    public let span: String
    public let leaflet: TreeState.Leaflet
    /// Hopes, and the first and the last words.
    public let lines: [RunIn]
    /// The day of the harvest and its result as a word.
    public let result: String
    /// The events of its entries, oldest first.
    public let seqs: [Int64]
  }

  /// A line of the index.
  public struct IndexLine: Sendable, Equatable {
    public let title, place: String
    /// The events of its entries in this book.
    public let seqs: [Int64]
  }

  /// The front and back matter of the book of whole years.
  public struct Whole: Sendable, Equatable {
    public let years: ClosedRange<Int32>
    /// The tree of New Year's Eve before.
    public let titleTree: Tree
    public let coverTree: Tree
    /// From the first to the last day, for a flip book; empty if it isn't wanted.
    public let flipTrees: [Tree]
    /// At most three lines.
    public let dedication: [String]
    /// `Volume 3 of 20`; empty for a single book.
    var volume = ""
    let coverDay: Day
    /// The soil gained in each year of the tree, oldest first.
    public let gains: [Double]
    /// The position of the book's last year among the rings; `nil` if it has none.
    public let ring: Int?
    public let names, words: [String]
    public let index: [IndexLine]
    /// A sentence for the back cover, and its day; empty for none.
    public let quote, quoteDay: String
  }

  /// One line of the journal.
  public struct Entry: Sendable, Equatable {
    /// `nil` for an earlier page.
    public let kind: TimelineItem.Kind?
    /// The number of its event in the log; negative for an earlier page.
    public let seq: Int64
    public let day: Day
    /// `21 November 2026`.
    public let date: String
    /// `21 November 2026, 14:05`.
    public let dateAndTime: String
    /// Local date and time for programs: `2026-11-21T14:05`.
    public let stamp: String
    /// The question on one line; `nil` if there is none.
    public let question: String?
    /// As the user wrote it, with lines separated by `\n`; empty if the user wrote nothing.
    public let text: String
    /// Its subject: `Learn the cello prelude · Voice · practice`; in the book of whole years only the sprout.
    public let about: String
    /// The date in a margin: the day in large figures and the weekday, or a short date.
    public let mark: RunIn
    /// The code of the language of its text, such as `de`; `nil` for an unknown one.
    public let language: String?
    public var chapter: Chapter?

    /// The paragraphs of its text as they are read.
    public var paragraphs: [ReadingText] { ReadingText(text).paragraphs }

    /// Whether the user wrote it. The other lines report plantings and uprootings.
    public var isWritten: Bool { kind != .planting && kind != .uprooting }
  }

  /// In the order of the book.
  public var entries: [Entry] { parts.flatMap(\.sections).flatMap(\.entries) }

  /// The number of entries that the user wrote.
  public var count: Int { entries.count(where: \.isWritten) }

  /// At the foot of the back of the title page.
  public var colophon: [String] {
    let entries = tr("{entries}, kept with Trunk", ["entries": trn("{n} entry", "{n} entries", count)])
    guard let whole else { return [entries] }
    return [
      dotted([whole.volume, author, entries]),
      tr("The cover shows the tree of {date}.", ["date": Formats.day(whole.coverDay)]),
    ]
  }

  /// Makes it one of the volumes of a life.
  public mutating func setVolume(_ number: Int, of count: Int) {
    whole?.volume = tr("Volume {n} of {count}", ["n": "\(number)", "count": "\(count)"])
  }

  /// The heading of the page with the ring, the names and the words.
  public var ringTitle: String {
    wordLists.isEmpty ? tr("The ring of {year}", ["year": title]) : tr("Names and words")
  }

  /// The names and the words of the years, each on one line.
  public var wordLists: [RunIn] {
    guard let whole else { return [] }
    let words = whole.years.count == 1 ? tr("Words of this year") : tr("Words of these years")
    return [(tr("Names"), whole.names), (words, whole.words)].filter { !$1.isEmpty }
      .map { RunIn(label: $0, text: $1.joined(separator: ", ")) }
  }
}

/// The formats in which the journal can be exported for reading.
public enum BookFormat: String, CaseIterable, Sendable {
  case markdown, html, pdf

  public var fileExtension: String { self == .markdown ? "md" : rawValue }
}

extension JournalBook {
  /// The longest name of a file, in characters.
  private static let longestName = 50

  /// The same in bytes. Most file systems allow 255, including what a program adds while it writes the file. A
  /// character of some scripts has up to 20 bytes, and marks can add any number.
  private static let longestNameInBytes = 200

  /// A name for a file of this book: its title, without characters that file systems, shells or web servers reject. A
  /// title that is only a year comes after the kind of book.
  public func fileName(_ format: BookFormat) -> String {
    let title = whole != nil || title.allSatisfy(\.isNumber) ? tr("Journal") + " " + title : title
    let words = title.prefix(JournalBook.longestName).split { !$0.isLetter && !$0.isNumber }
    var name = words.joined(separator: "-")
    while name.utf8.count > JournalBook.longestNameInBytes { name.removeLast() }
    return (name.isEmpty ? "journal" : name) + "." + format.fileExtension
  }
}
