/// An event whose effect is being applied.
struct AppliedEvent {
  let logged: LoggedEvent
  /// The event's own time.
  let time: EventTime
  /// The instant at which the effect happens. It is later than `time` only if the event had to wait for its sprout
  /// or seedling, because a device's clock was behind.
  let now: Instant
  /// The number of waterings counted before it on its reset day.
  let wateringsBefore: Int32

  var seq: Int64 { logged.seq }
  /// The hash of the id of what the event is about.
  var hash: Int32 { logged.event.entityHash }
}

// The effect of each kind of event: a line in the switch and a function.

extension Garden {
  mutating func applyEffect(of event: AppliedEvent) {
    switch event.logged.event.payload {
    case .sproutPlanted(let it): plant(it, event)
    case .sproutWatered(let it): water(it, event)
    case .sproutHarvested(let it): harvest(it, event)
    case .sproutUprooted(let it): uproot(it, event)
    case .sproutEdited(let it): edit(it, event)
    case .sunShone(let it): shine(it, event)
    case .leafCreated(let it): create(it, event)
    case .nodeUpdated(let it): update(it, event)
    case .seedlingCreated(let it): create(it, event)
    case .seedlingEdited(let it): edit(it, event)
    case .seedlingDeleted(let it): delete(it, event)
    case .ignored: break
    }
  }

  private mutating func plant(_ it: Payload.SproutPlanted, _ event: AppliedEvent) {
    guard sproutPosition(it.sproutID, event.hash) == nil else { return }
    add(Sprout(it, at: event.time, seq: event.seq), event.hash)
    available = Soil.round2(max(0, available - it.soilCost))
    invest(it.soilCost, in: Node(id: it.twigID)?.branch)
    takeSnapshot(event.now)
    release(Garden.waitingKey(sprout: it.sproutID), at: event.now)
  }

  private mutating func water(_ it: Payload.SproutWatered, _ event: AppliedEvent) {
    guard let index = sproutPosition(it.sproutID, event.hash) else {
      return wait(event, for: Garden.waitingKey(sprout: it.sproutID))
    }
    journal.append(JournalEntry(seq: event.seq, time: event.time, hasWords: Garden.hasWords(it.content), sprout: index))
    let (isActive, branch) = Garden.water(&sprouts[index], position: Int32(clamping: journal.count - 1))
    if isActive && event.wateringsBefore < Int32(Soil.waterings) { gain(Soil.waterGain) }
    invest(Soil.waterGain, in: branch)
    takeSnapshot(event.now)
  }

  /// Accesses the sprout once instead of three times, because almost all events are waterings.
  private static func water(_ sprout: inout Sprout, position: Int32) -> (Bool, branch: Int?) {
    sprout.waterings.append(position)
    return (sprout.isActive, sprout.branch)
  }

  private mutating func shine(_ it: Payload.SunShone, _ event: AppliedEvent) {
    let node = Node(id: it.twigID)
    let twig: Int? = if case .twig(let branch, let twig) = node { branch * 8 + twig } else { nil }
    journal.append(JournalEntry(seq: event.seq, time: event.time, hasWords: Garden.hasWords(it.content), twig: twig))
    gain(Soil.sunGain)
    invest(Soil.sunGain, in: node?.branch)
    takeSnapshot(event.now)
  }

  private mutating func harvest(_ it: Payload.SproutHarvested, _ event: AppliedEvent) {
    guard let index = sproutPosition(it.sproutID, event.hash) else {
      return wait(event, for: Garden.waitingKey(sprout: it.sproutID))
    }
    guard sprouts[index].isActive else { return }
    let capacityBefore = capacity
    capacity = min(capacity + it.capacityGained, Soil.maximumCapacity)
    sprouts[index].state = .completed(
      Sprout.Harvest(
        at: event.time, seq: event.seq, result: it.result, capacityGain: capacity - capacityBefore,
        reflection: it.reflection))
    gain(sprouts[index].soilCost)
    invest(sprouts[index].soilCost * Soil.multiplier(result: it.result), in: sprouts[index].branch)
    takeSnapshot(event.now)
  }

  private mutating func uproot(_ it: Payload.SproutUprooted, _ event: AppliedEvent) {
    guard let index = sproutPosition(it.sproutID, event.hash) else {
      return wait(event, for: Garden.waitingKey(sprout: it.sproutID))
    }
    guard sprouts[index].isActive else { return }
    sprouts[index].state = .uprooted(at: event.time, seq: event.seq)
    gain(it.soilReturned)
    takeSnapshot(event.now)
  }

  private mutating func edit(_ it: Payload.SproutEdited, _ event: AppliedEvent) {
    guard let index = sproutPosition(it.sproutID, event.hash) else {
      return wait(event, for: Garden.waitingKey(sprout: it.sproutID))
    }
    if let title = it.title { sprouts[index].title = title }
    if let leafID = it.leafID {
      let before = sprouts[index].leafID
      replacedLeaves.append(ReplacedText(at: event.time, id: it.sproutID, text: before))
      sprouts[index].leafID = leafID
    }
    if let bloom = it.bloomWither { sprouts[index].bloomWither = bloom }
    if let bloom = it.bloomBudding { sprouts[index].bloomBudding = bloom }
    if let bloom = it.bloomFlourish { sprouts[index].bloomFlourish = bloom }
  }

  private mutating func create(_ it: Payload.LeafCreated, _ event: AppliedEvent) {
    guard leafPosition(it.leafID, event.hash) == nil else { return }
    let leaf = Leaf(id: it.leafID, twigID: it.twigID, name: it.name, createdAt: event.time, createdSeq: event.seq)
    add(leaf, event.hash)
  }

  private mutating func update(_ it: Payload.NodeUpdated, _ event: AppliedEvent) {
    if let label = it.label {
      let before = nodes[ExactID(it.nodeID)]?.label
      replacedLabels.append(ReplacedText(at: event.time, id: it.nodeID, text: before))
      nodes[ExactID(it.nodeID), default: NodeText()].label = label
    }
    if let note = it.note { nodes[ExactID(it.nodeID), default: NodeText()].note = note }
  }

  private mutating func create(_ it: Payload.SeedlingCreated, _ event: AppliedEvent) {
    guard seedlingPosition(it.seedlingID, event.hash) == nil else { return }
    let seedling = Seedling(
      id: it.seedlingID, twigID: it.twigID, title: it.title, notes: it.notes, createdAt: event.time,
      createdSeq: event.seq)
    add(seedling, event.hash)
    release(Garden.waitingKey(seedling: it.seedlingID), at: event.now)
  }

  private mutating func edit(_ it: Payload.SeedlingEdited, _ event: AppliedEvent) {
    guard let index = seedlingPosition(it.seedlingID, event.hash) else {
      return wait(event, for: Garden.waitingKey(seedling: it.seedlingID))
    }
    if let title = it.title { allSeedlings[index].title = title }
    if let notes = it.notes { allSeedlings[index].notes = notes }
  }

  private mutating func delete(_ it: Payload.SeedlingDeleted, _ event: AppliedEvent) {
    guard let index = seedlingPosition(it.seedlingID, event.hash) else {
      return wait(event, for: Garden.waitingKey(seedling: it.seedlingID))
    }
    allSeedlings[index].deletedAt = allSeedlings[index].deletedAt ?? event.time
  }
}

extension Garden {
  // The prefixes keep a sprout and a seedling with the same id apart.
  private static func waitingKey(sprout id: String) -> ExactID { ExactID("sprout " + id) }
  private static func waitingKey(seedling id: String) -> ExactID { ExactID("seedling " + id) }

  private mutating func wait(_ event: AppliedEvent, for key: ExactID) {
    waiting[key, default: []].append(WaitingEvent(logged: event.logged, wateringsBefore: event.wateringsBefore))
  }

  private mutating func release(_ key: ExactID, at now: Instant) {
    guard !waiting.isEmpty, let events = waiting.removeValue(forKey: key) else { return }
    for it in events {
      let time = zones.time(of: it.logged.event, at: it.logged.event.instant ?? now)
      applyEffect(of: AppliedEvent(logged: it.logged, time: time, now: now, wateringsBefore: it.wateringsBefore))
    }
  }

  /// White space outside ASCII is words here: it isn't worth decoding each text.
  private static func hasWords(_ text: String) -> Bool { text.utf8.contains { $0 > 0x20 } }

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
