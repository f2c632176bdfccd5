/// A generator that gives the same numbers for the same seed everywhere (SplitMix64).
public struct Dice: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(seed: Int) { state = UInt64(bitPattern: Int64(seed)) }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  public mutating func next(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

  public mutating func isLucky(oneIn count: Int) -> Bool { next(below: count) == 0 }
}
