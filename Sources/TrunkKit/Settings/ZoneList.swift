import CGLib
import Glibc
import TrunkModel

/// The time zones that the user can choose from.
public struct ZoneList: Sendable {
  private let zones = NamedItems(Zone.names()) { $0 }

  public init() {}

  /// - Parameter query: parts of words, all of which must occur in a name; an empty query finds every zone.
  /// - Returns: names of the tz database in alphabetical order; first those with words that begin with the query.
  public func find(_ query: String) -> [String] { zones.find(query) }
}

/// The tz database of the system.
extension Zone {
  /// Every place with its own time, and `UTC`, in alphabetical order.
  public static func names() -> [String] {
    var text: UnsafeMutablePointer<CChar>?
    var length: gsize = 0
    guard g_file_get_contents(folder + "/tzdata.zi", &text, &length, nil) != 0, let text else { return [] }
    defer { g_free(text) }
    var names = ["UTC"]
    for line in UnsafeRawBufferPointer(start: text, count: Int(length)).split(separator: UInt8(ascii: "\n")) {
      let words = line.split(separator: UInt8(ascii: " "), maxSplits: 3)
      // In the file, `Z NAME OFFSET …` is a zone, and `L ZONE NAME` is an alias.
      let place = line.first == UInt8(ascii: "Z") ? 1 : line.first == UInt8(ascii: "L") ? 2 : words.count
      guard place < words.count else { continue }
      let name = String(decoding: words[place], as: UTF8.self)
      // Names without a folder, such as `EST` and `Japan`, are older than the names by place.
      if name.contains("/"), !name.hasPrefix("Etc/") { names.append(name) }
    }
    return names.sorted()
  }

  /// The time zone with the offset that it has at one instant, which may be wrong before or after.
  /// - Returns: `nil` if the system's database doesn't have it.
  public static func named(_ identifier: String, at instant: Instant) -> Zone? {
    guard let zone = database(identifier) else { return nil }
    defer { g_time_zone_unref(zone) }
    let interval = g_time_zone_find_interval(zone, G_TIME_TYPE_UNIVERSAL, gint64(instant.seconds))
    return Zone(identifier: identifier, offset: g_time_zone_get_offset(zone, interval), changes: [])
  }

  /// - Returns: GLib's time zone; the caller owns one reference.
  static func database(_ identifier: String) -> OpaquePointer? {
    // GLib accepts many names that aren't in the database, and opens any file with that name. `UTC` needs no file.
    identifier == "UTC" || isInDatabase(identifier) ? g_time_zone_new_identifier(identifier) : nil
  }

  /// The name under which every system finds this zone. A zone that was set as a rule, such as `TZ=XYZ-2`, gets the
  /// name of its offset at an instant.
  /// - Returns: `nil` if the zone has no name and no known zone always has its offset.
  func databaseName(at instant: Instant) -> String? {
    // POSIX allows a colon before the name of a file, and the file's whole path.
    var name = identifier[...]
    if name.first == ":" { name.removeFirst() }
    if name.hasPrefix(Zone.folder + "/") { name.removeFirst(Zone.folder.count + 1) }
    if name == "UTC" || Zone.isInDatabase(String(name)) { return String(name) }
    let offset = offset(at: instant)
    let (hours, rest) = offset.quotientAndRemainder(dividingBy: 3600)
    // In these names, hours west of UTC are positive.
    let fixed =
      offset == 0
      ? "Etc/UTC" : rest == 0 ? "Etc/GMT" + (hours < 0 ? "+" : "-") + "\(hours.magnitude)" : Zone.odd[offset]
    return fixed.flatMap { Zone.isInDatabase($0) ? $0 : nil }
  }

  /// The zones without daylight saving time whose offset isn't a whole number of hours, by that offset in seconds.
  private static let odd: [Int64: String] = [
    -34_200: "Pacific/Marquesas", 12_600: "Asia/Tehran", 16_200: "Asia/Kabul", 19_800: "Asia/Kolkata",
    20_700: "Asia/Kathmandu", 23_400: "Asia/Yangon", 31_500: "Australia/Eucla", 34_200: "Australia/Darwin",
  ]

  static var folder: String { getenv("TZDIR").map { String(cString: $0) } ?? "/usr/share/zoneinfo" }

  private static func isInDatabase(_ identifier: String) -> Bool {
    let isName = identifier.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "_"), UInt8(ascii: "-"),
        UInt8(ascii: "+"):
        true
      default: false
      }
    }
    guard isName, !identifier.isEmpty, !identifier.hasPrefix("/") else { return false }
    let file = open(folder + "/" + identifier, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return false }
    defer { close(file) }
    var mark = [UInt8](repeating: 0, count: 4)
    return read(file, &mark, mark.count) == mark.count && mark == Array("TZif".utf8)
  }
}
