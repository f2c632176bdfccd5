import EventStore
import SyncEngine
import TrunkAccount
import TrunkKit

extension Application {
  typealias Opened = (model: GardenModel, accountModel: AccountModel)

  /// Opens the garden of the account that is signed in, or the local one. Another thread reads it immediately: this one
  /// starts the toolkit, and runs no tasks before its main loop.
  /// - Parameter closing: work to wait for first.
  static func open(
    _ settings: Settings, fresh: SignIn.Outcome? = nil, after closing: Task<Void, Never>? = nil,
    missingFile: EventStore.MissingFile = .fails
  ) -> Task<Opened, any Error> {
    let reading = Task.detached {  // No widgets
      await closing?.value
      let current = try AccountFile().load()
      let folder = current?.folder ?? Folders.garden()
      return (current, try await GardenModel.load(folder: folder, missingFile: missingFile))
    }
    return Task {  // No widgets
      let (current, loaded) = try await reading.value
      let model = GardenModel(loaded)
      return (model, AccountModel(model, current: current, settings: settings, fresh: fresh))
    }
  }
}
