import Garden
import GardenStore
import Localization
import Sync

/// Why an action is not possible. Nothing has changed, and what was typed is still there.
public enum GardeningError: Error, Equatable {
  case unknownSprout
  case unknownSeedling
  case notGrowing(title: String)
  case notReady(title: String, due: String)
  case noWaterLeft(returns: String)
  case alreadyWatered(title: String)
  case noSunLeft(returns: String)
  case soilMissing(cost: Double, available: Double)
  case textMissing
  case titleMissing
  case tooLong(count: Int, limit: Int)
  case nothingToUndo
  case tooLateToUndo
  /// The sprout has entries, or its leaf goes on with another one.
  case plantedInUse(title: String)
  case stillComing

  /// What to tell the user.
  public var message: String {
    switch self {
    case .unknownSprout: tr("This sprout is not in the garden.")
    case .unknownSeedling: tr("This seedling is not in the garden.")
    case .notGrowing(let title): tr("“{title}” is no longer growing.", ["title": title])
    case .notReady(let title, let due): tr("“{title}” can be harvested from {date}.", ["title": title, "date": due])
    case .noWaterLeft(let returns): tr("No water left today. It returns {time}.", ["time": returns])
    case .alreadyWatered(let title): tr("“{title}” was already watered today.", ["title": title])
    case .noSunLeft(let returns): tr("The sun has shone this week. It returns {time}.", ["time": returns])
    case .soilMissing(let cost, let available):
      tr(
        "This needs {cost} soil, and {available} is free.",
        ["cost": Formats.shortSoil(cost), "available": Formats.soil(available)])
    case .textMissing: tr("There is nothing written yet.")
    case .titleMissing: tr("Give it a name first.")
    case .tooLong(let count, let limit):
      tr("This is {count} characters long; {limit} fit.", ["count": "\(count)", "limit": "\(limit)"])
    case .nothingToUndo: tr("There is nothing to undo.")
    case .tooLateToUndo: tr("It’s too late to undo this: entries can be undone for a few seconds only.")
    case .plantedInUse(let title):
      tr("“{title}” is already in use, so planting it can’t be undone.", ["title": title])
    case .stillComing: tr("Your garden is still on its way. Harvest and uproot when all of it is here.")
    }
  }
}

/// What to tell the user about an error that an intent or the store threw: what happened and what to do.
public func plainWords(_ error: any Error) -> String {
  switch error {
  case let error as GardeningError: error.message
  case let error as StoreError: error.message
  case let error as TransferError: error.message
  case let error as SyncingError: error.message
  case let error as SyncProblem: error.message
  case let error as ServiceFailure: error.message
  case let error as VaultFailure: error.message
  case let error as SignInFailure: error.message
  case let error as ServerConfiguration.Invalid: error.message
  case let error as Settings.Unreadable:
    tr("“{path}” can’t be used: {reason}.", ["path": error.path, "reason": error.detail])
  default: tr("This did not work: {reason}.", ["reason": "\(error)"])
  }
}
