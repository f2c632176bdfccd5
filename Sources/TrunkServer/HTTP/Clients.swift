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
    var counts: [String: Int] = [:]
    var isClosed = false
  }

  private let state = Mutex(State())
  private let limit: Int
  private let limitPerClient: Int

  init(limit: Int, limitPerClient: Int) {
    self.limit = limit
    self.limitPerClient = limitPerClient
  }

  /// The number of open connections.
  var count: Int { state.withLock { $0.channels.count } }

  /// Counts a connection until it closes.
  /// - Parameter address: the peer's address; `nil` if the system doesn't know it.
  /// - Returns: the name of the client; `nil` for this computer, where a proxy may serve many clients.
  func admit(_ channel: any Channel, from address: String?) throws(Rejection) -> String? {
    let id = ObjectIdentifier(channel)
    let client = address.flatMap { ClientAddress.isLocal($0) ? nil : ClientAddress.name($0) }
    let isAdmitted = state.withLock { state in
      guard !state.isClosed, state.channels.count < limit else { return false }
      if let client, !take(client, &state) { return false }
      state.channels[id] = channel
      return true
    }
    guard isAdmitted else { throw Rejection() }
    channel.closeFuture.whenComplete { _ in
      self.state.withLock { _ = $0.channels.removeValue(forKey: id) }
      if let client { self.leave(client) }
    }
    return client
  }

  /// Counts a request that came through a proxy, until `leave`.
  /// - Returns: `false` if the client has reached its limit.
  func enter(_ client: String) -> Bool {
    state.withLock { take(client, &$0) }
  }

  func leave(_ client: String) {
    state.withLock { state in
      for (name, _) in ClientAddress.counted(client) {
        guard let count = state.counts[name] else { continue }
        state.counts[name] = count > 1 ? count - 1 : nil
      }
    }
  }

  private func take(_ client: String, _ state: inout State) -> Bool {
    let counted = ClientAddress.counted(client)
    let isAllowed = counted.allSatisfy { state.counts[$0.name, default: 0] < $0.allowance * limitPerClient }
    guard isAllowed else { return false }
    for (name, _) in counted { state.counts[name, default: 0] += 1 }
    return true
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
