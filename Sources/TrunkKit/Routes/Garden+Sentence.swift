import Localization
import TrunkModel

/// The sentence about a page in the foot of the window: something true about the garden, without advice.
extension Garden {
  /// - Parameters:
  ///   - route: the page. Pages that say everything themselves have no sentence.
  ///   - rest: the days of rest.
  /// - Returns: an empty text if there is nothing to say.
  public func sentence(on route: Route, at now: Instant, resting rest: RestDays) -> String {
    let restPeriod = rest.period(on: zone.dayKey(now))
    switch route {
    case .today, .tree:
      if let restPeriod, !growing.isEmpty {
        return tr(
          "The garden rests until {date}.",
          ["date": Formats.dayAndYear(restPeriod.last, today: zone.dayKey(now))])
      }
      if route == .today { return todaySentence(at: now) }
      return sprouts.isEmpty
        ? tr("Your tree waits for its first sprout. Each limb is a part of a life.") : growingSentence
    case .branch(let branch): return growingSentence { $0.node?.branch == branch }
    case .twig(let id): return growingSentence { $0.twigID.hasSameBytes(as: id) }
    case .garden: return gardenSentence
    case .journal: return Garden.sentence(about: journal.map(\.time), count: entryCount)
    case .sprout(let id): return entriesSentence { $0.id.hasSameBytes(as: id) }
    case .leaf(let id): return entriesSentence { $0.leafID.hasSameBytes(as: id) }
    case .entry(let seq): return positionSentence(ofEntry: seq)
    case .year(let year): return yearSentence(year)
    case .search, .seedlings, .seedling, .page: return ""
    }
  }

  private func todaySentence(at now: Instant) -> String {
    guard let first = sprouts.first else {
      return tr("Your tree waits for its first sprout. Each limb is a part of a life.")
    }
    let ready = ready(at: now)
    if let sprout = ready.first {
      return ready.count == 1
        ? tr("“{title}” is ready to harvest.", ["title": sprout.title])
        : trn("{n} sprout is ready to harvest.", "{n} sprouts are ready to harvest.", ready.count)
    }
    guard let next = upcoming(at: now).first else { return tr("Nothing is growing.") }
    let drops = min(waterLeft(at: now), needingWater(at: now).count)
    let written = wateredToday(at: now).count
    if written > 0, drops == 0 {
      return tr("Watered for today.") + " " + trn("One new leaf.", "{n} new leaves.", written)
    }
    if sprouts.count == 1, first.plantedAt.day == zone.dayKey(now) {
      return tr("Planted today. Nothing else needs doing.")
    }
    var sentences = drops > 0 ? [trn("One drop is left.", "{n} drops are left.", drops)] : []
    if next.harvestDue.seconds(since: now) < Garden.soon {
      let time = timeLeft(of: next, at: now)
      sentences.append(tr("“{title}” is ready in {time}.", ["title": next.title, "time": time]))
    }
    return sentences.isEmpty ? growingSentence : sentences.joined(separator: " ")
  }

  /// A harvest is announced two weeks before, in seconds.
  private static let soon = 14 * 86_400.0

  private var growingSentence: String {
    let growing = growing
    guard let oldest = growing.map(\.plantedAt).min() else { return tr("Nothing is growing.") }
    return trn(
      "One sprout grows, since {date}.", "{n} sprouts grow, the oldest since {date}.", growing.count,
      ["date": Formats.date(oldest)])
  }

  /// About the sprouts that grow on a part of the tree.
  private func growingSentence(here isHere: (Sprout) -> Bool) -> String {
    let count = growing.count(where: isHere)
    return count == 0 ? tr("Nothing grows here.") : trn("One sprout grows here.", "{n} sprouts grow here.", count)
  }

  private var gardenSentence: String {
    let (growing, harvested) = (growing.count, sprouts.count { $0.harvest != nil })
    guard !sprouts.isEmpty else { return "" }
    guard harvested > 0 else { return growingSentence }
    return (growing == 0 ? tr("Nothing is growing.") : trn("One sprout grows.", "{n} sprouts grow.", growing)) + " "
      + trn("One is harvested.", "{n} are harvested.", harvested)
  }

  private static func sentence(about entries: [EventTime], count: Int) -> String {
    guard let first = entries.min() else { return "" }
    return trn("One entry, on {date}.", "{n} entries since {date}.", count, ["date": Formats.date(first)])
  }

  /// About the waterings of the sprouts that are meant, which their pages count too.
  private func entriesSentence(of isMeant: (Sprout) -> Bool) -> String {
    let times = sprouts.filter(isMeant).flatMap { waterings(of: $0).map(\.time) }
    return Garden.sentence(about: times, count: times.count)
  }

  private func positionSentence(ofEntry seq: Int64) -> String {
    guard let entry = journal.first(where: { $0.seq == seq }), let sprout = entry.sprout.map({ sprouts[$0] }) else {
      return ""
    }
    let entries = waterings(of: sprout)
    let position = entries.count { ($0.time, $0.seq) <= (entry.time, seq) }
    return tr(
      "Entry {n} of {count} about “{title}”.",
      ["n": "\(position)", "count": "\(entries.count)", "title": sprout.title])
  }

  private func yearSentence(_ year: Int32) -> String {
    let count = journal.count { $0.time.day.year == year } + sprouts.count { $0.harvest?.at.day.year == year }
    return count == 0 ? "" : trn("One entry in {year}.", "{n} entries in {year}.", count, ["year": "\(year)"])
  }
}
