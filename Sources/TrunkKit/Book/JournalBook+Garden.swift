import EventStore
import Localization
import TrunkModel

extension JournalBook {
  /// - Parameters:
  ///   - entries: the lines of the selection with their texts, oldest first.
  ///   - pages: its earlier pages, oldest first.
  init(
    _ entries: [TimelineEntry], _ pages: [(line: PageLine, page: StoredPage)] = [], of selection: BookSelection,
    from garden: Garden, author: String
  ) {
    (subtitle, title) = JournalBook.titles(selection, garden)
    self.author = author.readableLine
    let lines = JournalBook.lines(entries, pages) {
      Entry($0, from: garden, namesSprout: selection.sprout == nil)
    }
    let days = [lines.first, lines.last].compactMap { $0.map { Formats.day($0.day) } }
    dates = Set(days).count > 1 ? days.joined(separator: " – ") : days.first ?? ""
    parts = selection.leaf == nil ? JournalBook.years(lines) : JournalBook.sprouts(entries, garden)
  }

  /// Entries and pages together, oldest first.
  static func lines(
    _ entries: [TimelineEntry], _ pages: [(line: PageLine, page: StoredPage)], _ make: (TimelineEntry) -> Entry
  ) -> [Entry] {
    let merged = JournalLine.merged(entries.reversed().map(\.item), pages.reversed().map(\.line)).reversed()
    var (entry, page) = (entries.makeIterator(), pages.makeIterator())
    return merged.compactMap { line in
      switch line {
      case .item: entry.next().map(make)
      case .page: page.next().map { Entry($0.page, $0.line) }
      }
    }
  }

  private static func titles(_ selection: BookSelection, _ garden: Garden) -> (subtitle: String, title: String) {
    let journal = tr("Journal")
    if let sprout = selection.sprout.flatMap({ garden.sprout(id: $0) }) {
      return (garden.path(ofTwig: sprout.twigID).readableLine, sprout.title.readableLine)
    }
    if let leaf = selection.leaf.flatMap({ garden.leaf(id: $0) }) {
      return (garden.path(ofTwig: leaf.twigID).readableLine, leaf.name.readableLine)
    }
    if let years = selection.years { return (journal, JournalBook.title(years)) }
    return (selection.filter.title(in: garden), journal)
  }

  /// A part for each year, with a section for each month.
  private static func years(_ entries: [Entry]) -> [Part] {
    let years = runs(entries) { $0.year }
    return years.map { year in
      let sections = runs(year) { $0.month }.map { Section(Formats.month($0[0].day), $0) }
      return Part(title: years.count > 1 ? "\(year[0].day.year)" : nil, sections: sections)
    }
  }

  /// One part with a section for each sprout, in the order of planting.
  private static func sprouts(_ entries: [TimelineEntry], _ garden: Garden) -> [Part] {
    let bySprout = Dictionary(grouping: entries) { ExactID($0.item.sproutID ?? "") }
    let sections = garden.sprouts.compactMap { sprout in
      bySprout[ExactID(sprout.id)].map { entries in
        Section(
          sprout.title.readableLine, entries.map { Entry($0, from: garden, namesSprout: false, isInMonth: false) })
      }
    }
    return sections.isEmpty ? [] : [Part(title: nil, sections: sections)]
  }

  /// Divides a list where a part of the day changes.
  private static func runs(_ entries: [Entry], by part: (Day) -> Int32) -> [[Entry]] {
    var runs: [[Entry]] = []
    for entry in entries {
      let isNew = runs.last?.last.map { part($0.day) != part(entry.day) } ?? true
      if isNew { runs.append([]) }
      runs[runs.count - 1].append(entry)
    }
    return runs
  }
}

extension JournalBook.Section {
  /// - Parameter entries: those without words are left out and counted.
  init(_ title: String, _ entries: [JournalBook.Entry], hasSilence: Bool = false, month: JournalBook.Month? = nil) {
    let kept = hasSilence ? entries : entries.filter { !$0.isSilent }
    (self.title, self.entries, self.month) = (title, kept, month)
    let count = entries.count - kept.count
    if count > 0 { silence = trn("and {n} watering without words", "and {n} waterings without words", count) }
  }
}

extension JournalBook.Entry {
  init(_ page: StoredPage, _ line: PageLine) {
    (kind, seq, day) = (nil, -1 - line.id, line.day)
    date = Formats.day(line.day)
    mark = .init(label: "\(line.day.day)", text: Formats.shortWeekday(line.day))
    language = nil
    dateAndTime = Formats.dateAndTime(line)
    stamp = line.stamp
    question = nil
    text = page.page.wholeText.readable
    about = page.about
  }

  /// - Parameters:
  ///   - namesSprout: whether a watering says which sprout it is about.
  ///   - isInMonth: whether the day in the margin needs no month.
  ///   - namesTwig: whether its subject includes the twig.
  init(
    _ entry: TimelineEntry, from garden: Garden, namesSprout: Bool, isInMonth: Bool = true, namesTwig: Bool = true,
    chapter: JournalBook.Chapter? = nil
  ) {
    let time = entry.item.time
    (kind, seq, day, self.chapter) = (entry.item.kind, entry.item.seq, time.day, chapter)
    date = Formats.date(time)
    dateAndTime = Formats.dateAndTime(time)
    stamp = time.localStamp
    question = entry.question.map(\.readableLine).flatMap { $0.isEmpty ? nil : $0 }
    text = entry.text.readable
    language = StopWords.language(of: Words(text).words)
    mark =
      isInMonth
      ? .init(label: "\(time.day.day)", text: Formats.shortWeekday(time.day))
      : .init(label: "", text: Formats.shortDay(time.day))
    let sprout = entry.item.sproutID.flatMap { garden.sprout(id: $0) }
    if !namesTwig, entry.item.kind == .watering || entry.item.kind == .reflection {
      let twig = entry.item.twig.map { garden.label(of: $0) } ?? entry.twigLabel
      about = (sprout?.title ?? twig ?? "").readableLine
    } else {
      about = namesSprout || entry.item.kind != .watering ? garden.about(entry).readableLine : ""
    }
  }

  /// A watering without words.
  public var isSilent: Bool { kind == .watering && text.isEmpty }
}
