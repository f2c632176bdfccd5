/// An append-only array whose copies share nearly everything.
///
/// A garden is a value that the screen keeps while the next one is made from it. With plain arrays that would copy
/// the whole history at every event; here it copies one chunk.
public struct Chunked<Element: Sendable>: Sendable, RandomAccessCollection {
  private var chunks: [[Element]] = []
  private let size: Int
  public private(set) var count = 0

  /// - Parameter size: elements in a chunk; small where copying one element is expensive.
  init(size: Int) {
    self.size = size
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { count }

  public internal(set) subscript(index: Int) -> Element {
    get { chunks[index / size][index % size] }
    _modify { yield &chunks[index / size][index % size] }
  }

  /// From chunk to chunk: to look each element up by its index takes several times as long.
  public func makeIterator() -> FlattenSequence<[[Element]]>.Iterator { chunks.joined().makeIterator() }

  mutating func append(_ element: Element) {
    if count % size == 0 {
      var chunk: [Element] = []
      chunk.reserveCapacity(size)
      chunks.append(chunk)
    }
    chunks[count / size].append(element)
    count += 1
  }

  /// - Parameter elements: as many as a chunk has, or fewer if they are the last.
  mutating func append(chunk elements: [Element]) {
    chunks.append(elements)
    count += elements.count
  }
}

extension Chunked: Equatable where Element: Equatable {
  public static func == (left: Chunked, right: Chunked) -> Bool { left.elementsEqual(right) }
}
