import TreePicture
import TrunkModel

/// The trees of earlier days in their colours, for a book.
struct PastTrees {
  private let life: Life
  private let isSouthern: Bool

  init(_ garden: Garden) {
    life = Life(garden)
    isSouthern = garden.zone.isSouthern
  }

  /// - Parameter season: see `Palette`; `nil` for that of the day.
  func tree(on day: Day, season: Double? = nil) -> JournalBook.Tree {
    JournalBook.Tree(state: life.state(on: day), season: season ?? self.season(day))
  }

  func season(_ day: Day) -> Double { day.seasonShare(isSouthern: isSouthern) }
}
