import EventStore
import TrunkKit
import TrunkModel

/// The format of `--json`, documented in the manual page. Keys may be added, but none changes its meaning.
extension JSON {
  /// An object without the members that have no value.
  static func record(_ pairs: (String, JSON?)...) -> JSON {
    .object(pairs.compactMap { name, value in value.map { JSON.Member(name, $0) } })
  }

  /// This object with more members; those without a value are left out.
  func adding(_ pairs: (String, JSON?)...) -> JSON {
    guard case .object(let members) = self else { return self }
    return .object(members + pairs.compactMap { name, value in value.map { Member(name, $0) } })
  }

  static func instant(_ instant: Instant?) -> JSON? { instant.map { .string($0.description) } }

  static func text(_ text: String?) -> JSON? { text.map { .string($0) } }
}

extension Garden {
  /// - Parameter hidden: the numbers of the harvests whose words are left out.
  func record(of sprout: Sprout, now: Instant, hidden: Set<Int64> = []) -> JSON {
    let (state, harvestedAt, uprootedAt): (String, Instant?, Instant?) =
      switch sprout.state {
      case .active: ("active", nil, nil)
      case .completed(let harvest): ("completed", harvest.at.instant, nil)
      case .uprooted(let at, _): ("uprooted", nil, at.instant)
      }
    return .record(
      ("id", .string(sprout.id)), ("title", .string(sprout.title)), ("twigId", .string(sprout.twigID)),
      ("twig", .text(sprout.node?.path)), ("leafId", .string(sprout.leafID)),
      ("leaf", .text(leaf(id: sprout.leafID)?.name)), ("season", .string(sprout.season.rawValue)),
      ("environment", .string(sprout.ground.rawValue)), ("soilCost", .number(sprout.soilCost)),
      ("state", .string(state)), ("plantedAt", .instant(sprout.plantedAt.instant)),
      ("harvestDue", .instant(sprout.harvestDue)), ("ready", .bool(sprout.isReady(at: now))),
      ("progress", .number(sprout.progress(at: now))), ("waterings", .number(sprout.waterings.count)),
      ("lastWatered", .instant(lastWatered(sprout, at: now)?.instant)),
      ("wateredToday", .bool(wasWatered(sprout, onDayOf: now))),
      ("bloomWither", .text(sprout.bloomWither)), ("bloomBudding", .text(sprout.bloomBudding)),
      ("bloomFlourish", .text(sprout.bloomFlourish)), ("harvestedAt", .instant(harvestedAt)),
      ("result", sprout.harvest.map { .number($0.result) }),
      ("reflection", .text(sprout.harvest.flatMap { hidden.contains($0.seq) ? nil : $0.reflection })),
      ("uprootedAt", .instant(uprootedAt)))
  }

  func record(of sprouts: [Sprout], now: Instant, hidden: Set<Int64> = []) -> JSON {
    .array(sprouts.map { record(of: $0, now: now, hidden: hidden) })
  }

  func record(of seedling: Seedling) -> JSON {
    .record(
      ("id", .string(seedling.id)), ("title", .string(seedling.title)), ("notes", .text(seedling.notes)),
      ("twigId", .string(seedling.twigID)), ("twig", .text(Node(id: seedling.twigID)?.path)),
      ("createdAt", .instant(seedling.createdAt.instant)))
  }

  func record(of seedlings: [Seedling]) -> JSON { .array(seedlings.map { record(of: $0) }) }

  func record(of node: Node) -> JSON {
    .record(
      ("id", .string(node.id)), ("place", .text(node.place)), ("name", .string(label(of: node))),
      ("note", .string(note(of: node))), ("presetName", .string(node.presetLabel)),
      ("presetNote", .string(node.presetNote)), ("changed", .bool(isChanged(node))))
  }

  func record(of leaf: Leaf) -> JSON {
    .record(
      ("id", .string(leaf.id)), ("name", .string(leaf.name)), ("twigId", .string(leaf.twigID)),
      ("twig", .text(Node(id: leaf.twigID)?.path)), ("createdAt", .instant(leaf.createdAt.instant)))
  }

  func record(of summary: LeafSummary) -> JSON {
    let progress = summary.progress
    return record(of: summary.leaf).adding(
      ("done", .number(progress.cultivated)), ("growing", .number(progress.growing)),
      ("total", .number(progress.total)))
  }

  /// An event exactly as stored in the log, with its subject's title and twig.
  func record(of event: Event, _ more: (String, JSON?)...) -> JSON {
    let texts = event.texts(in: self)
    let pairs: [(String, JSON?)] = [
      ("event", event.json), ("title", .text(texts.title)),
      ("twig", .text(texts.nodeID.flatMap { Node(id: $0)?.path })),
    ]
    return .object((pairs + more).compactMap { name, value in value.map { JSON.Member(name, $0) } })
  }

  /// Soil, water, sun and streak, which are part of the answer of every command that writes.
  func meters(now: Instant) -> [(String, JSON?)] {
    let streak = streak(at: now)
    return [
      ("soil", .record(("available", .number(available)), ("capacity", .number(capacity)))),
      (
        "water",
        .record(
          ("left", .number(waterLeft(at: now))), ("capacity", .number(Soil.waterings)),
          ("returns", .instant(zone.nextReset(after: now))))
      ),
      (
        "sun",
        .record(
          ("left", .number(sunLeft(at: now))), ("capacity", .number(Soil.suns)),
          ("returns", .instant(zone.nextWeek(after: now))))
      ),
      ("streak", .record(("current", .number(streak.current)), ("longest", .number(streak.longest)))),
    ]
  }

  /// The answer of a command that has written something.
  func answer(now: Instant, _ pairs: (String, JSON?)...) -> JSON {
    .object((pairs + meters(now: now)).compactMap { name, value in value.map { JSON.Member(name, $0) } })
  }
}

extension StoredPage {
  /// The page as an export has it, with its number and source.
  var record: JSON {
    page.json.adding(("number", .number(Int(id))), ("source", source.record))
  }
}

extension PageSource {
  var record: JSON {
    .record(("format", .string(format)), ("name", .string(name)), ("number", .number(Int(id))))
  }
}
