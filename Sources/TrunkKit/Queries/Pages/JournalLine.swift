import EventStore
import TrunkModel

/// An earlier page as a line of the journal, without its text.
public struct PageLine: Sendable, Hashable {
  /// Its number in the store.
  public let id: Int64
  public let date: PageDate
  /// The calendar's day of its writer, or that of the garden's zone if only the instant is known.
  public let day: Day
  /// Seconds since midnight on that day; `nil` if the source has no time.
  public let second: Int64?

  /// The date and time for programs: `2016-11-21T14:05`, or only the day.
  public var stamp: String {
    guard let second else { return "\(day)" }
    func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(day)T\(two(second / 3600)):\(two(second / 60 % 60))"
  }

  public init(id: Int64, date: PageDate, in zone: Zone) {
    (self.id, self.date, day) = (id, date, date.day(in: zone))
    second = date.second.map { second in
      guard date.zoning == .utc else { return Int64(second) }
      return zone.local(Instant(milliseconds: (Int64(date.day.number) * 86_400 + Int64(second)) * 1000)).second
    }
  }
}

/// A line of the journal: something from the garden, or an earlier page.
public enum JournalLine: Sendable, Equatable {
  case item(TimelineItem)
  case page(PageLine)

  /// Identifies a line: by the number of its event, or of its page. As text, `12` and `page-12`.
  public enum ID: Hashable, Sendable, LosslessStringConvertible {
    case event(Int64)
    case page(Int64)

    private static let prefix = "page-"

    public init?(_ text: String) {
      let isPage = text.hasPrefix(ID.prefix)
      guard let number = Int64(isPage ? text.dropFirst(ID.prefix.count) : text[...]), number > 0 else { return nil }
      self = isPage ? .page(number) : .event(number)
    }

    public var description: String {
      switch self {
      case .event(let seq): "\(seq)"
      case .page(let id): ID.prefix + "\(id)"
      }
    }
  }

  public var id: ID {
    switch self {
    case .item(let item): .event(item.seq)
    case .page(let page): .page(page.id)
    }
  }

  /// Whether the user wrote it; see `TimelineItem.isEntry`.
  public var isEntry: Bool {
    switch self {
    case .item(let item): item.isEntry
    case .page: true
    }
  }

  /// Its page; `nil` for a planting and an uprooting.
  public var route: Route? {
    switch self {
    case .item(let item): item.isEntry ? .entry(item.seq) : nil
    case .page(let page): .page(page.id)
    }
  }

  /// The day under which the journal shows it: the reset day of an event, the calendar's day of a page.
  public var day: Day {
    switch self {
    case .item(let item): item.time.day
    case .page(let page): page.day
    }
  }

  /// Its place in the day, in seconds since midnight. What was written at night comes last.
  private var second: Int64 {
    switch self {
    case .item(let item): item.time.second + (item.time.isNight ? 86_400 : 0)
    case .page(let page): page.second ?? 0
    }
  }

  /// Joins two lists, both newest first.
  public static func merged(_ items: [TimelineItem], _ pages: [PageLine]) -> [JournalLine] {
    var lines: [JournalLine] = []
    lines.reserveCapacity(items.count + pages.count)
    var next = pages.startIndex
    for item in items.map(JournalLine.item) {
      while next < pages.endIndex, item.isBefore(.page(pages[next])) {
        lines.append(.page(pages[next]))
        next += 1
      }
      lines.append(item)
    }
    return lines + pages[next...].map(JournalLine.page)
  }

  private func isBefore(_ other: JournalLine) -> Bool { (day, second) < (other.day, other.second) }
}

/// A line of the journal with its text.
public enum JournalText: Sendable, Equatable {
  case entry(TimelineEntry)
  case page(PageLine, StoredPage)

  public var line: JournalLine {
    switch self {
    case .entry(let entry): .item(entry.item)
    case .page(let line, _): .page(line)
    }
  }

  /// What the user wrote, without questions and titles.
  public var words: String {
    switch self {
    case .entry(let entry): entry.text
    case .page(_, let stored): stored.page.text
    }
  }
}
