extension Garden {
  /// The whole garden as one JSON object: the output of `trunkctl derive`.
  ///
  /// Times from events are printed as written, computed instants as `…SSSZ`.
  /// - Parameter event: returns the event with a sequence number of this garden.
  public func report<Failure: Error>(
    now: Instant, event: (Int64) throws(Failure) -> Event
  ) throws(Failure) -> JSON {
    func time(_ seq: Int64) throws(Failure) -> JSON {
      let event = try event(seq)
      return .string((try? JSON(event.raw))?["timestamp"]?.text ?? event.instant?.description ?? "")
    }
    let streak = streak(at: now)
    var sproutReports: [JSON] = []
    for sprout in sprouts.sorted(by: { $0.id.precedesInBytes($1.id) }) {
      sproutReports.append(try report(sprout, now: now, event: event, time: time))
    }
    let progress = leafProgress
    var leafReports: [JSON] = []
    for leaf in leaves.sorted(by: { $0.id.precedesInBytes($1.id) }) {
      let progress = progress[leaf.id] ?? LeafProgress()
      leafReports.append(
        Garden.object(
          ("id", .string(leaf.id)), ("twigId", .string(leaf.twigID)), ("name", .string(leaf.name)),
          ("createdAt", try time(leaf.createdSeq)), ("done", .number(progress.cultivated)),
          ("growing", .number(progress.growing)), ("total", .number(progress.total))))
    }
    var seedlingReports: [JSON] = []
    for seedling in seedlings.sorted(by: { $0.id.precedesInBytes($1.id) }) {
      seedlingReports.append(
        Garden.object(
          ("id", .string(seedling.id)), ("twigId", .string(seedling.twigID)), ("title", .string(seedling.title)),
          ("notes", seedling.notes.map { .string($0) }), ("createdAt", try time(seedling.createdSeq))))
    }
    let nodeReports = nodes.sorted { $0.key.precedesInBytes($1.key) }.map { id, text in
      Garden.object(
        ("id", .string(id)), ("label", text.label.map { .string($0) }), ("note", text.note.map { .string($0) }))
    }
    var sunReports: [JSON] = []
    for entry in journal where entry.sprout == nil {
      guard case .sunShone(let sun) = try event(entry.seq).content else { continue }
      sunReports.append(
        Garden.object(
          ("timestamp", try time(entry.seq)), ("twigId", .string(sun.twigID)), ("twigLabel", .string(sun.twigLabel)),
          ("content", .string(sun.content)), ("prompt", sun.prompt.map { .string($0) })))
    }
    let charts = ChartRange.allCases.map { range in
      JSON.Member(
        range.rawValue,
        .array(
          soilChart(range, now: now).map {
            .array([.string($0.instant.description), .number($0.capacity), .number($0.available)])
          }))
    }
    return Garden.object(
      ("soil", Garden.object(("capacity", .number(capacity)), ("available", .number(available)))),
      ("water", Garden.object(("available", .number(waterLeft(at: now))), ("capacity", .number(Soil.waterings)))),
      ("sun", Garden.object(("available", .number(sunLeft(at: now))), ("capacity", .number(Soil.suns)))),
      ("streak", Garden.object(("current", .number(streak.current)), ("longest", .number(streak.longest)))),
      ("sprouts", .array(sproutReports)), ("leaves", .array(leafReports)), ("seedlings", .array(seedlingReports)),
      ("nodes", .array(nodeReports)), ("sunEntries", .array(sunReports)),
      ("radar", .array(radar.map { .number($0) })), ("soilChart", .object(charts)),
      ("ignored", .number(ignoredCount)))
  }

  private func report<Failure: Error>(
    _ sprout: Sprout, now: Instant, event: (Int64) throws(Failure) -> Event,
    time: (Int64) throws(Failure) -> JSON
  ) throws(Failure) -> JSON {
    var entries: [JSON] = []
    for entry in waterings(of: sprout) {
      guard case .sproutWatered(let water) = try event(entry.seq).content else { continue }
      entries.append(
        Garden.object(
          ("timestamp", try time(entry.seq)), ("content", .string(water.content)),
          ("prompt", water.prompt.map { .string($0) })))
    }
    let state: JSON
    var harvestedAt: JSON?
    var uprootedAt: JSON?
    switch sprout.state {
    case .active: state = .string("active")
    case .completed(let harvest):
      state = .string("completed")
      harvestedAt = try time(harvest.seq)
    case .uprooted(_, let seq):
      state = .string("uprooted")
      uprootedAt = try time(seq)
    }
    return Garden.object(
      ("id", .string(sprout.id)), ("twigId", .string(sprout.twigID)), ("title", .string(sprout.title)),
      ("season", .string(sprout.season.rawValue)), ("environment", .string(sprout.environment.rawValue)),
      ("soilCost", .number(sprout.soilCost)), ("leafId", .string(sprout.leafID)),
      ("bloomWither", sprout.bloomWither.map { .string($0) }),
      ("bloomBudding", sprout.bloomBudding.map { .string($0) }),
      ("bloomFlourish", sprout.bloomFlourish.map { .string($0) }), ("state", state),
      ("plantedAt", try time(sprout.plantedSeq)), ("harvestedAt", harvestedAt),
      ("result", sprout.harvest.map { .number($0.result) }),
      ("reflection", sprout.harvest?.reflection.map { .string($0) }), ("uprootedAt", uprootedAt),
      ("harvestDue", .string(sprout.harvestDue.description)),
      ("wateredToday", .bool(wasWatered(sprout, onDayOf: now))), ("waterEntries", .array(entries)))
  }

  /// An object without the members whose value is `nil`.
  private static func object(_ pairs: (String, JSON?)...) -> JSON {
    .object(pairs.compactMap { name, value in value.map { JSON.Member(name, $0) } })
  }
}
