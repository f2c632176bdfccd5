import Localization
import TrunkModel

extension LimitedText {
  /// The message that the text is too long.
  /// - Parameter count: its length in characters.
  func tooLong(_ count: Int) -> String {
    let values = ["count": localized(count), "limit": localized(limit)]
    return switch self {
    case .title: tr("The title is {count} characters long. The limit is {limit}.", values)
    case .leafName: tr("The name of the leaf is {count} characters long. The limit is {limit}.", values)
    case .withering: LimitedText.tooLong(tr("Withering"), values)
    case .budding: LimitedText.tooLong(tr("Budding"), values)
    case .flourishing: LimitedText.tooLong(tr("Flourishing"), values)
    case .seedlingNotes: tr("The notes are {count} characters long. The limit is {limit}.", values)
    case .nodeLabel: tr("The name is {count} characters long. The limit is {limit}.", values)
    case .nodeNote: tr("The note is {count} characters long. The limit is {limit}.", values)
    case .entry: tr("The entry is {count} characters long. The limit is {limit}.", values)
    case .reflection: tr("The reflection is {count} characters long. The limit is {limit}.", values)
    }
  }

  /// - Parameter field: the caption of the form's field.
  private static func tooLong(_ field: String, _ values: [String: String]) -> String {
    tr(
      "The text under “{field}” is {count} characters long. The limit is {limit}.",
      values.merging(["field": field]) { $1 })
  }
}
