/// A part of HTML.
enum HTMLToken {
  /// With its entities decoded.
  case text(String)
  /// The name is in lower case.
  case open(String, attributes: [UInt8])
  case close(String)

  /// The value of an attribute of an opening tag.
  static func attribute(_ name: StaticString, in attributes: [UInt8]) -> String? {
    var start = 0
    while let found = attributes.firstIndex(of: name, from: start) {
      start = found + name.utf8CodeUnitCount
      guard found > 0, " \t\n\"'/".utf8.contains(attributes[found - 1]), start < attributes.count,
        attributes[start] == UInt8(ascii: "=")
      else { continue }
      let value = attributes[(start + 1)...]
      guard let quote = value.first, quote == 0x22 || quote == 0x27 else {
        return HTMLEntities.decode(value.prefix { $0 != 0x20 })
      }
      return HTMLEntities.decode(value.dropFirst().prefix { $0 != quote })
    }
    return nil
  }
}
