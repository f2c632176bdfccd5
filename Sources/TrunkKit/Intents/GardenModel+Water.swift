import TrunkModel

/// Daily water and weekly sun: the entries of the journal.
extension GardenModel {
  /// Waters a growing sprout with a journal entry: once per sprout and day, three times a day. The text may be empty.
  public func water(_ sproutID: String, text: String, question: String?) async throws {
    try await serially { [self] in
      try checkWatering(sproutID)
      let content = text.trimmed.isEmpty ? "" : text
      try await commit(
        [.sproutWatered(.init(sproutID: sproutID, content: content, prompt: question))], undo: .water,
        draft: draft(text, .water, sproutID, asked: question.map { AskedQuestion($0) }))
    }
  }

  /// Checks whether a sprout can be watered now, before the user writes a text.
  /// - Throws: the reason why not.
  public func checkWatering(_ sproutID: String) throws {
    let sprout = try growing(sproutID)
    guard !garden.wasWatered(sprout, onDayOf: now) else { throw IntentError.alreadyWatered(title: sprout.title) }
    guard garden.waterLeft(at: now) > 0 else {
      throw IntentError.noWaterLeft(
        returns: Formats.moment(garden.zone.nextReset(after: now), now: now, in: garden.zone))
    }
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
