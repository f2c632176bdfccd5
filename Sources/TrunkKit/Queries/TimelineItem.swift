import Localization
import TrunkModel

/// One line of the journal: a text that the user wrote, or a sprout that was planted or uprooted.
public struct TimelineItem: Sendable, Equatable {
  public enum Kind: Sendable, CaseIterable {
    case planting, watering, reflection, harvest, uprooting
  }

  public let kind: Kind
  public let time: EventTime
  /// The event's number in the log.
  public let seq: Int64
  /// `nil` for a reflection. An ID, because views keep items while the garden changes.
  public let sproutID: String?
  /// The twig of the sprout or reflection; `nil` if it isn't one of the 64.
  public let twig: Node?
  /// The result of a harvest, 1…5; `nil` for other kinds.
  public let result: Int?

  /// Whether the user wrote it. The other lines report plantings and uprootings.
  public var isEntry: Bool { kind != .planting && kind != .uprooting }
}

/// A line of the journal with its text.
public struct TimelineEntry: Sendable, Equatable {
  public let item: TimelineItem
  /// As written; empty for a planting, an uprooting and a watering without words, and if it is hidden.
  public let text: String
  /// The question that the text answers; `nil` if there is none or the entry is hidden.
  public let question: String?
  /// The twig's label when the reflection was written; `nil` for other kinds.
  public let twigLabel: String?
  /// Whether the user doesn't want to see it on this computer.
  public let isHidden: Bool
}

extension Garden {
  /// The lines of waterings and reflections of this garden, in the same order.
  public func items(_ entries: some Sequence<JournalEntry>) -> [TimelineItem] {
    // Copying a whole sprout for each entry would take longer than all the rest.
    let subjects = sprouts.map { (id: $0.id, node: $0.node) }
    return entries.map { entry in
      let subject = entry.sprout.map { subjects[$0] }
      return TimelineItem(
        kind: subject == nil ? .reflection : .watering, time: entry.time, seq: entry.seq, sproutID: subject?.id,
        twig: subject?.node ?? entry.twig, result: nil)
    }
  }

  /// The planting of a sprout, and its harvest or uprooting.
  public func milestones(of sprout: Sprout) -> [TimelineItem] {
    func item(_ kind: TimelineItem.Kind, _ time: EventTime, _ seq: Int64, result: Int? = nil) -> TimelineItem {
      TimelineItem(
        kind: kind, time: time, seq: seq, sproutID: sprout.id, twig: sprout.node, result: result)
    }
    let planting = item(.planting, sprout.plantedAt, sprout.plantedSeq)
    return switch sprout.state {
    case .active: [planting]
    case .completed(let harvest): [planting, item(.harvest, harvest.at, harvest.seq, result: harvest.result)]
    case .uprooted(let at, let seq): [planting, item(.uprooting, at, seq)]
    }
  }

  /// The lines of the journal, newest first: by day, because the clock of a traveller can go back a day. Items of the
  /// same instant are in the reverse order of their arrival.
  public func timeline(_ filter: TimelineFilter = TimelineFilter()) -> [TimelineItem] {
    let items = items(journal) + sprouts.flatMap { milestones(of: $0) }
    let selection = TimelineSelection(filter, in: self)
    return items.filter(selection.includes).sorted { ($0.time.day, $0.time, $0.seq) > ($1.time.day, $1.time, $1.seq) }
  }
}

extension Garden {
  /// The subject of a line of the journal: `Learn the cello prelude · Bach, slowly · Voice · practice`.
  /// - Parameters:
  ///   - showsLeaf: whether to name the leaf of a watered or harvested sprout, unless it is called like the sprout.
  ///   - part: how a name is shown. It gets the place that the name leads to; `nil` for other words.
  public func about(
    _ entry: TimelineEntry, showsLeaf: Bool = false, part: (String, Route?) -> String = { name, _ in name }
  ) -> String {
    let twig = entry.item.twig
    let path = part(twig.map { self.path(ofTwig: $0.id) } ?? entry.twigLabel ?? "", twig.map { .twig($0.id) })
    guard let sprout = entry.item.sproutID.flatMap({ sprout(id: $0) }) else { return path }
    let title = part(sprout.title, .sprout(sprout.id))
    let named = showsLeaf ? self.leaf(id: sprout.leafID) : nil
    let leafName = named.flatMap { $0.name.isEmpty || $0.name == sprout.title ? nil : part($0.name, .leaf($0.id)) }
    let place = (leafName.map { [$0] } ?? []) + [path]
    switch entry.item.kind {
    case .planting:
      let ground = part(Formats.ground(sprout.season, sprout.ground), nil)
      return tr("planted “{title}”: {ground}", ["title": title, "ground": ground])
    case .uprooting: return tr("uprooted “{title}”", ["title": title])
    case .harvest:
      let result = part(entry.item.result.map(Formats.result) ?? "", nil)
      let harvest = tr("harvested “{title}”: {result}", ["title": title, "result": result])
      return dotted([harvest] + place)
    case .watering, .reflection: return dotted([title] + place)
    }
  }
}
