import CGLib
import Glibc
import TrunkModel

extension Zone {
  /// Whether the zone's place is south of the equator, where July is in winter, according to the system's tz database.
  public var isSouthern: Bool {
    if let isSouthern = Zone.isSouthern(identifier) { return isSouthern }
    // An older name, such as `NZ`, has no coordinates, but the name that it stands for has.
    return Zone.name(ofAlias: identifier).flatMap(Zone.isSouthern) ?? false
  }

  /// - Returns: `nil` for a name without coordinates.
  private static func isSouthern(_ name: String) -> Bool? {
    let name = Array(name.utf8)
    // In `zone.tab`, a line is: country, coordinates as ±DDMM±DDDMM, name, comments, separated by tabs.
    return firstLine("zone.tab", separator: "\t") { fields in
      guard fields.count > 2, fields[2].elementsEqual(name) else { return nil }
      return fields[1].first == UInt8(ascii: "-")
    }
  }

  private static func name(ofAlias alias: String) -> String? {
    let alias = Array(alias.utf8)
    // In `tzdata.zi`, the line of an alias is `L ZONE NAME`.
    return firstLine("tzdata.zi", separator: " ") { words in
      guard words.count > 2, words[0].elementsEqual("L".utf8), words[2].elementsEqual(alias) else { return nil }
      return String(decoding: words[1], as: UTF8.self)
    }
  }

  /// Returns the first result of `body` for the fields of the lines of a file in the tz database.
  private static func firstLine<Value>(
    _ file: String, separator: Unicode.Scalar, _ body: ([Slice<UnsafeRawBufferPointer>]) -> Value?
  ) -> Value? {
    var text: UnsafeMutablePointer<CChar>?
    var length: gsize = 0
    guard g_file_get_contents(folder + "/" + file, &text, &length, nil) != 0, let text else { return nil }
    defer { g_free(text) }
    for line in UnsafeRawBufferPointer(start: text, count: Int(length)).split(separator: UInt8(ascii: "\n")) {
      if let value = body(line.split(separator: UInt8(ascii: separator), maxSplits: 3)) { return value }
    }
    return nil
  }

  /// The elapsed part of the year on the reset day of an instant; see `Day.seasonShare`.
  public func seasonShare(at now: Instant, isSouthern: Bool) -> Double {
    dayKey(now).seasonShare(isSouthern: isSouthern)
  }
}

extension Day {
  /// The elapsed part of the year on a reset day, 0 ..< 1, by the seasons of the north. In the south it is half a year
  /// later. It is the same all day, so the picture of the tree is, too.
  /// - Parameter isSouthern: see `Zone.isSouthern`. It is a parameter because it is read from a file.
  public func seasonShare(isSouthern: Bool) -> Double {
    let days = Double(number - JournalYear.newYear(year).number) + 0.5
    return (days / 366 + (isSouthern ? 0.5 : 0)).truncatingRemainder(dividingBy: 1)
  }
}
