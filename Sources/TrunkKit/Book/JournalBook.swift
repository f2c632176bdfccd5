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
  /// The trunk in the book of a year in growth; `nil` in other books.
  public internal(set) var rings: Rings?

  /// The rings of the trunk, one for each year.
  public struct Rings: Sendable, Equatable {
    /// The soil gained in each year, oldest first.
    public let gains: [Double]
    /// The position of the book's year; `nil` if it has no ring.
    public let marked: Int?
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
    /// The text before the entries; may be empty.
    public let text: String
    public let entries: [Entry]

    init(title: String, text: String = "", entries: [Entry]) {
      (self.title, self.text, self.entries) = (title, text, entries)
    }
  }

  /// One line of the journal.
  public struct Entry: Sendable, Equatable {
    /// `nil` for an earlier page.
    public let kind: TimelineItem.Kind?
    /// `21 November 2026`.
    public let date: String
    /// `21 Nov`, for a margin.
    public let shortDate: String
    /// `21 November 2026, 14:05`.
    public let dateAndTime: String
    /// Local date and time for programs: `2026-11-21T14:05`.
    public let stamp: String
    /// The question on one line; `nil` if there is none.
    public let question: String?
    /// Lines separated by `\n`; empty if the user wrote nothing.
    public let text: String
    /// Its subject: `Learn the cello prelude · Voice · practice`.
    public let about: String

    /// Whether the user wrote it. The other lines report plantings and uprootings.
    public var isWritten: Bool { kind != .planting && kind != .uprooting }
  }

  /// In the order of the book.
  public var entries: [Entry] { parts.flatMap(\.sections).flatMap(\.entries) }

  /// The number of entries that the user wrote.
  public var count: Int { entries.count(where: \.isWritten) }
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
    let title = title.allSatisfy(\.isNumber) ? subtitle + " " + title : title
    let words = title.prefix(JournalBook.longestName).split { !$0.isLetter && !$0.isNumber }
    var name = words.joined(separator: "-")
    while name.utf8.count > JournalBook.longestNameInBytes { name.removeLast() }
    return (name.isEmpty ? "journal" : name) + "." + format.fileExtension
  }
}
