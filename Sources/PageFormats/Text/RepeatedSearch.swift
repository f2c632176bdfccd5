/// Finds the same text again and again. It remembers the last place, so that many openings without an end don't take
/// quadratic time.
struct RepeatedSearch {
  private let text: StaticString
  private var found = -1

  init(_ text: StaticString) { self.text = text }

  /// Where the text begins at or after `start`, which must not be smaller than before.
  mutating func next(in bytes: [UInt8], from start: Int) -> Int? {
    if found < start { found = bytes.firstIndex(of: text, from: start) ?? .max }
    return found == .max ? nil : found
  }
}
