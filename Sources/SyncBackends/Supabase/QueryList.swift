import TrunkModel

/// Splits lists of texts for a URL's query.
enum QueryList {
  /// Splits a list into parts that fit into a URL; servers reject much longer ones.
  /// - Parameter extra: the number of bytes between two texts.
  static func parts(_ texts: [String], extra: Int) -> [[String]] {
    var parts: [[String]] = []
    var size = Int.max
    for text in texts {
      let length = text.percentEncoded.utf8.count + extra
      if size > 6000 - length {
        parts.append([])
        size = 0
      }
      parts[parts.count - 1].append(text)
      size += length
    }
    return parts
  }
}
