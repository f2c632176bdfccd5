import CGLib
import Glibc
import TrunkModel

extension Zone {
  /// The time zone that the system is set to.
  public static func system() -> Zone {
    // GLib reports another file as a programming error, and uses UTC.
    guard !isSetToAnotherFile, let zone = g_time_zone_new_local() else { return .utc }
    defer { g_time_zone_unref(zone) }
    return Zone(zone)
  }

  /// Whether the system's zone, or `TZ`, is a file that isn't a time zone.
  private static var isSetToAnotherFile: Bool {
    var path = "/etc/localtime"
    if let variable = getenv("TZ") {
      let name = String(cString: variable)
      let file = name.first == ":" ? String(name.dropFirst()) : name
      path = file.hasPrefix("/") ? file : folder + "/" + file
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
    var header = [UInt8](repeating: 0, count: headerSize)
    return read(descriptor, &header, headerSize) < headerSize || !header.starts(with: "TZif".utf8)
  }

  /// The size in bytes of the header of a time zone's file: see tzfile(5).
  private static let headerSize = 44

  /// The time zone with this name, for all years.
  ///
  /// GLib 2.74 misreads one rule beyond the years listed in a zone's file: `Europe/Dublin` is an hour off from 2038.
  /// - Parameter identifier: a name of the tz database, for example `Europe/Berlin`.
  /// - Returns: `nil` if the system's database doesn't have it.
  public static func named(_ identifier: String) -> Zone? {
    guard let zone = database(identifier) else { return nil }
    defer { g_time_zone_unref(zone) }
    return Zone(zone)
  }

  /// The years in the table, 1970 to 2100: no garden is older, and no season ends later.
  private static let first = seconds(year: 1970)
  private static let last = seconds(year: 2100)

  /// Finds the zone's changes by bisection, because GLib numbers the intervals between them but doesn't return where
  /// they begin. A lookup takes longer the later the interval is, so quarter hours are bisected first: nearly all
  /// changes are on one.
  private init(_ zone: OpaquePointer) {
    func interval(_ second: Int64) -> Int32 { g_time_zone_find_interval(zone, G_TIME_TYPE_UNIVERSAL, gint64(second)) }
    let quarter: Int64 = 900
    var changes: [(at: Int64, offset: Int32)] = []
    func search(_ low: Int64, _ lowInterval: Int32, _ high: Int64, _ highInterval: Int32) {
      guard lowInterval != highInterval else { return }
      if high - low <= quarter, high - low == 1 || interval(high - 1) == lowInterval {
        return changes.append((high, g_time_zone_get_offset(zone, highInterval)))
      }
      let half = (high - low) / 2
      let middle = low + (high - low > quarter ? half / quarter * quarter : half)
      let middleInterval = interval(middle)
      search(low, lowInterval, middle, middleInterval)
      search(middle, middleInterval, high, highInterval)
    }
    let first = interval(Zone.first)
    search(Zone.first, first, Zone.last, interval(Zone.last))
    self.init(
      identifier: String(cString: g_time_zone_get_identifier(zone)), offset: g_time_zone_get_offset(zone, first),
      changes: changes)
  }

  private static func seconds(year: Int32) -> Int64 {
    Day(year: year, month: 1, day: 1).map { Int64($0.number) * 86_400 } ?? 0
  }
}
