/// The names at the top of a JSON text, found without building its values, to recognize a format.
struct JSONOutline {
  private(set) var isArray = false
  /// The names of the outermost object, or of the first object of the outermost array.
  private(set) var names: Set<String> = []
  /// The names of the first object of the member `entries`.
  private(set) var entryNames: Set<String> = []
  /// Whether the member `entries` is an array.
  private(set) var hasEntries = false

  /// - Returns: `nil` if the text is neither an object nor an array.
  init?(_ bytes: [UInt8]) {
    var index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    while index < bytes.count, bytes[index] <= 0x20 { index += 1 }
    guard index < bytes.count, bytes[index] == 0x7B || bytes[index] == 0x5B else { return nil }
    isArray = bytes[index] == 0x5B
    scan(bytes, from: index)
  }

  private mutating func scan(_ bytes: [UInt8], from start: Int) {
    var (index, depth, isInEntries, name) = (start, 0, false, [UInt8]())
    // Names at this depth belong to the outermost object, and those two deeper to an entry.
    let top = isArray ? 2 : 1
    while index < bytes.count {
      switch bytes[index] {
      case 0x7B, 0x5B:
        if isInEntries, depth == top, bytes[index] == 0x5B { hasEntries = true }
        depth += 1
      case 0x7D, 0x5D:
        depth -= 1
        if isArray, depth == 1 { return }
        if isInEntries, depth == top + 1 || depth == top { return }
      case 0x22:
        let first = index + 1
        index = first
        while index < bytes.count, bytes[index] != 0x22 { index += bytes[index] == 0x5C ? 2 : 1 }
        if depth == top || isInEntries && depth == top + 2 { name = Array(bytes[first..<min(index, bytes.count)]) }
      case 0x3A where depth == top:
        let text = String(decoding: name, as: UTF8.self)
        names.insert(text)
        isInEntries = !isArray && text == "entries"
      case 0x3A where isInEntries && depth == top + 2: entryNames.insert(String(decoding: name, as: UTF8.self))
      default: break
      }
      index += 1
    }
  }
}
