import TrunkKit
import TrunkModel

/// The questions that the user chose instead of those of the day, until the day is over. They stay when a dialog is
/// closed and opened again.
final class ChosenQuestions {
  private var day: Day?
  private var chosen: [String: GardenModel.Asked] = [:]

  /// - Parameter subject: the sprout, or empty for the sun.
  func question(about subject: String, on day: Day) -> GardenModel.Asked? {
    self.day == day ? chosen[subject] : nil
  }

  func set(_ question: GardenModel.Asked, about subject: String, on day: Day) {
    if self.day != day { chosen = [:] }
    self.day = day
    chosen[subject] = question
  }
}
