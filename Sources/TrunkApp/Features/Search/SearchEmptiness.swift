import GtkKit
import Localization
import TrunkKit

/// Why the search shows no results, and which other searches have some.
enum SearchEmptiness: Equatable {
  /// Nothing was typed.
  case help
  /// A filter is wrong; the problem is shown above.
  case problem
  /// - Parameters:
  ///   - groups: the other groups that have results.
  ///   - relaxed: the filters without which there are results.
  ///   - correction: the search with the nearest words of the garden.
  case nothing(
    String, groups: [SearchResults.Group: Int], relaxed: [SearchResults.Relaxed], correction: String?)

  init(_ results: SearchResults, in group: SearchResults.Group?, text: String) {
    if results.query.isEmpty {
      self = .help
    } else if !results.query.problems.isEmpty {
      self = .problem
    } else {
      self = .nothing(
        text.trimmed.description, groups: results.counts.filter { $1 > 0 }, relaxed: results.relaxed,
        correction: results.correction)
    }
  }

  /// - Parameters:
  ///   - show: shows a group.
  ///   - search: searches for another text.
  func page(
    show: @escaping @MainActor (SearchResults.Group) -> Void, search: @escaping @MainActor (String) -> Void
  ) -> Widget {
    switch self {
    case .help: return help
    case .problem: return bin()
    case .nothing(let text, let groups, let relaxed, let correction):
      let page = emptyState(
        icon: "system-search-symbolic", title: tr("Nothing found"),
        hint: groups.isEmpty && relaxed.isEmpty
          ? tr("No results for “{words}”. Try fewer or shorter words.", ["words": clamped(text, to: 60)])
          : tr("There are results elsewhere:"))
      if let correction {
        let name = ["name": clamped(correction.trimmed.description, to: 40)]
        page.append(button(tr("Did you mean “{name}”?", name)) { search(correction) }.halign(.center))
      }
      for group in SearchResults.Group.allCases {
        guard let count = groups[group] else { continue }
        page.append(resultOffer(resultCount(count, in: group.title)) { show(group) })
      }
      for other in relaxed {
        let filter = ["filter": clamped(other.filter, to: 40)]
        page.append(
          resultOffer(trn("{n} without “{filter}”", "{n} without “{filter}”", other.count, filter)) {
            search(other.text)
          })
      }
      return page
    }
  }

  /// The ways to search, by example.
  private var help: Widget {
    let lines = column().css("facts")
    let examples: [(String, String)] = [
      (trc("search example", "river high"), tr("both words; the last one may be incomplete")),
      (trc("search example", "\"bar nine\""), tr("words next to each other")),
      (trc("search example", "river -bank"), tr("one word without another")),
      (trc("search example", "twig:practice"), tr("a place: branch: twig: leaf:")),
      (trc("search example", "kind:sun"), tr("a kind of entry: water, sun, harvest")),
      (trc("search example", "result:>=4"), tr("harvests by their result")),
      (trc("search example", "from:2024 to:2026-03"), tr("a time: from: to: on: before: after:")),
    ]
    for (example, meaning) in examples {
      lines.append(wrapping(spacing: 12, label(example, "typed"), paragraph(meaning, "hint").hexpand()))
    }
    return clamp(
      column(spacing: 8, paragraph(tr("What are you looking for?"), "title-3"), lines)
        .margin(top: 18, bottom: 18, start: 18, end: 18), width: 560)
  }
}
