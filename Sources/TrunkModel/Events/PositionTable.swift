/// Finds the positions of things by a hash of their id: a hash table of positions, at most half full.
///
/// A dictionary of ids would read the id of every event from anywhere in memory to hash it again, and take several
/// times as long.
struct PositionTable: Sendable {
  private struct Slot {
    var hash: Int32 = 0
    var position: Int32 = -1
  }

  private var slots: [Slot]
  private var count = 0

  /// - Parameter capacity: the number of positions for which it need not grow.
  init(capacity: Int = 0) {
    slots = PositionTable.emptySlots(capacity: capacity)
  }

  /// Hashes an id's bytes. The result differs in every process.
  static func hash(_ id: String) -> Int32 {
    var hasher = Hasher()
    var id = id
    id.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    return Int32(truncatingIfNeeded: hasher.finalize())
  }

  /// - Parameters:
  ///   - hash: the hash of the id.
  ///   - isMatch: whether the thing at a position has this id.
  /// - Returns: its position; `nil` if there is none.
  @inline(__always)
  func find(_ hash: Int32, where isMatch: (Int) -> Bool) -> Int? {
    let position = slots[slot(hash, where: isMatch)].position
    return position < 0 ? nil : Int(position)
  }

  /// Adds a thing that `find` doesn't find.
  /// - Parameter hash: the hash of its id.
  @inline(__always)
  mutating func add(_ hash: Int32, position: Int) {
    count += 1
    if 2 * count > slots.count { grow() }
    slots[slot(hash) { _ in false }] = Slot(hash: hash, position: Int32(position))
  }

  /// - Returns: the slot of the match, or the empty one where it belongs.
  @inline(__always)
  private func slot(_ hash: Int32, where isMatch: (Int) -> Bool) -> Int {
    var slot = Int(hash) & (slots.count - 1)
    while slots[slot].position >= 0 {
      if slots[slot].hash == hash, isMatch(Int(slots[slot].position)) { return slot }
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }

  private mutating func grow() {
    let before = slots
    slots = PositionTable.emptySlots(capacity: slots.count)
    for old in before where old.position >= 0 { slots[slot(old.hash) { _ in false }] = old }
  }

  /// - Returns: at least twice as many as `capacity`, a power of 2.
  private static func emptySlots(capacity: Int) -> [Slot] {
    [Slot](repeating: Slot(), count: 2 << (Int.bitWidth - max(capacity, 1).leadingZeroBitCount))
  }
}
