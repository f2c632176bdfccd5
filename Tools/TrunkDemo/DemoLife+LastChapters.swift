import TrunkKit
import TrunkModel

/// The sprouts that grow at the end of the demo.
extension DemoLife {
  /// One of the four sprouts that grow at the end.
  struct LastChapter {
    let saga: Int
    let title: String
    let daysAgo: Int
    /// From the most to the least expensive: an older garden can afford more.
    let choices: [(season: Season, ground: Ground)]
  }

  static let lastChapters: [LastChapter] = [
    LastChapter(
      saga: DemoTexts.running, title: "Ten kilometres without stopping", daysAgo: 95,
      choices: [(.threeMonths, .firm), (.threeMonths, .fertile)]),
    LastChapter(
      saga: DemoTexts.cello, title: "Learn the cello prelude", daysAgo: 58,
      choices: [(.threeMonths, .firm), (.threeMonths, .fertile)]),
    LastChapter(
      saga: DemoTexts.letters, title: "A letter to someone every week", daysAgo: 33,
      choices: [(.oneYear, .firm), (.sixMonths, .firm), (.threeMonths, .fertile)]),
    LastChapter(
      saga: DemoTexts.balcony, title: "Grow herbs on the balcony", daysAgo: 20,
      choices: [(.sixMonths, .fertile), (.threeMonths, .fertile), (.oneMonth, .fertile)]),
  ]

  mutating func plantLast(on day: Day, at instant: Instant) {
    for chapter in DemoLife.lastChapters where (0..<5).contains(chapter.daysAgo - left(day)) {
      guard !growing.contains(where: { $0.saga == chapter.saga }) else { continue }
      let affordable = chapter.choices.filter { Soil.cost($0.season, $0.ground) <= garden.available }
      let modest = affordable.first { Soil.cost($0.season, $0.ground) <= garden.capacity * 0.3 }
      guard let choice = modest ?? affordable.last else { continue }
      plant(
        chapter.saga, DemoTexts.Stage(chapter.title, choice.season, choice.ground), isLast: true, at: instant)
      return
    }
  }
}
