import Localization
import TrunkModel

extension JournalBook {
  /// A year in growth: what the soil gained, what was planted and harvested, and entries to read again.
  /// - Parameter events: its plantings and harvests, oldest first.
  init(_ year: YearInGrowth, _ texts: YearTexts, _ events: [TimelineEntry], from garden: Garden, author: String) {
    (subtitle, title, dates) = (tr("A Year in Growth"), "\(year.year)", "")
    self.author = author.readableLine
    rings = Rings(gains: year.rings.map(\.gain), marked: year.rings.firstIndex { $0.year == year.year })
    func entries(_ kind: TimelineItem.Kind) -> [Entry] {
      events.filter { $0.item.kind == kind }.map { Entry($0, from: garden, namesSprout: true) }
    }
    let reread = texts.reread.map { Entry($0, from: garden, namesSprout: true) }
    let sections = [
      Section(title: tr("Growth"), text: year.soilSentence, entries: []),
      Section(title: trc("year", "Planted"), entries: entries(.planting)),
      Section(title: trc("year", "Harvested"), entries: entries(.harvest)),
      Section(title: tr("To Read Again"), entries: reread),
    ]
    parts = [Part(title: nil, sections: sections.filter { !$0.text.isEmpty || !$0.entries.isEmpty })]
  }
}

extension YearInGrowth {
  /// That the soil grew, in words; empty if it didn't.
  public var soilSentence: String {
    capacityAfter - capacityBefore >= 0.01 ? tr("Your soil is deeper than before.") : ""
  }
}

extension Garden {
  /// The plantings and harvests of a year, oldest first.
  func milestones(of year: YearInGrowth) -> [TimelineItem] {
    let planted = year.planted.flatMap { milestones(of: $0) }.filter { $0.kind == .planting }
    return planted + year.entries.filter { $0.kind == .harvest }
  }
}
