import Localization
import TrunkModel

/// Picks the questions that open the journal's dialogs.
public struct Questions: Sendable {
  /// A watering's question is not repeated within this many waterings.
  static let waterMemory = 10
  static let sunMemory = 15

  /// Three of four sun questions are general, one is about the twig.
  private static let generalShare = 0.75

  private var recentWater: [String]
  private var recentSun: [String]

  /// - Parameters:
  ///    - recentWater: the questions of the latest waterings.
  ///    - recentSun: the questions of the latest reflections.
  public init(recentWater: [String], recentSun: [String]) {
    self.recentWater = recentWater
    self.recentSun = recentSun
  }

  /// A question for a watering of a sprout in this phase, not one of the last 10.
  public mutating func water(in phase: Sprout.Phase, using random: inout some RandomNumberGenerator) -> String {
    let question = Questions.pick(
      ResourceTexts.waterQuestions[phase, default: []].map { translated($0, in: .questions) },
      notIn: recentWater.suffix(Questions.waterMemory),
      using: &random)
    recentWater.append(question)
    return question
  }

  /// The question about a sprout for a day: the same each time, so that a dialog can be closed and opened again.
  public mutating func water(about sproutID: String, in phase: Sprout.Phase, on day: Day) -> String {
    var random = SeededRandom(seed: FNV1a("\(day.number) \(sproutID)").value)
    return water(in: phase, using: &random)
  }

  /// The twig and the question of a week's reflection: the same each time, and on each of the user's devices.
  /// - Parameter label: names the twig as the user does.
  public mutating func sun(_ draw: SunDraw, label: (Node) -> String) -> (twig: Node, question: String) {
    var random = draw.random
    let twig = draw.twig
    return (twig, sun(about: twig, beginnings: draw.isAboutBeginnings(on: twig), label: label, using: &random))
  }

  /// A question about this twig, not one of the last 15.
  /// - Parameter beginnings: whether to ask how something began here.
  public mutating func sun(
    about twig: Node, beginnings: Bool = false, label: (Node) -> String,
    using random: inout some RandomNumberGenerator
  ) -> String {
    let isGeneral = beginnings || Double.random(in: 0..<1, using: &random) < Questions.generalShare
    let general = (beginnings ? ResourceTexts.beginningQuestions : ResourceTexts.sunQuestions).map {
      translated($0, in: .questions, ["twig": label(twig)])
    }
    let own = ResourceTexts.twigQuestions[twig, default: []].map { translated($0, in: .questions) }
    let question = Questions.pick(
      isGeneral || own.isEmpty ? general : own, notIn: recentSun.suffix(Questions.sunMemory), using: &random)
    recentSun.append(question)
    return question
  }

  private static func pick(
    _ questions: [String], notIn recent: some Sequence<String>, using random: inout some RandomNumberGenerator
  ) -> String {
    let recent = Set(recent)
    // Shuffled rather than filtered first: with the same random numbers, the choice stays the same when other questions
    // are answered.
    return questions.shuffled(using: &random).first { !recent.contains($0) } ?? questions.first ?? ""
  }
}
