import TrunkKit
import TrunkModel

/// The questions of a window in which sprouts are watered: today's, or others that the user asked for.
final class WaterQuestions {
  private let context: WindowContext
  private var questions = Questions(recentWater: [], recentSun: [])

  init(_ context: WindowContext) {
    self.context = context
  }

  /// Reads which questions were answered recently, so that they aren't repeated.
  func load() async throws { questions = try await context.model.questions() }

  /// Today's question. It stays when the question of another sprout changes, which it must not repeat.
  func today(about sproutID: String) -> String {
    if let known = context.chosenQuestions.question(about: sproutID, on: context.today) { return known.question }
    let question = questions.water(about: sproutID, in: phase(of: sproutID), on: context.today)
    context.chosenQuestions.set(.init(question), about: sproutID, on: context.today)
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
