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
    case .withering, .budding, .flourishing:
      tr(
        "The text under “{field}” is {count} characters long. The limit is {limit}.",
        values.merging(["field": caption]) { $1 })
    case .seedlingNotes: tr("The notes are {count} characters long. The limit is {limit}.", values)
    case .nodeLabel: tr("The name is {count} characters long. The limit is {limit}.", values)
    case .nodeNote: tr("The note is {count} characters long. The limit is {limit}.", values)
    case .entry: tr("The entry is {count} characters long. The limit is {limit}.", values)
    case .reflection: tr("The reflection is {count} characters long. The limit is {limit}.", values)
    }
  }

  /// The message that the text takes too many bytes, although it is short enough.
  func tooLarge(_ bytes: Int) -> String {
    tr(
      "The text under “{field}” takes {size}. The limit is {limit}. Remove some of the accents or joined signs.",
      ["field": caption, "size": Formats.size(bytes), "limit": Formats.size(byteLimit)])
  }

  /// The caption of the form's field.
  private var caption: String {
    switch self {
    case .title: tr("Title")
    case .leafName: tr("Name of the leaf")
    case .withering: tr("Withering")
    case .budding: tr("Budding")
    case .flourishing: tr("Flourishing")
    case .seedlingNotes: tr("Notes")
    case .nodeLabel: tr("Name")
    case .nodeNote: tr("Note")
    case .entry: tr("Entry")
    case .reflection: tr("Reflection")
    }
  }
}
