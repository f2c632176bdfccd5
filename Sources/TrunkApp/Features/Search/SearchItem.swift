import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// A row below a heading of the search.
nonisolated enum SearchItem: Equatable, Sendable {
  /// - Parameter about: the line below the text that distinguishes the result from others.
  case hit(SearchResults.Hit, about: String)
  /// Leads to all results of a group.
  case more(SearchResults.Group, count: Int)
}

/// Texts for the results of a search.
enum SearchTexts {
  /// The excerpt as Pango markup. The marks have colours that suit light and dark, and bold text for users who don't
  /// see colours.
  static func marked(_ excerpt: Excerpt) -> String {
    let bytes = Array(excerpt.text.utf8)
    func part(_ range: Range<Int>) -> String { escaped(String(decoding: bytes[range], as: UTF8.self)) }
    var (markup, end) = ("", 0)
    for mark in excerpt.marks where mark.lowerBound >= end && mark.upperBound <= bytes.count {
      markup += part(end..<mark.lowerBound)
      let colors = "background=\"\(MatchColors.paper)\" foreground=\"\(MatchColors.ink)\""
      markup += "<span \(colors) weight=\"600\">" + part(mark) + "</span>"
      end = mark.upperBound
    }
    return markup + part(end..<bytes.count)
  }

  /// The subject of a result: `3 March 2025 · Run through the dark months`.
  /// - Parameter leaves: the progress of the leaves by their ids.
  static func about(
    _ hit: SearchResults.Hit, in garden: Garden, now: Instant, leaves: [ExactID: LeafProgress]
  ) -> String {
    let parts: [String] =
      switch hit.place {
      case .entry(let item): about(item, in: garden)
      case .sprout(let id): garden.sprout(id: id).map { about($0, in: garden, now: now) } ?? []
      case .leaf(let id): garden.leaf(id: id).map { about($0, in: garden, leaves[ExactID(id)]) } ?? []
      case .seedling(let id): garden.seedling(id: id).map { [garden.path(ofTwig: $0.twigID)] } ?? []
      case .node(.twig(let branch, _)): [tr("Twig of {branch}", ["branch": garden.label(of: .branch(branch))])]
      case .node: [tr("Branch")]
      case .page(let page): [Formats.dateAndTime(page), hit.title ?? ""]
      }
    return dotted(parts)
  }

  private static func about(_ item: TimelineItem, in garden: Garden) -> [String] {
    let title = item.sproutID.flatMap { garden.sprout(id: $0) }.map { clamped($0.title, to: oneLineLimit) }
    let result = item.result.map(Formats.result)
    let path = item.twig.map { garden.path(ofTwig: $0.id) }
    return [Formats.date(item.time), title ?? path, result].compactMap(\.self)
  }

  private static func about(_ leaf: Leaf, in garden: Garden, _ progress: LeafProgress?) -> [String] {
    [
      garden.path(ofTwig: leaf.twigID),
      progress.map { trn("{n} sprout", "{n} sprouts", $0.total) } ?? "",
      progress.flatMap { $0.growing > 0 ? trn("{n} growing", "{n} growing", $0.growing) : nil } ?? "",
    ]
  }

  private static func about(_ sprout: Sprout, in garden: Garden, now: Instant) -> [String] {
    let state =
      switch sprout.state {
      case .active: sprout.isReady(at: now) ? tr("ready") : trc("sprout", "growing")
      case .completed(let harvest): Formats.result(harvest.result)
      case .uprooted: trc("sprout", "uprooted")
      }
    return [garden.path(ofTwig: sprout.twigID), state]
  }
}
