/// The rules by which each event changes the garden.
extension Garden {
  /// Derives a garden from a set of events, in any order, with or without duplicates. Each event's `seq` is its
  /// position among `events.withoutDuplicates()`.
  public init(_ events: some Sequence<Event>, zone: Zone) {
    self.init(zone: zone)
    let events = Array(events)
    if takeInOrder(events) { return }
    self = Garden(zone: zone)
    let kept = Event.distinct(events)
    let order = Event.order(count: kept.count, event: { events[kept[$0]] })
    for seq in order { takeEffect(LoggedEvent(seq: Int64(seq), event: events[kept[seq]])) }
    // Ignored events come first in the order.
    if eventCount > 0, let last = order.last { lastEvent = .event(events[kept[last]]) }
  }

  /// Applies events in one pass if they are in order, without duplicates, and all have a `client_id`, as in most logs
  /// and files.
  /// - Returns: `false` at the first event that isn't; the garden is then invalid.
  private mutating func takeInOrder(_ events: [Event]) -> Bool {
    var table = ClientIDTable(count: events.count)
    var last: (milliseconds: Int64, rank: UInt8, index: Int)?
    for (index, event) in events.enumerated() {
      guard event.clientID != nil, table.find(event, orAdd: index, { events[$0] }) == nil else { return false }
      takeEffect(LoggedEvent(seq: Int64(index), event: event))
      guard let instant = event.instant, let rank = event.kind?.rawValue else { continue }
      let milliseconds = instant.milliseconds
      if let last, (milliseconds, rank) <= (last.milliseconds, last.rank) {
        guard milliseconds == last.milliseconds, rank == last.rank, let key = event.orderKey,
          let before = events[last.index].orderKey, before < key
        else { return false }
      }
      last = (milliseconds, rank, index)
    }
    if let last { lastEvent = .event(events[last.index]) }
    return true
  }

  /// Applies events in total order (as by `LoggedEvent.sorted`). They must be after `lastKey`, without duplicates among
  /// themselves or of events applied before.
  public mutating func apply(_ events: some Sequence<LoggedEvent>) {
    for logged in events { apply(logged) }
  }

  mutating func apply(_ logged: LoggedEvent) {
    takeEffect(logged)
    if logged.event.isUnderstood { lastEvent = .event(logged.event) }
  }

  private mutating func takeEffect(_ logged: LoggedEvent) {
    let event = logged.event
    guard let instant = event.instant, let kind = event.kind else {
      ignoredCount += 1
      return
    }
    eventCount += 1
    var wateringsBefore: Int32 = 0
    if kind == .sproutWatered { wateringsBefore = Garden.countOne(in: &waterDays, day: zone.dayKey(instant)) }
    if kind == .sunShone { _ = Garden.countOne(in: &sunDays, day: zone.dayKey(instant)) }
    effect(of: logged, at: instant, wateringsBefore: wateringsBefore)
  }
}

extension Garden {
  /// - Parameter now: the instant at which the effect happens. It is later than the event's own only if the event had
  ///   to wait for its sprout or seedling, because a device's clock was behind.
  private mutating func effect(of logged: LoggedEvent, at now: Instant, wateringsBefore: Int32) {
    let own = logged.event.instant ?? now
    switch logged.event.content {
    case .sproutPlanted(let it):
      guard sproutIndex[it.sproutID] == nil else { return }
      sproutIndex[it.sproutID] = sprouts.count
      sprouts.append(Sprout(it, at: own, seq: logged.seq))
      available = Soil.round2(max(0, available - it.soilCost))
      invest(it.soilCost, in: Node(id: it.twigID)?.branch)
      takeSnapshot(now)
      release(Garden.waitingKey(sprout: it.sproutID), at: now)

    case .sproutWatered(let it):
      guard let index = sproutIndex[it.sproutID] else {
        return wait(logged, for: Garden.waitingKey(sprout: it.sproutID), wateringsBefore: wateringsBefore)
      }
      journal.append(JournalEntry(seq: logged.seq, instant: own, isSun: false, index: Int32(clamping: index)))
      let (isActive, branch) = Garden.water(&sprouts[index], position: Int32(clamping: journal.count - 1), at: own)
      if isActive && wateringsBefore < Int32(Soil.waterings) { gain(Soil.waterGain) }
      invest(Soil.waterGain, in: branch)
      takeSnapshot(now)

    case .sunShone(let it):
      let node = Node(id: it.twigID)
      let twig: Int32 = if case .twig(let branch, let twig) = node { Int32(branch * 8 + twig) } else { -1 }
      journal.append(JournalEntry(seq: logged.seq, instant: own, isSun: true, index: twig))
      gain(Soil.sunGain)
      invest(Soil.sunGain, in: node?.branch)
      takeSnapshot(now)

    case .sproutHarvested(let it):
      guard let index = sproutIndex[it.sproutID] else {
        return wait(logged, for: Garden.waitingKey(sprout: it.sproutID), wateringsBefore: 0)
      }
      guard sprouts[index].isActive else { return }
      sprouts[index].state = .completed(
        Sprout.Harvest(at: own, seq: logged.seq, result: it.result, reflection: it.reflection))
      capacity = min(capacity + it.capacityGained, Soil.maximumCapacity)
      gain(sprouts[index].soilCost)
      invest(sprouts[index].soilCost * Soil.multiplier(result: it.result), in: sprouts[index].branch)
      takeSnapshot(now)

    case .sproutUprooted(let it):
      guard let index = sproutIndex[it.sproutID] else {
        return wait(logged, for: Garden.waitingKey(sprout: it.sproutID), wateringsBefore: 0)
      }
      guard sprouts[index].isActive else { return }
      sprouts[index].state = .uprooted(at: own, seq: logged.seq)
      gain(it.soilReturned)
      takeSnapshot(now)

    case .sproutEdited(let it):
      guard let index = sproutIndex[it.sproutID] else {
        return wait(logged, for: Garden.waitingKey(sprout: it.sproutID), wateringsBefore: 0)
      }
      if let title = it.title { sprouts[index].title = title }
      if let leafID = it.leafID { sprouts[index].leafID = leafID }
      if let bloom = it.bloomWither { sprouts[index].bloomWither = bloom }
      if let bloom = it.bloomBudding { sprouts[index].bloomBudding = bloom }
      if let bloom = it.bloomFlourish { sprouts[index].bloomFlourish = bloom }

    case .leafCreated(let it):
      guard leafIndex[it.leafID] == nil else { return }
      leafIndex[it.leafID] = leaves.count
      leaves.append(Leaf(id: it.leafID, twigID: it.twigID, name: it.name, createdAt: own, createdSeq: logged.seq))

    case .nodeUpdated(let it):
      if let label = it.label { nodes[it.nodeID, default: NodeText()].label = label }
      if let note = it.note { nodes[it.nodeID, default: NodeText()].note = note }

    case .seedlingCreated(let it):
      guard seedlingIndex[it.seedlingID] == nil else { return }
      seedlingIndex[it.seedlingID] = allSeedlings.count
      allSeedlings.append(
        Seedling(
          id: it.seedlingID, twigID: it.twigID, title: it.title, notes: it.notes, createdAt: own,
          createdSeq: logged.seq))
      release(Garden.waitingKey(seedling: it.seedlingID), at: now)

    case .seedlingEdited(let it):
      guard let index = seedlingIndex[it.seedlingID] else {
        return wait(logged, for: Garden.waitingKey(seedling: it.seedlingID), wateringsBefore: 0)
      }
      if let title = it.title { allSeedlings[index].title = title }
      if let notes = it.notes { allSeedlings[index].notes = notes }

    case .seedlingDeleted(let it):
      guard let index = seedlingIndex[it.seedlingID] else {
        return wait(logged, for: Garden.waitingKey(seedling: it.seedlingID), wateringsBefore: 0)
      }
      allSeedlings[index].isDeleted = true

    case .ignored: break
    }
  }

  // The prefixes keep a sprout and a seedling with the same id apart.
  private static func waitingKey(sprout id: String) -> String { "sprout " + id }
  private static func waitingKey(seedling id: String) -> String { "seedling " + id }

  private mutating func wait(_ logged: LoggedEvent, for key: String, wateringsBefore: Int32) {
    waiting[key, default: []].append(WaitingEvent(logged: logged, wateringsBefore: wateringsBefore))
  }

  private mutating func release(_ key: String, at now: Instant) {
    guard !waiting.isEmpty, let events = waiting.removeValue(forKey: key) else { return }
    for event in events { effect(of: event.logged, at: now, wateringsBefore: event.wateringsBefore) }
  }

  /// Accesses the sprout once instead of five times, because almost all events are waterings.
  private static func water(_ sprout: inout Sprout, position: Int32, at instant: Instant) -> (Bool, branch: Int?) {
    sprout.waterings.append(position)
    sprout.lastWatered = sprout.lastWatered.map { max($0, instant) } ?? instant
    return (sprout.isActive, sprout.branch)
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

  /// - Returns: the number counted on that day before.
  private static func countOne(in days: inout [DayCount], day: Day) -> Int32 {
    // Days ascend with the events, except where clocks go back over 06:00 and a day repeats.
    var index = days.count
    while index > 0, days[index - 1].day > day { index -= 1 }
    guard index > 0, days[index - 1].day == day else {
      days.insert(DayCount(day: day, count: 1), at: index)
      return 0
    }
    days[index - 1].count += 1
    return days[index - 1].count - 1
  }
}
