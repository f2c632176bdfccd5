import EventStore
import SyncEngine
import TrunkKit

/// Opens the account's engine and scheduler.
extension AccountModel {
  /// The account's server, with the key from the preferences if they name the same server.
  private func serverSettings() throws -> ServerSettings? {
    let named = try ServerSettings.current(settings)
    guard let current else { return named }
    return named?.url == current.serverSettings.url ? named : current.serverSettings
  }

  /// Opens the engine with its own connection to the garden's file, so that a long download does not block the garden.
  func parts() async throws -> Parts? {
    guard let current else { return nil }
    if let opening { return try await opening.value }
    let (model, dependencies, fresh, vault) = (model, dependencies, fresh, vault)
    let serverSettings = try serverSettings() ?? current.serverSettings
    let task = Task {
      let store = try await EventStore.open(folder: model.store.folder)
      try await store.bind(to: current.account.server, account: current.account.userID)
      let service = dependencies.service(serverSettings)
      let keeper = SessionKeeper(
        account: current.account, folder: store.folder, vault: vault, service: service.account,
        clock: dependencies.clock)
      if let fresh { await keeper.resume(fresh.session, profile: fresh.profile) }
      let engine = SyncEngine(
        store: store, service: service.events, profiles: service.account, keeper: keeper, clock: dependencies.clock,
        backUp: { try await model.backUpHere() }, clockDifference: service.clockDifference,
        onMerge: { [weak self] in Task { await self?.refreshAfterMerge() } }, log: dependencies.log)
      return Parts(
        engine: engine, scheduler: SyncScheduler(engine: engine, live: service.live, clock: dependencies.clock))
    }
    opening = task
    do { return try await task.value } catch {
      // The next request tries again: the disk may have space by then.
      if opening == task { opening = nil }
      throw error
    }
  }

  /// Opens the engine, and repeats that after increasing pauses.
  /// - Returns: `nil` if syncing was stopped.
  func openedParts() async -> Parts? {
    while !Task.isCancelled {
      do { return try await parts() } catch { failed(error) }
      let due = dependencies.clock.uptime + backoff.next(random: 0)
      do { try await dependencies.clock.sleep(until: due) } catch { return nil }
    }
    return nil
  }

  private func failed(_ error: any Error) {
    status.phase = .offline
    switch error {
    case let error as StoreError: status.failure = .store(error)
    case let error as ServerSettings.Invalid:
      status.failure = .service(.misconfigured(status: 0, code: "invalid_settings", message: error.message))
    default: break
    }
    revision += 1
  }
}
