import Localization
import TrunkModel

extension JournalBook {
  /// - Parameter entries: the lines of the selection with their texts, oldest first.
  init(_ entries: [TimelineEntry], of selection: BookSelection, from garden: Garden, author: String) {
    (subtitle, title) = JournalBook.titles(selection, garden)
    self.author = author.readableLine
    let days = [entries.first, entries.last].compactMap { $0.map { Formats.date($0.item.time) } }
    dates = Set(days).count > 1 ? days.joined(separator: " – ") : days.first ?? ""
    let isOneSprout = selection.sprout != nil
    parts =
      selection.leaf == nil
      ? JournalBook.years(entries, garden, isOneSprout: isOneSprout) : JournalBook.sprouts(entries, garden)
  }

  private static func titles(_ selection: BookSelection, _ garden: Garden) -> (subtitle: String, title: String) {
    let journal = tr("Journal")
    if let sprout = selection.sprout.flatMap({ garden.sprout(id: $0) }) {
      return (garden.path(ofTwig: sprout.twigID).readableLine, sprout.title.readableLine)
    }
    if let leaf = selection.leaf.flatMap({ garden.leaf(id: $0) }) {
      return (garden.path(ofTwig: leaf.twigID).readableLine, leaf.name.readableLine)
    }
    if let year = selection.year { return (journal, "\(year)") }
    return (selection.filter.title(in: garden), journal)
  }

  /// A part for each year, with a section for each month.
  private static func years(
    _ entries: [TimelineEntry], _ garden: Garden, isOneSprout: Bool
  ) -> [Part] {
    func day(_ entry: TimelineEntry) -> Day { entry.item.time.day }
    let years = runs(entries) { day($0).year }
    return years.map { year in
      let months = runs(year) { day($0).month }
      let sections = months.compactMap { month in
        month.first.map { first in
          Section(
            title: Formats.month(day(first)), entries: month.map { Entry($0, from: garden, namesSprout: !isOneSprout) })
        }
      }
      return Part(title: years.count > 1 ? year.first.map { "\(day($0).year)" } : nil, sections: sections)
    }
  }

  /// One part with a section for each sprout, in the order of planting.
  private static func sprouts(_ entries: [TimelineEntry], _ garden: Garden) -> [Part] {
    let bySprout = Dictionary(grouping: entries) { ExactID($0.item.sproutID ?? "") }
    let sections = garden.sprouts.compactMap { sprout in
      bySprout[ExactID(sprout.id)].map { entries in
        Section(
          title: sprout.title.readableLine, entries: entries.map { Entry($0, from: garden, namesSprout: false) })
      }
    }
    return sections.isEmpty ? [] : [Part(title: nil, sections: sections)]
  }

  /// Divides a list where the key changes.
  private static func runs(_ entries: [TimelineEntry], by key: (TimelineEntry) -> Int32) -> [[TimelineEntry]] {
    var runs: [[TimelineEntry]] = []
    for entry in entries {
      if let last = runs.last?.last, key(last) == key(entry) {
        runs[runs.count - 1].append(entry)
      } else {
        runs.append([entry])
      }
    }
    return runs
  }
}

extension JournalBook.Entry {
  /// - Parameter namesSprout: whether a watering says which sprout it is about.
  init(_ entry: TimelineEntry, from garden: Garden, namesSprout: Bool) {
    let time = entry.item.time
    kind = entry.item.kind
    date = Formats.date(time)
    shortDate = Formats.shortDay(time.day)
    dateAndTime = Formats.dateAndTime(time)
    stamp = time.localStamp
    question = entry.question.map(\.readableLine).flatMap { $0.isEmpty ? nil : $0 }
    text = entry.text.readable
    about = namesSprout || entry.item.kind != .watering ? garden.about(entry).readableLine : ""
  }
}
