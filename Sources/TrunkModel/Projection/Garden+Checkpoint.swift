/// A garden as bytes, so that the next start doesn't have to read the log.
///
/// The format is private to one version of the program on one kind of machine: `formatVersion` changes with every
/// change of a stored property or a rule of derivation, and then the log is read again. The first 8 bytes are a
/// checksum of the rest, so that code that uses a garden need not check it for damage.
extension Garden {
  public static let formatVersion = 6

  public func checkpoint() -> [UInt8] {
    var writer = ByteWriter()
    writer.write(Int64(Garden.formatVersion))
    let fingerprints = zones.fingerprints
    writer.write(Int64(fingerprints.count))
    for (name, hash) in fingerprints {
      writer.write(name)
      writer.write(hash)
    }
    writer.write(capacity)
    writer.write(available)
    writer.write(branchSums)
    writer.write(Int64(eventCount))
    writer.write(Int64(ignoredCount))
    writer.write(lastKey)
    writer.write(waterDays)
    writer.write(sunDays)
    writer.write(Array(journal))
    writer.write(Array(snapshots))
    writer.write(Int64(sprouts.count))
    for sprout in sprouts { writer.write(sprout) }
    writer.write(Int64(leaves.count))
    for leaf in leaves { writer.write(leaf) }
    writer.write(Int64(allSeedlings.count))
    for seedling in allSeedlings { writer.write(seedling) }
    writer.write(Int64(nodes.count))
    for (id, text) in nodes.sorted(by: { $0.key < $1.key }) {
      writer.write(id.text)
      writer.write(text.label)
      writer.write(text.note)
    }
    for texts in [replacedLabels, replacedLeaves] {
      writer.write(Int64(texts.count))
      for text in texts { writer.write(text) }
    }
    writer.write(Int64(waiting.count))
    for (key, events) in waiting.sorted(by: { $0.key < $1.key }) {
      writer.write(key.text)
      writer.write(Int64(events.count))
      for event in events { writer.write(event) }
    }
    return writer.bytesAfterChecksum
  }

  /// - Returns: `nil` if the bytes are damaged, or come from another version or other zones.
  public init?(checkpoint bytes: [UInt8], zones: Zones) {
    self.init(zones: zones)
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
    guard try reader.readCount() == Garden.formatVersion else { throw ByteReader.Damaged() }
    var fingerprints: [(name: String, hash: UInt64)] = []
    for _ in 0..<(try reader.readCount()) {
      fingerprints.append((try reader.readString(), try reader.read(UInt64.self)))
    }
    guard zones.has(fingerprints) else { throw ByteReader.Damaged() }
    capacity = try reader.read(Double.self)
    available = try reader.read(Double.self)
    branchSums = try reader.read(SIMD8<Double>.self)
    eventCount = try reader.readCount()
    ignoredCount = try reader.readCount()
    if let key = try reader.readOrderKey() { lastEvent = .key(key) }
    waterDays = try reader.readArray(DayCount.self)
    sunDays = try reader.readArray(DayCount.self)
    journal = try reader.readChunked(JournalEntry.self, size: 512)
    snapshots = try reader.readChunked(SoilSnapshot.self, size: 512)
    try readSprouts(&reader)
    for _ in 0..<(try reader.readCount()) {
      let leaf = try reader.readLeaf()
      add(leaf, PositionTable.hash(leaf.id))
    }
    for _ in 0..<(try reader.readCount()) {
      let seedling = try reader.readSeedling()
      add(seedling, PositionTable.hash(seedling.id))
    }
    for _ in 0..<(try reader.readCount()) {
      nodes[ExactID(try reader.readString())] = NodeText(
        label: try reader.readOptionalString(), note: try reader.readOptionalString())
    }
    for _ in 0..<(try reader.readCount()) { replacedLabels.append(try reader.readReplacedText()) }
    for _ in 0..<(try reader.readCount()) { replacedLeaves.append(try reader.readReplacedText()) }
    for _ in 0..<(try reader.readCount()) {
      let key = ExactID(try reader.readString())
      for _ in 0..<(try reader.readCount()) { waiting[key, default: []].append(try reader.readWaitingEvent()) }
    }
  }

  private mutating func readSprouts(_ reader: inout ByteReader) throws(ByteReader.Damaged) {
    for _ in 0..<(try reader.readCount()) {
      let sprout = try reader.readSprout()
      guard sprout.waterings.allSatisfy({ journal.indices.contains(Int($0)) }) else { throw ByteReader.Damaged() }
      add(sprout, PositionTable.hash(sprout.id))
    }
  }
}
