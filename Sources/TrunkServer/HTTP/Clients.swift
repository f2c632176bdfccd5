import NIOCore
import Synchronization

/// The connections of all clients, counted for each one.
///
/// A direct connection counts for its client until it is closed. A connection from a proxy on this computer serves many
/// clients: it counts for the one whose request it carries, from the request's headers to the end of the answer.
final class Clients: Sendable {
  /// There are as many connections as there may be, or the server is about to end.
  struct Refusal: Error {}

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

  /// Counts a connection until it is closed.
  /// - Parameter address: the address at its other end; `nil` if the system doesn't know it.
  func admit(_ channel: any Channel, from address: String?) throws(Refusal) {
    let id = ObjectIdentifier(channel)
    let client = address.flatMap { ClientAddress.isLocal($0) ? nil : ClientAddress.name($0) }
    let isAdmitted = state.withLock { state in
      guard !state.isClosed, state.channels.count < limit else { return false }
      if let client, !take(client, &state) { return false }
      state.channels[id] = channel
      return true
    }
    guard isAdmitted else { throw Refusal() }
    channel.closeFuture.whenComplete { _ in
      self.state.withLock { _ = $0.channels.removeValue(forKey: id) }
      if let client { self.leave(client) }
    }
  }

  /// Counts a request that came through a proxy, until `leave`.
  /// - Returns: `false` if the client has as many as it may.
  func enter(_ client: String) -> Bool {
    state.withLock { take(client, &$0) }
  }

  func leave(_ client: String) {
    state.withLock { state in
      guard let count = state.counts[client] else { return }
      state.counts[client] = count > 1 ? count - 1 : nil
    }
  }

  private func take(_ client: String, _ state: inout State) -> Bool {
    let count = state.counts[client, default: 0]
    guard count < limitPerClient else { return false }
    state.counts[client] = count + 1
    return true
  }

  /// Admits no more connections, and asks those that are there to come to an end.
  /// - Returns: those that are there.
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
