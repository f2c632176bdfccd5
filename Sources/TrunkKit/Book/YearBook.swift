import EventStore
import Localization
import TreePicture
import TrunkModel

extension JournalBook {
  /// `2025`, or `2006–2007`.
  static func title(_ years: ClosedRange<Int32>) -> String {
    years.count == 1 ? "\(years.lowerBound)" : "\(years.lowerBound)–\(years.upperBound)"
  }
}

/// What the book of whole years is made from, with any choices. It reads nothing, so another choice is shown at once.
public struct YearBook: Sendable {
  public let years: ClosedRange<Int32>
  /// The last day of the years, or today if they aren't over.
  private let last: Day
  private let all, own: [TimelineEntry]
  /// The earlier pages of the years, oldest first.
  private let pages: [(line: PageLine, page: StoredPage)]
  private let garden: Garden
  private let life: Life
  /// Read once: it takes milliseconds.
  private let isSouthern: Bool
  /// The entries with words of earlier years by month and day.
  private let earlier: [Int32: [TimelineEntry]]
  private let bySprout: [ExactID: [TimelineEntry]]
  /// The names and the words of the years.
  public let words: (names: [String], words: [String])
  private var choices = BookChoices()

  /// - Parameters:
  ///   - all: the whole journal, oldest first.
  ///   - pages: the earlier pages of the years, oldest first.
  init(
    _ years: ClosedRange<Int32>, _ all: [TimelineEntry], _ pages: [(line: PageLine, page: StoredPage)] = [],
    _ garden: Garden, today: Day
  ) {
    (self.years, self.all, self.pages, self.garden, life) = (years, all, pages, garden, Life(garden))
    last = min(JournalYear.newYear(years.upperBound + 1).adding(days: -1), today)
    isSouthern = garden.zone.isSouthern
    own = all.filter { years.contains($0.item.time.day.year) }
    let before = all.filter { $0.item.time.day.year < years.lowerBound && !$0.text.readable.isEmpty }
    earlier = Dictionary(grouping: before) { $0.item.time.day.ofYear }
    bySprout = Dictionary(
      grouping: all.filter { $0.item.kind == .watering && !$0.text.readable.isEmpty }
    ) { ExactID($0.item.sproutID ?? "") }
    words = YearWords.find(all, garden, in: years)
  }

  /// The number of entries with words.
  public var writtenCount: Int { own.count { $0.item.isEntry && !$0.text.readable.isEmpty } }

  /// The sentence for the back of the cover unless another one is chosen, and its day: the last reflection of the best
  /// harvest; empty for none.
  public var quote: (text: String, day: String) {
    let best = own.filter { $0.item.kind == .harvest && !$0.text.readable.isEmpty }
      .max { ($0.item.result ?? 0, $0.item.time) < ($1.item.result ?? 0, $1.item.time) }
    guard let best else { return ("", "") }
    return (OwnWords.firstSentences(of: best.text.plainLine), Formats.dayAndMonth(best.item.time))
  }

  /// - Parameter author: the user's name; may be empty.
  public func book(author: String = "", _ choices: BookChoices = BookChoices()) -> JournalBook {
    var maker = self
    maker.choices = choices
    var book = JournalBook(
      subtitle: tr("a year of the tree"), title: JournalBook.title(years), dates: "", author: author.readableLine,
      parts: [JournalBook.Part(title: nil, sections: maker.months())])
    if book.count > 0 { book.whole = maker.whole(book) }
    return book
  }

  // MARK: - Months

  private func months() -> [JournalBook.Section] {
    let pages = choices.hasPages ? pages : []
    let months = Dictionary(grouping: own) { $0.item.time.day.monthBegin }
    let pagesByMonth = Dictionary(grouping: pages) { $0.line.day.monthBegin }
    // The first year of a garden begins with its first month, and this year ends with this one.
    let ends = [all.first?.item.time.day, all.last?.item.time.day, pages.first?.line.day, pages.last?.line.day]
    guard let begin = ends.compactMap(\.self).min(), let end = ends.compactMap(\.self).max() else { return [] }
    return years.flatMap { year in (0..<12).map { JournalYear.newYear(year).adding(months: $0) } }
      .filter { $0.monthEnd >= begin && $0 <= end }.map { section($0, months[$0] ?? [], pagesByMonth[$0] ?? []) }
  }

  private func section(
    _ first: Day, _ lines: [TimelineEntry], _ pages: [(line: PageLine, page: StoredPage)]
  ) -> JournalBook.Section {
    let entries = JournalBook.lines(lines.filter(\.item.isEntry), pages) { entry in
      JournalBook.Entry(entry, from: garden, namesSprout: true, namesTwig: false, chapter: chapter(entry))
    }
    let month = JournalBook.Month(
      name: Formats.monthName(first), year: "\(first.year)", tree: tree(on: first.monthEnd),
      lines: summary(first, lines),
      // Translators: {month} is the name of a month: entries of the same month in other years.
      earlierTitle: tr("In earlier {month}s", ["month": Formats.monthName(first)]), earlier: earlier(entries))
    return .init(Formats.month(first), entries, hasSilence: choices.hasSilence, month: month)
  }

  /// What was planted, what grew, and where the sun fell.
  private func summary(_ first: Day, _ lines: [TimelineEntry]) -> [JournalBook.RunIn] {
    let month = first...first.monthEnd
    let planted = garden.sprouts.filter { month.contains($0.plantedAt.day) }
    let growing = garden.sprouts.filter { sprout in
      sprout.plantedAt.day < first && sprout.endedAt.map { $0.day >= first } ?? true
    }
    let suns = lines.filter { $0.item.kind == .reflection }.map { entry in
      entry.item.twig.map { garden.label(of: $0) } ?? entry.twigLabel ?? ""
    }
    func line(_ label: String, _ texts: [String], _ join: ([String]) -> String) -> JournalBook.RunIn? {
      var seen = Set<String>()
      let texts = texts.map(\.readableLine).filter { !$0.isEmpty && seen.insert($0).inserted }
      return texts.isEmpty ? nil : .init(label: label, text: join(texts))
    }
    return [
      line(trc("month", "Planted"), planted.map(\.title), dotted),
      line(trc("month", "Growing"), growing.map(\.title), dotted),
      line(trc("month", "The sun fell on"), suns) { $0.joined(separator: ", ") },
    ].compactMap(\.self)
  }

  /// The longest entry of each earlier year on the days of these entries.
  private func earlier(_ entries: [JournalBook.Entry]) -> [JournalBook.Earlier] {
    guard choices.hasEarlierYears else { return [] }
    let days = Set(entries.filter { !$0.isSilent }.map(\.day.ofYear))
    let found = days.flatMap { earlier[$0] ?? [] }
    return Dictionary(grouping: found) { $0.item.time.day.year }.values
      .compactMap { $0.max { ($0.text.utf8.count, $1.item.seq) < ($1.text.utf8.count, $0.item.seq) } }
      .sorted { $0.item.time < $1.item.time }
      .map { entry in
        let day = entry.item.time.day
        return .init(
          day: day.day, year: day.year, text: entry.text.plainLine.beginning(words: 30), seq: entry.item.seq)
      }
  }

  // MARK: - Harvests

  /// - Returns: `nil` for an entry that isn't a harvest, and for a harvest without reflection and hopes.
  private func chapter(_ entry: TimelineEntry) -> JournalBook.Chapter? {
    guard choices.hasChapters, entry.item.kind == .harvest,
      let sprout = entry.item.sproutID.flatMap({ garden.sprout(id: $0) }), let harvest = sprout.harvest,
      !entry.text.readable.isEmpty || sprout.bloomFlourish?.readable.isEmpty == false
    else { return nil }
    let entries = bySprout[ExactID(sprout.id)] ?? []
    let lines = [
      (tr("What I hoped"), sprout.bloomFlourish), (tr("The first words"), entries.first?.text),
      (tr("The last words"), entries.last?.text == entries.first?.text ? nil : entries.last?.text),
    ].map { JournalBook.RunIn(label: $0, text: ($1 ?? "").plainLine.beginning(words: 60)) }
    let hasOneYear = sprout.plantedAt.day.year == harvest.at.day.year
    let begin = hasOneYear ? Formats.dayAndMonth(sprout.plantedAt) : Formats.date(sprout.plantedAt)
    let span = tr("from {start} to {end}", ["start": begin, "end": Formats.date(harvest.at)])
    return JournalBook.Chapter(
      title: sprout.title.readableLine,
      span: dotted([span, garden.path(ofTwig: sprout.twigID).readableLine]),
      leaflet: TreeState.Leaflet(sprout, garden, harvest.at.day), lines: lines.filter { !$0.text.isEmpty },
      result: dotted([Formats.dayAndMonth(harvest.at), Formats.result(harvest.result)]),
      seqs: entries.map(\.item.seq))
  }

  // MARK: - Around the months

  private func whole(_ book: JournalBook) -> JournalBook.Whole {
    let coverDay = choices.coverDay ?? last
    let coverSeason = choices.coverDay.map(season) ?? seasonOfMostWords
    let rings = garden.growth(in: years.upperBound, at: garden.zone.start(of: last)).rings
    let own = choices.quote.map { ($0.readableLine, "") } ?? quote
    return JournalBook.Whole(
      years: years, titleTree: tree(on: JournalYear.newYear(years.lowerBound).adding(days: -1)),
      coverTree: tree(on: coverDay, season: coverSeason), flipTrees: flipTrees(to: last),
      dedication: choices.dedication.readable.split(separator: "\n").prefix(3).map(String.init),
      coverDay: coverDay, gains: rings.map(\.gain),
      ring: rings.firstIndex { $0.year == years.upperBound }, names: words.names, words: words.words, index: index(),
      quote: own.0, quoteDay: own.1)
  }

  /// One a week, or as many for more years.
  private func flipTrees(to last: Day) -> [JournalBook.Tree] {
    guard choices.hasFlipTrees else { return [] }
    let first = JournalYear.newYear(years.lowerBound)
    return (0..<52).map { tree(on: first.adding(days: (first.distance(to: last) * $0) / 51)) }
  }

  /// The tree of a day.
  /// - Parameter season: see `Palette`; `nil` for that of the day.
  private func tree(on day: Day, season: Double? = nil) -> JournalBook.Tree {
    JournalBook.Tree(state: life.state(on: day), season: season ?? self.season(day))
  }

  private func season(_ day: Day) -> Double { day.seasonShare(isSouthern: isSouthern) }

  /// The middle of the season in which the user wrote most words.
  private var seasonOfMostWords: Double {
    var sums = [Int](repeating: 0, count: 4)
    for entry in own {
      // Winter begins in December.
      let share = season(entry.item.time.day) + 1 / 12.0
      sums[Int(share * 4) % 4] += Words(entry.text).words.count
    }
    let season = sums.indices.max { (sums[$0], -$0) < (sums[$1], -$1) } ?? 2
    return (Double(season) * 3 + 0.5) / 12
  }

  private func index() -> [JournalBook.IndexLine] {
    let written = own.filter { $0.item.isEntry && !$0.text.readable.isEmpty }
    let seqs = Dictionary(grouping: written) { ExactID($0.item.sproutID ?? "") }
    let lines = garden.sprouts.compactMap { sprout in
      seqs[ExactID(sprout.id)].map { entries in
        JournalBook.IndexLine(
          title: sprout.title.readableLine, place: garden.path(ofTwig: sprout.twigID).readableLine,
          seqs: entries.map(\.item.seq))
      }
    }
    return lines.map { (key: $0.title.folded, line: $0) }.sorted { $0.key < $1.key }.map(\.line)
  }
}

extension Day {
  /// The month and the day, the same in all years.
  fileprivate var ofYear: Int32 { month * 32 + day }

  /// The first day of its month.
  fileprivate var monthBegin: Day { adding(days: 1 - day) }
}

extension String {
  /// The first words of a line, and “…” if there are more.
  fileprivate func beginning(words count: Int) -> String {
    let words = split(separator: " ")
    let text = words.prefix(count).joined(separator: " ") + (words.count > count ? " …" : "")
    // A line without spaces may have any length.
    return text.count > count * 8 ? text.prefix(count * 8) + "…" : text
  }
}
