/// An event whose effect is being applied.
struct Cause {
  let logged: LoggedEvent
  /// The event's own instant.
  let own: Instant
  /// The instant at which the effect happens. It is later than `own` only if the event had to wait for its sprout or
  /// seedling, because a device's clock was behind.
  let now: Instant
  /// The number of waterings counted before it on its reset day.
  let wateringsBefore: Int32

  var seq: Int64 { logged.seq }
  /// The hash of the id of what the event is about.
  var hash: Int32 { logged.event.entityHash }
}

// The effect of each kind of event: a line in the switch and a function.

extension Garden {
  mutating func applyEffect(of cause: Cause) {
    switch cause.logged.event.payload {
    case .sproutPlanted(let it): plant(it, cause)
    case .sproutWatered(let it): water(it, cause)
    case .sproutHarvested(let it): harvest(it, cause)
    case .sproutUprooted(let it): uproot(it, cause)
    case .sproutEdited(let it): edit(it, cause)
    case .sunShone(let it): shine(it, cause)
    case .leafCreated(let it): create(it, cause)
    case .nodeUpdated(let it): update(it)
    case .seedlingCreated(let it): create(it, cause)
    case .seedlingEdited(let it): edit(it, cause)
    case .seedlingDeleted(let it): delete(it, cause)
    case .ignored: break
    }
  }

  private mutating func plant(_ it: Payload.SproutPlanted, _ cause: Cause) {
    guard sproutPosition(it.sproutID, cause.hash) == nil else { return }
    add(Sprout(it, at: cause.own, seq: cause.seq), cause.hash)
    available = Soil.round2(max(0, available - it.soilCost))
    invest(it.soilCost, in: Node(id: it.twigID)?.branch)
    takeSnapshot(cause.now)
    release(Garden.waitingKey(sprout: it.sproutID), at: cause.now)
  }

  private mutating func water(_ it: Payload.SproutWatered, _ cause: Cause) {
    guard let index = sproutPosition(it.sproutID, cause.hash) else {
      return wait(cause, for: Garden.waitingKey(sprout: it.sproutID), wateringsBefore: cause.wateringsBefore)
    }
    journal.append(JournalEntry(seq: cause.seq, instant: cause.own, isSun: false, index: Int32(clamping: index)))
    let (isActive, branch) = Garden.water(&sprouts[index], position: Int32(clamping: journal.count - 1), at: cause.own)
    if isActive && cause.wateringsBefore < Int32(Soil.waterings) { gain(Soil.waterGain) }
    invest(Soil.waterGain, in: branch)
    takeSnapshot(cause.now)
  }

  /// Accesses the sprout once instead of five times, because almost all events are waterings.
  private static func water(_ sprout: inout Sprout, position: Int32, at instant: Instant) -> (Bool, branch: Int?) {
    sprout.waterings.append(position)
    sprout.lastWatered = sprout.lastWatered.map { max($0, instant) } ?? instant
    return (sprout.isActive, sprout.branch)
  }

  private mutating func shine(_ it: Payload.SunShone, _ cause: Cause) {
    let node = Node(id: it.twigID)
    let twig: Int32 = if case .twig(let branch, let twig) = node { Int32(branch * 8 + twig) } else { -1 }
    journal.append(JournalEntry(seq: cause.seq, instant: cause.own, isSun: true, index: twig))
    gain(Soil.sunGain)
    invest(Soil.sunGain, in: node?.branch)
    takeSnapshot(cause.now)
  }

  private mutating func harvest(_ it: Payload.SproutHarvested, _ cause: Cause) {
    guard let index = sproutPosition(it.sproutID, cause.hash) else {
      return wait(cause, for: Garden.waitingKey(sprout: it.sproutID))
    }
    guard sprouts[index].isActive else { return }
    sprouts[index].state = .completed(
      Sprout.Harvest(at: cause.own, seq: cause.seq, result: it.result, reflection: it.reflection))
    capacity = min(capacity + it.capacityGained, Soil.maximumCapacity)
    gain(sprouts[index].soilCost)
    invest(sprouts[index].soilCost * Soil.multiplier(result: it.result), in: sprouts[index].branch)
    takeSnapshot(cause.now)
  }

  private mutating func uproot(_ it: Payload.SproutUprooted, _ cause: Cause) {
    guard let index = sproutPosition(it.sproutID, cause.hash) else {
      return wait(cause, for: Garden.waitingKey(sprout: it.sproutID))
    }
    guard sprouts[index].isActive else { return }
    sprouts[index].state = .uprooted(at: cause.own, seq: cause.seq)
    gain(it.soilReturned)
    takeSnapshot(cause.now)
  }

  private mutating func edit(_ it: Payload.SproutEdited, _ cause: Cause) {
    guard let index = sproutPosition(it.sproutID, cause.hash) else {
      return wait(cause, for: Garden.waitingKey(sprout: it.sproutID))
    }
    if let title = it.title { sprouts[index].title = title }
    if let leafID = it.leafID { sprouts[index].leafID = leafID }
    if let bloom = it.bloomWither { sprouts[index].bloomWither = bloom }
    if let bloom = it.bloomBudding { sprouts[index].bloomBudding = bloom }
    if let bloom = it.bloomFlourish { sprouts[index].bloomFlourish = bloom }
  }

  private mutating func create(_ it: Payload.LeafCreated, _ cause: Cause) {
    guard leafPosition(it.leafID, cause.hash) == nil else { return }
    add(
      Leaf(id: it.leafID, twigID: it.twigID, name: it.name, createdAt: cause.own, createdSeq: cause.seq), cause.hash)
  }

  private mutating func update(_ it: Payload.NodeUpdated) {
    if let label = it.label { nodes[it.nodeID, default: NodeText()].label = label }
    if let note = it.note { nodes[it.nodeID, default: NodeText()].note = note }
  }

  private mutating func create(_ it: Payload.SeedlingCreated, _ cause: Cause) {
    guard seedlingPosition(it.seedlingID, cause.hash) == nil else { return }
    add(
      Seedling(
        id: it.seedlingID, twigID: it.twigID, title: it.title, notes: it.notes, createdAt: cause.own,
        createdSeq: cause.seq), cause.hash)
    release(Garden.waitingKey(seedling: it.seedlingID), at: cause.now)
  }

  private mutating func edit(_ it: Payload.SeedlingEdited, _ cause: Cause) {
    guard let index = seedlingPosition(it.seedlingID, cause.hash) else {
      return wait(cause, for: Garden.waitingKey(seedling: it.seedlingID))
    }
    if let title = it.title { allSeedlings[index].title = title }
    if let notes = it.notes { allSeedlings[index].notes = notes }
  }

  private mutating func delete(_ it: Payload.SeedlingDeleted, _ cause: Cause) {
    guard let index = seedlingPosition(it.seedlingID, cause.hash) else {
      return wait(cause, for: Garden.waitingKey(seedling: it.seedlingID))
    }
    allSeedlings[index].isDeleted = true
  }
}

extension Garden {
  // The prefixes keep a sprout and a seedling with the same id apart.
  private static func waitingKey(sprout id: String) -> String { "sprout " + id }
  private static func waitingKey(seedling id: String) -> String { "seedling " + id }

  private mutating func wait(_ cause: Cause, for key: String, wateringsBefore: Int32 = 0) {
    waiting[key, default: []].append(WaitingEvent(logged: cause.logged, wateringsBefore: wateringsBefore))
  }

  private mutating func release(_ key: String, at now: Instant) {
    guard !waiting.isEmpty, let events = waiting.removeValue(forKey: key) else { return }
    for event in events {
      applyEffect(
        of: Cause(
          logged: event.logged, own: event.logged.event.instant ?? now, now: now, wateringsBefore: event.wateringsBefore
        ))
    }
  }

  private mutating func gain(_ amount: Double) {
    available = Soil.round2(min(available + amount, capacity))
  }

  private mutating func invest(_ amount: Double, in branch: Int?) {
    guard let branch else { return }
    branchSums[branch] += amount
  }

  private mutating func takeSnapshot(_ now: Instant) {
    snapshots.append(SoilSnapshot(instant: now, capacity: capacity, available: available))
  }
}
