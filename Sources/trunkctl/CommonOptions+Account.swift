import Gardening
import Localization
import Sync

extension CommonOptions {
  /// Opens the account's garden for syncing.
  /// - Throws: `Failure` if no account is signed in. It creates no garden then.
  @MainActor
  func signedIn() async throws -> Synchroniser {
    guard try CurrentAccount().load() != nil else {
      throw Failure(.notFound, tr("Nobody is signed in.") + " " + tr("“trunkctl login you@example.org” does it."))
    }
    return try await synchroniser(Settings())
  }

  /// Opens the garden of this folder for syncing, with or without an account.
  /// - Throws: `Failure` if the folder isn't the one of the account.
  @MainActor
  func synchroniser(_ settings: Settings) async throws -> Synchroniser {
    if let problem = settings.problem { Output.complain(plainWords(problem)) }
    let current = try CurrentAccount().load()
    // The account's garden and no other belongs to its server.
    guard try folder == current?.folder ?? Folders.garden() else {
      throw Failure(.refused, tr("Only the garden of the account can be synced, not that of another folder."))
    }
    return Synchroniser(try await open(), current: current, settings: settings, needsVault: true)
  }
}
