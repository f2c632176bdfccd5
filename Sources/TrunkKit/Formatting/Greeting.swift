import Localization
import TrunkModel

/// The greeting at the top of the window, chosen by the time of day and the day of the year.
public enum Greeting {
  public static func phrase(at now: Instant, in zone: Zone) -> String {
    let (day, second) = zone.local(now)
    let phrases: [String] =
      switch second / 3600 {
      case 5..<12:
        [
          tr("Good morning"), tr("The morning is yours"), tr("A new page"), tr("The day is young"),
          tr("Dew on the leaves"),
        ]
      case 12..<17:
        [
          tr("Good afternoon"), tr("The afternoon is yours"), tr("The garden is awake"),
          tr("A quiet hour in the sun"), tr("Time for a look around"),
        ]
      case 17..<21:
        [
          tr("Good evening"), tr("The day is winding down"), tr("Long shadows, soft ground"),
          tr("The evening is yours"), tr("A few quiet minutes"),
        ]
      default:
        [
          tr("The night is quiet"), tr("The garden is asleep"), tr("Stars over the branches"), tr("A late visit"),
          tr("The lamp is lit"),
        ]
      }
    let newYear = Day(year: day.year, month: 1, day: 1) ?? day
    return phrases[Int(day.number - newYear.number) % phrases.count]
  }
}
