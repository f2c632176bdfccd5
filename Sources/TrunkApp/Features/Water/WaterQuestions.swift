import TrunkKit
import TrunkModel

/// The questions of a window in which sprouts are watered: today's, or others that the user asked for.
final class WaterQuestions {
  private let context: WindowContext
  private var questions = Questions(recentWater: [], recentSun: [])
  private var isLoaded = false

  init(_ context: WindowContext) {
    self.context = context
  }

  /// Reads which questions were answered recently, so that they aren't repeated.
  func load() async throws {
    questions = try await context.model.questions()
    isLoaded = true
  }

  /// Returns today's question, which then stays: a question must not change with that of another sprout.
  func chooseToday(about sproutID: String) -> String {
    if let known = context.chosenQuestions.question(about: sproutID, on: context.today) { return known.question }
    let question = questions.water(about: sproutID, in: phase(of: sproutID), on: context.today)
    // Otherwise it may be one of the last ones.
    if isLoaded { context.chosenQuestions.set(.init(question), about: sproutID, on: context.today) }
    return question
  }

  /// Another question, which is now the one of today.
  func another(about sproutID: String) -> String {
    var random = SystemRandomNumberGenerator()
    let question = questions.water(in: phase(of: sproutID), using: &random)
    context.chosenQuestions.set(.init(question), about: sproutID, on: context.today)
    return question
  }

  private func phase(of sproutID: String) -> Sprout.Phase {
    context.model.garden.sprout(id: sproutID)?.phase(at: context.model.now) ?? .middle
  }
}
