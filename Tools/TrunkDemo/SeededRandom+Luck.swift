import TrunkModel

extension SeededRandom {
  /// Returns `true` with this probability, 0…1.
  mutating func isLucky(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &self) < share }
}
