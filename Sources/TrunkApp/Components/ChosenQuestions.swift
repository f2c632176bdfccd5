import TrunkKit
import TrunkModel

/// The questions that were shown last, by the program's or the user's choice, until the day ends. They stay when a
/// dialog is closed and opened again.
final class ChosenQuestions {
  private var day: Day?
  private var chosen: [ExactID: GardenModel.AskedQuestion] = [:]

  /// - Parameter subject: the sprout, or empty for the sun.
  func question(about subject: String, on day: Day) -> GardenModel.AskedQuestion? {
    self.day == day ? chosen[ExactID(subject)] : nil
  }

  func set(_ question: GardenModel.AskedQuestion, about subject: String, on day: Day) {
    if self.day != day { chosen = [:] }
    self.day = day
    chosen[ExactID(subject)] = question
  }
}
