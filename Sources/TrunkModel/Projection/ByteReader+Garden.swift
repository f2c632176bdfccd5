// The parts of a checkpoint: what is written here is read below in the same order.

extension ByteWriter {
  // In two parts: the padding between two times would make the bytes differ between runs.
  mutating func write(_ time: EventTime) {
    write(time.instant)
    write(time.offset)
  }

  mutating func write(_ key: OrderKey?) {
    write(key != nil)
    guard let key else { return }
    write(key.instant)
    write(key.rank)
    write(key.clientID)
    write(key.canonicalText)
  }

  mutating func write(_ leaf: Leaf) {
    for text in [leaf.id, leaf.twigID, leaf.name] { write(text) }
    write(leaf.createdAt)
    write(leaf.createdSeq)
  }

  mutating func write(_ seedling: Seedling) {
    for text in [seedling.id, seedling.twigID, seedling.title] { write(text) }
    write(seedling.notes)
    write(seedling.createdAt)
    write(seedling.createdSeq)
    write(seedling.deletedAt != nil)
    if let deletedAt = seedling.deletedAt { write(deletedAt) }
  }

  mutating func write(_ text: ReplacedText) {
    write(text.at)
    write(text.id)
    write(text.text)
  }

  mutating func write(_ waiting: WaitingEvent) {
    write(waiting.logged.seq)
    write(waiting.logged.event.raw)
    write(waiting.wateringsBefore)
  }

  mutating func write(_ sprout: Sprout) {
    for text in [sprout.id, sprout.twigID, sprout.title, sprout.season.rawValue, sprout.ground.rawValue] {
      write(text)
    }
    write(sprout.soilCost)
    write(sprout.leafID)
    for text in [sprout.bloomWither, sprout.bloomBudding, sprout.bloomFlourish] { write(text) }
    write(sprout.plantedAt)
    write(sprout.plantedSeq)
    switch sprout.state {
    case .active: write(UInt8(0))
    case .completed(let harvest):
      write(UInt8(1))
      write(harvest.at)
      write(harvest.seq)
      write(Int64(harvest.result))
      write(harvest.capacityGain)
      write(harvest.reflection)
    case .uprooted(let at, let seq):
      write(UInt8(2))
      write(at)
      write(seq)
    }
    write(sprout.waterings)
  }
}

extension ByteReader {
  mutating func readTime() throws(Damaged) -> EventTime {
    EventTime(try read(Instant.self), offset: try read(Int32.self))
  }

  mutating func readOrderKey() throws(Damaged) -> OrderKey? {
    guard try readBool() else { return nil }
    return OrderKey(
      instant: try read(Instant.self), rank: try read(UInt8.self), clientID: try readString(),
      canonicalText: try readString())
  }

  mutating func readLeaf() throws(Damaged) -> Leaf {
    Leaf(
      id: try readString(), twigID: try readString(), name: try readString(), createdAt: try readTime(),
      createdSeq: try read(Int64.self))
  }

  mutating func readSeedling() throws(Damaged) -> Seedling {
    Seedling(
      id: try readString(), twigID: try readString(), title: try readString(), notes: try readOptionalString(),
      createdAt: try readTime(), createdSeq: try read(Int64.self),
      deletedAt: try readBool() ? try readTime() : nil)
  }

  mutating func readReplacedText() throws(Damaged) -> ReplacedText {
    ReplacedText(at: try readTime(), id: try readString(), text: try readOptionalString())
  }

  mutating func readWaitingEvent() throws(Damaged) -> WaitingEvent {
    let seq = try read(Int64.self)
    guard let event = try? Event(json: try readString()) else { throw Damaged() }
    return WaitingEvent(logged: LoggedEvent(seq: seq, event: event), wateringsBefore: try read(Int32.self))
  }

  mutating func readSprout() throws(Damaged) -> Sprout {
    let (id, twigID, title) = (try readString(), try readString(), try readString())
    guard let season = Season(rawValue: try readString()), let ground = Ground(rawValue: try readString())
    else { throw Damaged() }
    let planted = Payload.SproutPlanted(
      sproutID: id, twigID: twigID, title: title, season: season, environment: ground,
      soilCost: try read(Double.self), leafID: try readString(), bloomWither: try readOptionalString(),
      bloomBudding: try readOptionalString(), bloomFlourish: try readOptionalString())
    var sprout = Sprout(planted, at: try readTime(), seq: try read(Int64.self))
    switch try read(UInt8.self) {
    case 0: break
    case 1:
      sprout.state = .completed(
        Sprout.Harvest(
          at: try readTime(), seq: try read(Int64.self), result: try readCount(),
          capacityGain: try read(Double.self), reflection: try readOptionalString()))
    case 2: sprout.state = .uprooted(at: try readTime(), seq: try read(Int64.self))
    default: throw Damaged()
    }
    sprout.waterings = try readArray(Int32.self)
    return sprout
  }
}
