/// The pages of a book that are seen together: two facing ones, or only one where there is little room.
public struct OpenPages: Equatable, Sendable {
  /// The number of pages of the book.
  public let count: Int
  /// Whether one page is seen at a time.
  public var isSingle: Bool
  /// One of the pages that are seen, from 0.
  private let page: Int

  /// - Parameter page: is seen, from 0.
  public init(count: Int, at page: Int = 0, isSingle: Bool = false) {
    (self.count, self.isSingle, self.page) = (count, isSingle, min(max(page, 0), max(count - 1, 0)))
  }

  /// The first and the last page that are seen, from 0. The first page of a book is on the right.
  public var shown: ClosedRange<Int>? {
    guard count > 0 else { return nil }
    let right = (page + 1) / 2 * 2
    return isSingle ? page...page : max(right - 1, 0)...min(right, count - 1)
  }

  public var isAtStart: Bool { shown.map { $0.lowerBound == 0 } ?? true }
  public var isAtEnd: Bool { shown.map { $0.upperBound == count - 1 } ?? true }

  public static func isRight(_ page: Int) -> Bool { page % 2 == 0 }

  /// The pages after these, or before them.
  public func turned(forward: Bool) -> OpenPages {
    guard let shown else { return self }
    return opened(at: forward ? shown.upperBound + 1 : shown.lowerBound - 1)
  }

  public func opened(at page: Int) -> OpenPages { OpenPages(count: count, at: page, isSingle: isSingle) }

  /// The same place in the same book with another number of pages.
  public func moved(to count: Int) -> OpenPages {
    let page = self.count == count || self.count < 2 ? page : page * (count - 1) / (self.count - 1)
    return OpenPages(count: count, at: page, isSingle: isSingle)
  }
}
