/// Items to choose from by typing parts of the words in their names.
public struct NamedItems<Item> {
  private let items: [(item: Item, words: FoldedText)]

  /// - Parameter name: the name of an item, or several texts that it can be found by, with spaces between them.
  public init(_ items: [Item], name: (Item) -> String) {
    self.items = items.map { item in
      (item, FoldedText(" " + NamedItems.words(name(item)).joined(separator: " ")))
    }
  }

  /// - Parameter query: parts of words, all of which must occur in a name; an empty query finds every item.
  /// - Returns: the items in their order; first those with words that begin with the query.
  public func find(_ query: String) -> [Item] {
    let parts = NamedItems.words(query)
    let (anywhere, beginnings) = (parts.map(FoldedText.init), parts.map { FoldedText(" " + $0) })
    let found = items.filter { each in anywhere.allSatisfy(each.words.contains) }
    let isBetter = found.map { each in beginnings.allSatisfy(each.words.contains) }
    let (better, others) = (zip(found, isBetter).filter(\.1), zip(found, isBetter).filter { !$0.1 })
    return (better + others).map(\.0.item)
  }

  private static func words(_ text: String) -> [String] { text.split { " /_".contains($0) }.map(String.init) }
}

extension NamedItems: Sendable where Item: Sendable {}
