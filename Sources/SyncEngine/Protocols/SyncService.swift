/// A service that stores events for several devices: Supabase or a self-hosted server.
public struct SyncService: Sendable {
  public let events: any EventService
  public let account: any AccountService
  public let live: any LiveService
  /// The difference between the clocks at the latest response; `nil` if they agree or nothing was compared.
  public let clockDifference: @Sendable () -> ClockDifference?

  public init(
    events: any EventService, account: any AccountService, live: any LiveService,
    clockDifference: @escaping @Sendable () -> ClockDifference? = { nil }
  ) {
    self.events = events
    self.account = account
    self.live = live
    self.clockDifference = clockDifference
  }
}

/// The user's account at a sync service.
public typealias AccountService = AuthService & ProfileService
