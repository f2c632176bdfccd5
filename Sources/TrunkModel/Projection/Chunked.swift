/// An append-only array whose copies share almost all of their memory.
///
/// The screen keeps a garden while the next one is made from it. Plain arrays would copy the whole history for every
/// event; this type copies one chunk.
public struct Chunked<Element: Sendable>: Sendable, RandomAccessCollection {
  private var chunks: [[Element]] = []
  private let size: Int
  public private(set) var count = 0

  /// - Parameter size: the number of elements per chunk; small if copying an element is expensive.
  init(size: Int) {
    self.size = size
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { count }

  public internal(set) subscript(index: Int) -> Element {
    get { chunks[index / size][index % size] }
    _modify { yield &chunks[index / size][index % size] }
  }

  /// Iterates chunk by chunk: looking up each element by its index takes several times as long.
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

  /// - Parameter elements: a full chunk, or fewer elements if they are the last.
  mutating func append(chunk elements: [Element]) {
    chunks.append(elements)
    count += elements.count
  }
}

extension Chunked: Equatable where Element: Equatable {
  public static func == (left: Chunked, right: Chunked) -> Bool { left.elementsEqual(right) }
}
