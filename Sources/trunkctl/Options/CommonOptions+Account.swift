import EventStore
import Localization
import SyncEngine
import TrunkAccount
import TrunkKit

extension CommonOptions {
  /// Opens the account's garden for syncing.
  /// - Parameter fullDisk: what to do if the disk is too full to open the garden for writing.
  /// - Throws: `Failure` if no account is signed in. No garden is created in that case.
  @MainActor
  func signedIn(fullDisk: EventStore.FullDisk = .fails) async throws -> AccountModel {
    guard try AccountFile().load() != nil else {
      throw Failure(
        .notFound, tr("You are not signed in.") + " " + tr("Sign in with “trunkctl login you@example.org”."))
    }
    return try await accountModel(Settings(), fullDisk: fullDisk)
  }

  /// Opens the garden of this folder for syncing, with or without an account.
  /// - Throws: `Failure` if the folder isn't the one of the account.
  @MainActor
  func accountModel(
    _ settings: Settings, fullDisk: EventStore.FullDisk = .fails
  ) async throws -> AccountModel {
    if let problem = settings.problem { Output.writeMessage(userMessage(for: problem)) }
    let current = try AccountFile().load()
    // Only the account's garden belongs to its server.
    guard try folder == current?.folder ?? Folders.garden() else {
      throw Failure(.notAllowed, tr("Only the account’s garden can be synced, not the one in this folder."))
    }
    return AccountModel(try await open(fullDisk: fullDisk), current: current, settings: settings, needsVault: true)
  }
}
