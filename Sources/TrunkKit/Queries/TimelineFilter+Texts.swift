import Localization
import TrunkModel

extension TimelineFilter {
  /// A condition as text, such as `VOICE · practice`, and the filter without it.
  public typealias Condition = (text: String, rest: TimelineFilter)

  /// The conditions as texts, except for the kinds.
  public func conditions(in garden: Garden) -> [Condition] {
    func without(_ change: (inout TimelineFilter) -> Void) -> TimelineFilter {
      var rest = self
      change(&rest)
      return rest
    }
    let leaf = leaves?.first.flatMap { garden.leaf(id: $0.text) }?.name
    let conditions: [(String?, TimelineFilter)] = [
      (twigs.map { place($0, in: garden) }, without { $0.twigs = nil }),
      (leaf?.readableLine, without { $0.leaves = nil }),
      (
        results.map { tr("{result} or better", ["result": Formats.result($0.lowerBound)]) },
        without { $0.results = nil }
      ),
      (first.map { tr("from {date}", ["date": Formats.day($0)]) }, without { $0.first = nil }),
      (last.map { tr("to {date}", ["date": Formats.day($0)]) }, without { $0.last = nil }),
      (showsMilestones ? nil : tr("only entries"), without { $0.showsMilestones = true }),
      (showsPages ? nil : tr("without earlier pages"), without { $0.showsPages = true }),
    ]
    return conditions.compactMap { text, rest in text.map { ($0, rest) } }
  }

  /// All conditions in one line, such as `Harvests · VOICE · from 1 May 2026`; empty if the filter selects everything.
  public func title(in garden: Garden) -> String {
    let names = TimelineItem.Kind.entries.filter(kinds.contains).map(\.plural)
    let found = found == nil ? [] : [tr("Search results")]
    return dotted(found + [names.joined(separator: ", ")] + conditions(in: garden).map(\.text))
  }

  private func place(_ twigs: Set<Node>, in garden: Garden) -> String {
    if let branch { return garden.label(of: .branch(branch)) }
    return twigs.first.map { garden.path(ofTwig: $0.id) } ?? ""
  }
}

extension TimelineItem.Kind {
  /// The kinds that have a text, in the order of the journal's buttons.
  fileprivate static let entries: [TimelineItem.Kind] = [.watering, .reflection, .harvest]

  fileprivate var plural: String {
    switch self {
    case .watering: tr("Waterings")
    case .reflection: tr("Reflections")
    case .harvest: tr("Harvests")
    default: ""
    }
  }
}
