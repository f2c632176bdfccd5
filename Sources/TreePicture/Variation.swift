/// Numbers that are derived from an id. Unlike Swift's hashes, they are the same on every device.
struct Variation {
  private var state: UInt64

  /// - Parameter id: the id to derive from, for example a sprout's.
  init(_ id: String) {
    // FNV-1a.
    state = id.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// 0 ..< 1.
  mutating func share() -> Double {
    // SplitMix64.
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return Double((mixed ^ mixed >> 31) >> 11) / Double(1 << 53)
  }

  /// -1 ..< 1.
  mutating func signed() -> Double { share() * 2 - 1 }

  /// -1 or 1.
  mutating func side() -> Double { share() < 0.5 ? -1 : 1 }

  mutating func between(_ low: Double, _ high: Double) -> Double { low + (high - low) * share() }
}
