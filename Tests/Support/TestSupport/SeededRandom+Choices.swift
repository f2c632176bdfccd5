import TrunkModel

extension SeededRandom {
  public init(seed: Int) { self.init(seed: UInt64(bitPattern: Int64(seed))) }

  public mutating func next(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

  public mutating func isLucky(oneIn count: Int) -> Bool { next(below: count) == 0 }

  public mutating func pick<Element>(_ elements: [Element]) -> Element { elements[next(below: elements.count)] }
}
