import TrunkModel

/// How far a harvest has come that isn't finished. It is a part of the draft of its reflection, in place of a question.
public struct HarvestProgress: Sendable, Equatable {
  /// A page of the form, in their order.
  public enum Step: String, Sendable, CaseIterable {
    case reread, judge, write
  }

  public var step: Step
  /// The chosen result, 1…5; `nil` before it is chosen.
  public var result: Int?

  public init(_ step: Step = .reread, result: Int? = nil) { (self.step, self.result) = (step, result) }

  /// `write 4`.
  public var asked: GardenModel.AskedQuestion {
    .init(([step.rawValue] + (result.map { ["\($0)"] } ?? [])).joined(separator: " "))
  }

  /// - Returns: `nil` if it is something else.
  public init?(_ asked: GardenModel.AskedQuestion) {
    let parts = asked.question.split(separator: " ")
    guard let step = parts.first.flatMap({ Step(rawValue: String($0)) }) else { return nil }
    let result = parts.dropFirst().first.flatMap { Int($0) }
    self.init(step, result: result.flatMap { (1...5).contains($0) ? $0 : nil })
  }
}
