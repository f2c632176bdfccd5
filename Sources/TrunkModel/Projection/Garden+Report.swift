extension Garden {
  /// The whole garden as one JSON object: the output of `trunkctl derive`.
  ///
  /// Times from events are printed as written, computed instants as `…SSSZ`.
  /// - Parameter event: returns the event with a sequence number of this garden.
  public func report<Failure: Error>(
    now: Instant, event: @escaping (Int64) throws(Failure) -> Event
  ) throws(Failure) -> JSON {
    try GardenReport(garden: self, now: now, event: event).json()
  }
}

/// A garden as JSON, part by part.
private struct GardenReport<Failure: Error> {
  let garden: Garden
  let now: Instant
  let event: (Int64) throws(Failure) -> Event

  func json() throws(Failure) -> JSON {
    let streak = garden.streak(at: now)
    return object(
      ("soil", object(("capacity", .number(garden.capacity)), ("available", .number(garden.available)))),
      ("water", object(("available", .number(garden.waterLeft(at: now))), ("capacity", .number(Soil.waterings)))),
      ("sun", object(("available", .number(garden.sunLeft(at: now))), ("capacity", .number(Soil.suns)))),
      ("streak", object(("current", .number(streak.current)), ("longest", .number(streak.longest)))),
      ("sprouts", .array(try sprouts())), ("leaves", .array(try leaves())), ("seedlings", .array(try seedlings())),
      ("nodes", .array(nodes)), ("sunEntries", .array(try sunEntries())),
      ("radar", .array(garden.radar.map { .number($0) })), ("soilChart", .object(charts)),
      ("ignored", .number(garden.ignoredCount)))
  }

  private func sprouts() throws(Failure) -> [JSON] {
    var result: [JSON] = []
    for sprout in garden.sprouts.sorted(by: { $0.id.precedesInBytes($1.id) }) { result.append(try json(sprout)) }
    return result
  }

  private func json(_ sprout: Sprout) throws(Failure) -> JSON {
    var (harvestedAt, uprootedAt): (JSON?, JSON?)
    let state: String
    switch sprout.state {
    case .active: state = "active"
    case .completed(let harvest): (state, harvestedAt) = ("completed", try time(harvest.seq))
    case .uprooted(_, let seq): (state, uprootedAt) = ("uprooted", try time(seq))
    }
    return object(
      ("id", .string(sprout.id)), ("twigId", .string(sprout.twigID)), ("title", .string(sprout.title)),
      ("season", .string(sprout.season.rawValue)), ("environment", .string(sprout.ground.rawValue)),
      ("soilCost", .number(sprout.soilCost)), ("leafId", .string(sprout.leafID)),
      ("bloomWither", sprout.bloomWither.map { .string($0) }),
      ("bloomBudding", sprout.bloomBudding.map { .string($0) }),
      ("bloomFlourish", sprout.bloomFlourish.map { .string($0) }), ("state", .string(state)),
      ("plantedAt", try time(sprout.plantedSeq)), ("harvestedAt", harvestedAt),
      ("result", sprout.harvest.map { .number($0.result) }),
      ("reflection", sprout.harvest?.reflection.map { .string($0) }), ("uprootedAt", uprootedAt),
      ("harvestDue", .string(sprout.harvestDue.description)),
      ("wateredToday", .bool(garden.wasWatered(sprout, onDayOf: now))),
      ("waterEntries", .array(try waterEntries(of: sprout))))
  }

  private func waterEntries(of sprout: Sprout) throws(Failure) -> [JSON] {
    var result: [JSON] = []
    for entry in garden.waterings(of: sprout) {
      guard case .sproutWatered(let water) = try event(entry.seq).payload else { continue }
      result.append(
        object(
          ("timestamp", try time(entry.seq)), ("content", .string(water.content)),
          ("prompt", water.prompt.map { .string($0) })))
    }
    return result
  }

  private func leaves() throws(Failure) -> [JSON] {
    let progress = garden.leafProgress
    var result: [JSON] = []
    for leaf in garden.leaves.sorted(by: { $0.id.precedesInBytes($1.id) }) {
      let progress = progress[ExactID(leaf.id)] ?? LeafProgress()
      result.append(
        object(
          ("id", .string(leaf.id)), ("twigId", .string(leaf.twigID)), ("name", .string(leaf.name)),
          ("createdAt", try time(leaf.createdSeq)), ("done", .number(progress.cultivated)),
          ("growing", .number(progress.growing)), ("total", .number(progress.total))))
    }
    return result
  }

  private func seedlings() throws(Failure) -> [JSON] {
    var result: [JSON] = []
    for seedling in garden.seedlings.sorted(by: { $0.id.precedesInBytes($1.id) }) {
      result.append(
        object(
          ("id", .string(seedling.id)), ("twigId", .string(seedling.twigID)), ("title", .string(seedling.title)),
          ("notes", seedling.notes.map { .string($0) }), ("createdAt", try time(seedling.createdSeq))))
    }
    return result
  }

  private var nodes: [JSON] {
    garden.nodes.sorted { $0.key < $1.key }.map { id, text in
      object(
        ("id", .string(id.text)), ("label", text.label.map { .string($0) }), ("note", text.note.map { .string($0) }))
    }
  }

  private func sunEntries() throws(Failure) -> [JSON] {
    var result: [JSON] = []
    for entry in garden.journal where entry.sprout == nil {
      guard case .sunShone(let sun) = try event(entry.seq).payload else { continue }
      result.append(
        object(
          ("timestamp", try time(entry.seq)), ("twigId", .string(sun.twigID)), ("twigLabel", .string(sun.twigLabel)),
          ("content", .string(sun.content)), ("prompt", sun.prompt.map { .string($0) })))
    }
    return result
  }

  private var charts: [JSON.Member] {
    ChartRange.allCases.map { range in
      let points = garden.soilChart(range, now: now)
      return JSON.Member(
        range.rawValue,
        .array(points.map { .array([.string($0.instant.description), .number($0.capacity), .number($0.available)]) }))
    }
  }

  /// The time of an event as it was written.
  private func time(_ seq: Int64) throws(Failure) -> JSON {
    let event = try event(seq)
    return .string(event.json["timestamp"]?.text ?? event.instant?.description ?? "")
  }

  /// An object without the members whose value is `nil`.
  private func object(_ pairs: (String, JSON?)...) -> JSON {
    .object(pairs.compactMap { name, value in value.map { JSON.Member(name, $0) } })
  }
}
