import NIOCore
import Synchronization

/// The connections of all clients, counted per client.
///
/// A direct connection counts for its client until it closes. A connection from a proxy on this computer serves many
/// clients, so it counts for the client whose request it carries, from the request's headers to the end of the
/// response.
final class Clients: Sendable {
  /// A limit of connections is reached, or the server is stopping.
  struct Rejection: Error {}

  private struct State {
    var channels: [ObjectIdentifier: any Channel] = [:]
    /// The connections of this computer that wait for their next request, and since when.
    var silent: [ObjectIdentifier: UInt64] = [:]
    var silences: UInt64 = 0
    var isClosed = false

    mutating func forget(_ id: ObjectIdentifier) {
      channels[id] = nil
      silent[id] = nil
    }
  }

  private let state = Mutex(State())
  private let budget = Budget()
  private let limit: Int
  private let limitPerClient: Int

  init(limit: Int, limitPerClient: Int) {
    self.limit = limit
    self.limitPerClient = limitPerClient
  }

  /// The number of open connections.
  var count: Int { state.withLock { $0.channels.count } }

  /// Counts a connection until it closes.
  ///
  /// If the limit is reached, the connection of this computer that has been silent for the longest time is closed: no
  /// other limit keeps one program here from holding all connections open.
  /// - Parameter address: the peer's address; `nil` if the system doesn't know it.
  /// - Returns: the name of the client; `nil` for this computer, where a proxy may serve many clients.
  func admit(_ channel: any Channel, from address: String?) throws(Rejection) -> String? {
    let id = ObjectIdentifier(channel)
    let client = address.flatMap { ClientAddress.isLocal($0) ? nil : ClientAddress.name($0) }
    let (isAdmitted, displaced) = state.withLock { state -> (Bool, (any Channel)?) in
      guard !state.isClosed else { return (false, nil) }
      let oldest = state.channels.count < limit ? nil : state.silent.min { $0.value < $1.value }?.key
      guard state.channels.count < limit || oldest != nil else { return (false, nil) }
      if let client, !enter(client) { return (false, nil) }
      let displaced = oldest.flatMap { state.channels[$0] }
      if let oldest { state.forget(oldest) }
      state.channels[id] = channel
      if client == nil { Clients.silence(id, &state) }
      return (true, displaced)
    }
    displaced?.close(promise: nil)
    guard isAdmitted else { throw Rejection() }
    channel.closeFuture.whenComplete { _ in
      self.state.withLock { $0.forget(id) }
      if let client { self.leave(client) }
    }
    return client
  }

  /// Records that a connection waits for a request, or that its request has begun.
  func setSilent(_ channel: any Channel, _ isSilent: Bool) {
    guard channel.remoteAddress?.ipAddress.map(ClientAddress.isLocal) ?? true else { return }
    let id = ObjectIdentifier(channel)
    state.withLock { state in
      guard state.channels[id] != nil else { return }
      if isSilent { Clients.silence(id, &state) } else { state.silent[id] = nil }
    }
  }

  private static func silence(_ id: ObjectIdentifier, _ state: inout State) {
    state.silences += 1
    state.silent[id] = state.silences
  }

  /// Counts a connection, or a request that came through a proxy, until `leave`.
  /// - Returns: `false` if the client has reached its limit.
  func enter(_ client: String) -> Bool { budget.take(1, shares(client)) }

  func leave(_ client: String) { budget.giveBack(1, shares(client)) }

  private func shares(_ client: String) -> [Budget.Share] {
    ClientAddress.counted(client).map { .init(.client($0.name), $0.allowance * limitPerClient) }
  }

  /// Stops admitting connections and asks the open ones to end.
  /// - Returns: the open connections.
  func dismiss() -> [any Channel] {
    let (channels, isFirst) = state.withLock { state in
      defer { state.isClosed = true }
      return (Array(state.channels.values), !state.isClosed)
    }
    if isFirst {
      for channel in channels { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
    }
    return channels
  }
}
