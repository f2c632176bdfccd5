import Localization
import TrunkModel

/// The upcoming harvests as an iCalendar file (RFC 5545), which calendar programs import or subscribe to.
public enum HarvestCalendar {
  /// The most bytes in a line, without its end.
  private static let lineLimit = 75

  /// The years that iCalendar can write: it has four digits for them.
  private static let years: ClosedRange<Int32> = 0...9999

  public static var fileName: String { tr("harvests") + ".ics" }

  /// The sprouts with an event in the file: those that grow and aren't ready. A sprout that was planted with a wrong
  /// clock may become ready in a year that a calendar can't have.
  public static func sprouts(_ garden: Garden, at now: Instant) -> [Sprout] {
    garden.upcoming(at: now).filter { years.contains(garden.zone.local($0.harvestDue).day.year) }
  }

  /// A file with an all-day event for each of `sprouts`. A sprout keeps its `UID`, so that importing a newer file moves
  /// its event.
  public static func file(_ garden: Garden, at now: Instant) -> String {
    let stamp = stamp(now)
    var lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Trunk//Trunk for Linux//EN"]
    for sprout in sprouts(garden, at: now) {
      lines += [
        "BEGIN:VEVENT", "UID:\(escaped(sprout.id))@trunk.garden", "DTSTAMP:\(stamp)",
        "DTSTART;VALUE=DATE:\(garden.zone.local(sprout.harvestDue).day.description.filter { $0 != "-" })",
        "SUMMARY:" + escaped(tr("Harvest “{title}”", ["title": sprout.title])),
        "DESCRIPTION:" + escaped(garden.path(ofTwig: sprout.twigID)), "TRANSP:TRANSPARENT", "END:VEVENT",
      ]
    }
    lines.append("END:VCALENDAR")
    return lines.map(folded).joined()
  }

  /// The time at which the file is written, which each event must have; 1970 if the clock can't be right.
  private static func stamp(_ now: Instant) -> String {
    let now = years.contains(Zone.utc.local(now).day.year) ? now : Instant(milliseconds: 0)
    return String(now.description.prefix(19)).filter { $0 != "-" && $0 != ":" } + "Z"
  }

  /// Escapes a text for the value of a property.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", ";", ",": result.unicodeScalars += ["\\", scalar]
      case "\n": result += "\\n"
      // Other control characters are not allowed.
      case "\u{0}"..."\u{1F}", "\u{7F}": break
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Breaks a line that is too long, between characters: each further line begins with a space.
  private static func folded(_ line: String) -> String {
    var (result, length) = ("", 0)
    for scalar in line.unicodeScalars {
      let size = Unicode.UTF8.width(scalar)
      if length + size > lineLimit {
        result += "\r\n "
        length = 1
      }
      result.unicodeScalars.append(scalar)
      length += size
    }
    return result + "\r\n"
  }
}
