import TrunkModel

extension SeededRandom {
  public init(seed: Int) { self.init(seed: UInt64(bitPattern: Int64(seed))) }

  /// Returns a number from 0 to `limit` - 1.
  public mutating func next(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

  /// Returns `true` with a probability of 1 in `count`.
  public mutating func isLucky(oneIn count: Int) -> Bool { next(below: count) == 0 }

  /// Returns one of the elements, of which there must be at least one.
  public mutating func pick<Element>(_ elements: [Element]) -> Element { elements[next(below: elements.count)] }
}
