import Localization
import TrunkModel

/// Why an action isn't possible. Nothing has changed, and the user's text is still there.
public enum IntentError: UserFacingError, Equatable {
  case unknownSprout
  case unknownSeedling
  case notGrowing(title: String)
  case notReady(title: String, due: String)
  case noWaterLeft(returns: String)
  case alreadyWatered(title: String)
  /// It is past noon, yesterday's water is used up, or the sprout wasn't growing or was watered yesterday.
  case notForYesterday(title: String)
  case noSunLeft(returns: String)
  case soilMissing(cost: Double, available: Double)
  case textMissing
  case titleMissing
  /// No twig was chosen for a sprout.
  case placeMissing
  case tooLong(LimitedText, count: Int)
  /// The text is short enough, but its characters have so many accents or joined signs that it takes this many bytes.
  case tooLarge(LimitedText, bytes: Int)
  case nothingToUndo
  case tooLateToUndo
  /// The sprout has entries, or its leaf was continued with another sprout.
  case plantedInUse(title: String)
  case initialSyncRunning

  /// The message for the user.
  public var message: String {
    switch self {
    case .unknownSprout: tr("This sprout is not in the garden.")
    case .unknownSeedling: tr("This seedling is not in the garden.")
    case .notGrowing(let title): tr("“{title}” is no longer growing.", ["title": title])
    case .notReady(let title, let due): tr("“{title}” can be harvested from {date}.", ["title": title, "date": due])
    case .noWaterLeft(let returns): tr("No water left today. It returns {time}.", ["time": returns])
    case .alreadyWatered(let title): tr("“{title}” was already watered today.", ["title": title])
    case .notForYesterday(let title):
      tr(
        "“{title}” can’t be watered for yesterday. That is possible until noon, if one of yesterday’s drops is left and the sprout was not watered that day.",
        ["title": title])
    case .noSunLeft(let returns): tr("The sun has shone this week. It returns {time}.", ["time": returns])
    case .soilMissing(let cost, let available):
      tr(
        "This needs {cost} soil, but only {available} is free.",
        ["cost": Formats.shortSoil(cost), "available": Formats.soil(available)])
    case .textMissing: tr("Write a few words first.")
    case .titleMissing: tr("Give it a name first.")
    case .placeMissing: tr("Where does it grow? It can’t move later, so nothing is chosen for you.")
    case .tooLong(let text, let count): text.tooLong(count)
    case .tooLarge(let text, let bytes): text.tooLarge(bytes)
    case .nothingToUndo: tr("There is nothing to undo.")
    case .tooLateToUndo: tr("This can’t be undone any more.")
    case .plantedInUse(let title):
      tr("“{title}” was watered, continued or ended, so planting it can’t be undone.", ["title": title])
    case .initialSyncRunning:
      tr("Your garden is still downloading. You can harvest and uproot when the download is complete.")
    }
  }
}
