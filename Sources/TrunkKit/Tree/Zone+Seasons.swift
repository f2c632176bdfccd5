import CGLib
import Glibc
import TrunkModel

extension Zone {
  /// Whether the zone's place is south of the equator, where July is in winter, according to the system's tz database.
  public var isSouthern: Bool {
    // In `zone.tab`, a line is: country, coordinates as ±DDMM±DDDMM, name, comments, separated by tabs.
    var text: UnsafeMutablePointer<CChar>?
    var length: gsize = 0
    guard g_file_get_contents(Zone.folder + "/zone.tab", &text, &length, nil) != 0, let text else { return false }
    defer { g_free(text) }
    let (tab, name) = (UInt8(ascii: "\t"), Array(identifier.utf8))
    for line in UnsafeRawBufferPointer(start: text, count: Int(length)).split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: tab)
      if fields.count > 2, fields[2].elementsEqual(name) { return fields[1].first == UInt8(ascii: "-") }
    }
    return false
  }

  /// The elapsed part of the year, 0 ..< 1, by the seasons of the north. In the south it is half a year later.
  /// - Parameter isSouthern: the value of `isSouthern`. It is a parameter because it is read from a file.
  public func seasonShare(at now: Instant, isSouthern: Bool) -> Double {
    let (day, second) = local(now)
    let first = Day(year: day.year, month: 1, day: 1) ?? day
    let days = Double(day.number - first.number) + Double(second) / 86_400
    return (days / 366 + (isSouthern ? 0.5 : 0)).truncatingRemainder(dividingBy: 1)
  }
}
