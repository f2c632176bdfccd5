/// Random numbers that are reproducible from a seed: SplitMix64 by Steele, Lea and Flood.
public struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(seed: UInt64) {
    state = seed
  }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  /// Returns `true` with this probability, 0…1.
  mutating func isLucky(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &self) < share }
}
