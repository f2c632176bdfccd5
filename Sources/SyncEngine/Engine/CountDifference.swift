/// The number of rows that the server lists beyond those confirmed here, stored as `MetaKey.countDifference`.
struct CountDifference: Equatable {
  /// The difference that the last download found.
  private let found: Int
  /// Whether two downloads in a row found this difference.
  private let isConfirmed: Bool

  private static let unconfirmed: Character = "?"

  /// - Parameter text: the format of `text`; anything else, or a number beyond any table's size, means no difference.
  init(_ text: String?) {
    let text = text ?? ""
    isConfirmed = text.first != CountDifference.unconfirmed
    let number = Int(isConfirmed ? text[...] : text.dropFirst()) ?? 0
    found = abs(Double(number)) <= Double(TableHead.maxRows) ? number : 0
  }

  private init(found: Int, isConfirmed: Bool) { (self.found, self.isConfirmed) = (found, isConfirmed) }

  /// The number of rows to add to the confirmed rows when comparing with the server's count.
  var rows: Int { isConfirmed ? found : 0 }

  /// Returns the new state after the download of a complete list found a difference.
  func seen(_ difference: Int) -> CountDifference {
    CountDifference(found: difference, isConfirmed: difference == found)
  }

  /// The stored form; `nil` without a difference.
  var text: String? { found == 0 ? nil : (isConfirmed ? "" : String(CountDifference.unconfirmed)) + String(found) }
}
