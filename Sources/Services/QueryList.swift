import Transport

/// Lists of texts in the query of an address.
enum QueryList {
  /// Parts that fit into an address each: servers refuse those that are much longer.
  /// - Parameter extra: how many bytes stand between one text and the next.
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
