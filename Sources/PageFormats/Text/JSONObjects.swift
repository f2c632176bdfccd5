/// The elements of a JSON array by their places, found without building values: so a hostile text can't take much more
/// memory than its bytes, and a broken element doesn't spoil the others.
struct JSONObjects {
  private(set) var ranges: [Range<Int>] = []

  /// - Parameters:
  ///   - wrapper: the name of the array, if it is a member of an object.
  ///   - maximum: more elements aren't listed.
  /// - Returns: `nil` if the text has no such array or ends before its end.
  init?(_ bytes: [UInt8], in wrapper: String?, maximum: Int) {
    var index = 0
    if let wrapper {
      guard let start = Self.array(named: wrapper, in: bytes) else { return nil }
      index = start
    } else {
      while index < bytes.count, bytes[index] <= 0x20 { index += 1 }
      guard index < bytes.count, bytes[index] == 0x5B else { return nil }
    }
    index += 1
    var (depth, start) = (0, Int?.none)
    while index < bytes.count {
      let byte = bytes[index]
      if start == nil, byte > 0x20, byte != 0x2C, byte != 0x5D { start = index }
      switch byte {
      case 0x22: index = Self.end(ofString: index, bytes)
      case 0x7B, 0x5B: depth += 1
      case _ where depth == 0 && (byte == 0x2C || byte == 0x5D):
        if let first = start { ranges.append(first..<index) }
        if ranges.count > maximum { return }
        start = nil
        if byte == 0x5D { return }
      case 0x7D, 0x5D: depth -= 1
      default: break
      }
      index += 1
    }
    return nil
  }

  /// The place of the closing quote.
  private static func end(ofString start: Int, _ bytes: [UInt8]) -> Int {
    var index = start + 1
    while index < bytes.count, bytes[index] != 0x22 { index += bytes[index] == 0x5C ? 2 : 1 }
    return index
  }

  /// Where the array of a member of the outermost object begins.
  private static func array(named name: String, in bytes: [UInt8]) -> Int? {
    var (index, depth, isNamed) = (0, 0, false)
    while index < bytes.count {
      switch bytes[index] {
      case 0x22:
        let end = end(ofString: index, bytes)
        if depth == 1, end < bytes.count { isNamed = bytes[(index + 1)..<end].elementsEqual(name.utf8) }
        index = end
      case 0x5B where depth == 1 && isNamed: return index
      case 0x7B, 0x5B: depth += 1
      case 0x7D, 0x5D: depth -= 1
      case 0x2C where depth == 1: isNamed = false
      default: break
      }
      index += 1
    }
    return nil
  }
}
