/// A service that stores events for several devices: Supabase or a self-hosted server.
public struct SyncService: Sendable {
  public let events: any EventService
  public let account: any AccountService
  public let live: any LiveService

  public init(events: any EventService, account: any AccountService, live: any LiveService) {
    self.events = events
    self.account = account
    self.live = live
  }
}

/// The user's account at a sync service.
public typealias AccountService = AuthService & ProfileService
