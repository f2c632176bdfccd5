import TrunkModel

/// Numbers that are derived from an id, and are the same on every device.
struct Variation {
  private var random: SeededRandom

  /// - Parameter id: the id to derive from, for example a sprout's.
  init(_ id: String) { random = SeededRandom(seed: FNV1a(id).value) }

  init(seed: Int64) { random = SeededRandom(seed: UInt64(bitPattern: seed)) }

  /// Returns a random number in 0 ..< 1.
  mutating func share() -> Double { Double(random.next() >> 11) / Double(1 << 53) }

  /// -1 ..< 1.
  mutating func signed() -> Double { share() * 2 - 1 }

  /// -1 or 1.
  mutating func side() -> Double { share() < 0.5 ? -1 : 1 }

  mutating func between(_ low: Double, _ high: Double) -> Double { low + (high - low) * share() }
}
