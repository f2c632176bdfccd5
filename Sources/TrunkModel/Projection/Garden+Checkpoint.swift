/// A garden as bytes, so that the next start doesn't have to read the log.
///
/// The format is private to one version of the program on one kind of machine: `formatVersion` changes with every
/// change of a stored property or a rule of derivation, and then the log is read again. The first 8 bytes are a
/// checksum of the rest, so that code that uses a garden need not check it for damage.
extension Garden {
  public static let formatVersion = 2

  public func checkpoint() -> [UInt8] {
    var writer = ByteWriter()
    writer.write(Int64(Garden.formatVersion))
    writer.write(zone.identifier)
    writer.write(zone.fingerprint)
    writer.write(capacity)
    writer.write(available)
    writer.write(branchSums)
    writer.write(Int64(eventCount))
    writer.write(Int64(ignoredCount))
    let lastKey = lastKey
    writer.write(lastKey != nil)
    if let lastKey {
      writer.write(lastKey.instant)
      writer.write(lastKey.rank)
      writer.write(lastKey.clientID)
      writer.write(lastKey.canonicalText)
    }
    writer.write(waterDays)
    writer.write(sunDays)
    writer.write(Array(journal))
    writer.write(Array(snapshots))
    writer.write(Int64(sprouts.count))
    for sprout in sprouts { writer.write(sprout) }
    writer.write(Int64(leaves.count))
    for leaf in leaves {
      for text in [leaf.id, leaf.twigID, leaf.name] { writer.write(text) }
      writer.write(leaf.createdAt)
      writer.write(leaf.createdSeq)
    }
    writer.write(Int64(allSeedlings.count))
    for seedling in allSeedlings {
      for text in [seedling.id, seedling.twigID, seedling.title] { writer.write(text) }
      writer.write(seedling.notes)
      writer.write(seedling.createdAt)
      writer.write(seedling.createdSeq)
      writer.write(seedling.isDeleted)
    }
    writer.write(Int64(nodes.count))
    for (id, text) in nodes.sorted(by: { $0.key.precedesInBytes($1.key) }) {
      writer.write(id)
      writer.write(text.label)
      writer.write(text.note)
    }
    writer.write(Int64(waiting.count))
    for (key, events) in waiting.sorted(by: { $0.key.precedesInBytes($1.key) }) {
      writer.write(key)
      writer.write(Int64(events.count))
      for event in events {
        writer.write(event.logged.seq)
        writer.write(event.logged.event.raw)
        writer.write(event.wateringsBefore)
      }
    }
    return writer.bytesAfterChecksum
  }

  /// - Returns: `nil` if the bytes are damaged, or come from another version or zone.
  public init?(checkpoint bytes: [UInt8], zone: Zone) {
    self.init(zone: zone)
    let isWhole = bytes.withUnsafeBytes { buffer in
      do {
        var reader = try ByteReader(checksummed: buffer)
        try read(&reader)
        return reader.isAtEnd
      } catch { return false }
    }
    if !isWhole { return nil }
  }

  private mutating func read(_ reader: inout ByteReader) throws(ByteReader.Damaged) {
    guard try reader.readCount() == Garden.formatVersion, try reader.readString() == zone.identifier,
      try reader.read(UInt64.self) == zone.fingerprint
    else { throw ByteReader.Damaged() }
    capacity = try reader.read(Double.self)
    available = try reader.read(Double.self)
    branchSums = try reader.read(SIMD8<Double>.self)
    eventCount = try reader.readCount()
    ignoredCount = try reader.readCount()
    if try reader.readBool() {
      lastEvent = .key(
        OrderKey(
          instant: try reader.read(Instant.self), rank: try reader.read(UInt8.self),
          clientID: try reader.readString(), canonicalText: try reader.readString()))
    }
    waterDays = try reader.readArray(DayCount.self)
    sunDays = try reader.readArray(DayCount.self)
    journal = try reader.readChunked(JournalEntry.self, size: 512)
    snapshots = try reader.readChunked(SoilSnapshot.self, size: 512)
    for _ in 0..<(try reader.readCount()) {
      let sprout = try reader.readSprout()
      guard sprout.waterings.allSatisfy({ journal.indices.contains(Int($0)) }) else { throw ByteReader.Damaged() }
      sproutIndex[sprout.id] = sprouts.count
      sprouts.append(sprout)
    }
    for _ in 0..<(try reader.readCount()) {
      let leaf = Leaf(
        id: try reader.readString(), twigID: try reader.readString(), name: try reader.readString(),
        createdAt: try reader.read(Instant.self), createdSeq: try reader.read(Int64.self))
      leafIndex[leaf.id] = leaves.count
      leaves.append(leaf)
    }
    for _ in 0..<(try reader.readCount()) {
      let seedling = Seedling(
        id: try reader.readString(), twigID: try reader.readString(), title: try reader.readString(),
        notes: try reader.readOptionalString(), createdAt: try reader.read(Instant.self),
        createdSeq: try reader.read(Int64.self), isDeleted: try reader.readBool())
      seedlingIndex[seedling.id] = allSeedlings.count
      allSeedlings.append(seedling)
    }
    for _ in 0..<(try reader.readCount()) {
      nodes[try reader.readString()] = NodeText(
        label: try reader.readOptionalString(), note: try reader.readOptionalString())
    }
    for _ in 0..<(try reader.readCount()) {
      let key = try reader.readString()
      for _ in 0..<(try reader.readCount()) {
        let seq = try reader.read(Int64.self)
        guard let event = try? Event(json: try reader.readString()) else { throw ByteReader.Damaged() }
        let logged = LoggedEvent(seq: seq, event: event)
        waiting[key, default: []].append(WaitingEvent(logged: logged, wateringsBefore: try reader.read(Int32.self)))
      }
    }
  }
}

extension ByteWriter {
  fileprivate mutating func write(_ sprout: Sprout) {
    for text in [sprout.id, sprout.twigID, sprout.title, sprout.season.rawValue, sprout.environment.rawValue] {
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
      write(harvest.reflection)
    case .uprooted(let at, let seq):
      write(UInt8(2))
      write(at)
      write(seq)
    }
    write(sprout.waterings)
    write(sprout.lastWatered != nil)
    if let lastWatered = sprout.lastWatered { write(lastWatered) }
  }
}

extension ByteReader {
  fileprivate mutating func readSprout() throws(Damaged) -> Sprout {
    let (id, twigID, title) = (try readString(), try readString(), try readString())
    guard let season = Season(rawValue: try readString()), let environment = Environment(rawValue: try readString())
    else { throw Damaged() }
    let planted = Content.SproutPlanted(
      sproutID: id, twigID: twigID, title: title, season: season, environment: environment,
      soilCost: try read(Double.self), leafID: try readString(), bloomWither: try readOptionalString(),
      bloomBudding: try readOptionalString(), bloomFlourish: try readOptionalString())
    var sprout = Sprout(planted, at: try read(Instant.self), seq: try read(Int64.self))
    switch try read(UInt8.self) {
    case 0: break
    case 1:
      sprout.state = .completed(
        Sprout.Harvest(
          at: try read(Instant.self), seq: try read(Int64.self), result: try readCount(),
          reflection: try readOptionalString()))
    case 2: sprout.state = .uprooted(at: try read(Instant.self), seq: try read(Int64.self))
    default: throw Damaged()
    }
    sprout.waterings = try readArray(Int32.self)
    if try readBool() { sprout.lastWatered = try read(Instant.self) }
    return sprout
  }
}
