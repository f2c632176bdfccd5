import TrunkModel

/// Daily water and weekly sun: the entries of the journal.
extension GardenModel {
  /// The day that a watering counts for.
  public enum WateringDay: Sendable {
    case today
    /// Only until noon, see `Garden.canWaterForYesterday`.
    case yesterday
  }

  /// Waters a growing sprout with a journal entry: once per sprout and day, three times a day. The text may be empty.
  public func water(
    _ sproutID: String, text: String, question: String?, on day: WateringDay = .today
  ) async throws {
    try await serially { [self] in
      try checkWatering(sproutID, on: day)
      let content = text.trimmed.isEmpty ? "" : text
      try await commit(
        [.sproutWatered(.init(sproutID: sproutID, content: content, prompt: question))], at: instant(of: day),
        undo: .water, draft: draft(text, .water, sproutID, asked: question.map { AskedQuestion($0) }))
    }
  }

  /// Checks whether a sprout can be watered now, before the user writes a text.
  /// - Throws: the reason why not.
  public func checkWatering(_ sproutID: String, on day: WateringDay = .today) throws {
    let sprout = try growing(sproutID)
    guard day == .today else {
      if garden.canWaterForYesterday(sprout, at: now) { return }
      throw IntentError.notForYesterday(title: sprout.title)
    }
    guard !garden.wasWatered(sprout, onDayOf: now) else { throw IntentError.alreadyWatered(title: sprout.title) }
    guard garden.waterLeft(at: now) > 0 else {
      throw IntentError.noWaterLeft(
        returns: Formats.moment(garden.zone.nextReset(after: now), now: now, in: garden.zone))
    }
  }

  /// When a watering for a day happened. For yesterday it is a random millisecond of that day's last minute, which no
  /// event of the log has: other clients drop one of two events that share a type and an instant.
  private func instant(of day: WateringDay) async throws -> Instant {
    guard day == .yesterday else { return now }
    let end = garden.zone.start(of: garden.zone.dayKey(now))
    let minute = end.adding(seconds: -60)..<end
    let used = try await store.instants(in: minute)
    let free = (minute.lowerBound.milliseconds..<end.milliseconds).map { Instant(milliseconds: $0) }
    return free.filter { !used.contains($0) }.randomElement() ?? minute.lowerBound
  }

  /// Checks whether the sun can shine now.
  /// - Throws: the reason why not.
  public func checkShining() throws {
    guard garden.sunLeft(at: now) > 0 else {
      throw IntentError.noSunLeft(
        returns: Formats.moment(garden.zone.nextWeek(after: now), now: now, in: garden.zone))
    }
  }

  /// Writes the weekly reflection.
  public func shine(_ twig: Node, text: String, question: String?) async throws {
    try await serially { [self] in
      try checkShining()
      guard !text.trimmed.isEmpty else { throw IntentError.textMissing }
      try await commit(
        [.sunShone(.init(twigID: twig.id, twigLabel: garden.label(of: twig), content: text, prompt: question))],
        undo: .shine, draft: draft(text, .sun, "", asked: question.map { AskedQuestion($0, on: twig) }))
    }
  }
}
