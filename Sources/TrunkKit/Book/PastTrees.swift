import TreePicture
import TrunkModel

/// The tree on earlier days, as the events up to the end of each day made it.
struct PastTrees {
  private let log: [(day: Day, event: LoggedEvent)]
  private let garden: Garden
  private let isSouthern: Bool

  /// - Parameter log: in total order.
  init(_ log: [LoggedEvent], _ garden: Garden) {
    self.garden = garden
    self.log = log.compactMap { logged in garden.time(of: logged.event).map { ($0.day, logged) } }
    isSouthern = garden.zone.isSouthern
  }

  /// - Parameter season: see `Palette`; `nil` for that of the day.
  func tree(on day: Day, season: Double? = nil) -> JournalBook.Tree {
    var past = Garden(zones: garden.zones)
    past.apply(log.lazy.filter { $0.day <= day }.map(\.event))
    return JournalBook.Tree(state: TreeState(past, on: day), season: season ?? self.season(day))
  }

  func season(_ day: Day) -> Double { day.seasonShare(isSouthern: isSouthern) }
}
