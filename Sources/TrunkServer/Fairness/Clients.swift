import NIOCore
import Synchronization

/// The open connections.
///
/// A direct connection counts for its client until it closes. A connection from a proxy on this computer serves many
/// clients, so `RequestHandler` counts it for the client whose request it carries.
final class Clients: Sendable {
  /// A limit of connections is reached, or the server is stopping.
  struct Rejection: Error {}

  private struct State {
    var channels: [ObjectIdentifier: any Channel] = [:]
    var isClosed = false
  }

  private let state = Mutex(State())
  private let limit: Int
  private let budget: Budget

  /// - Parameter limit: the maximum number of all connections.
  init(limit: Int, budget: Budget) {
    self.limit = limit
    self.budget = budget
  }

  var count: Int { state.withLock { $0.channels.count } }

  /// Counts a connection until it closes.
  /// - Parameter address: the peer's address; `nil` if the system doesn't know it.
  /// - Returns: the name of the client; `nil` for this computer, where a proxy may serve many clients.
  func admit(_ channel: any Channel, from address: String?) throws(Rejection) -> String? {
    let id = ObjectIdentifier(channel)
    let client = address.flatMap { ClientAddress.isLocal($0) ? nil : ClientAddress.name($0) }
    let claim = state.withLock { state -> Claim? in
      guard !state.isClosed, state.channels.count < limit else { return nil }
      let claim = budget.claim(of: .connections, by: client.map { [.client($0)] } ?? [])
      if claim != nil { state.channels[id] = channel }
      return claim
    }
    guard let claim else { throw Rejection() }
    channel.closeFuture.whenComplete { _ in
      self.state.withLock { $0.channels[id] = nil }
      claim.end()
    }
    return client
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
