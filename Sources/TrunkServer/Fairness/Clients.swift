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
    /// The connections of this computer that wait for their next request, in the order in which they began to wait.
    var silent: [ObjectIdentifier: UInt64] = [:]
    var silences: UInt64 = 0
    var isClosed = false

    mutating func silence(_ id: ObjectIdentifier) {
      silences += 1
      silent[id] = silences
    }

    mutating func forget(_ id: ObjectIdentifier) -> (any Channel)? {
      silent[id] = nil
      return channels.removeValue(forKey: id)
    }
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
  ///
  /// If the limit is reached, the connection of this computer that has been silent for the longest time is closed: no
  /// other limit keeps one program here from holding all connections open.
  /// - Parameter address: the peer's address; `nil` if the system doesn't know it.
  /// - Returns: the name of the client; `nil` for this computer, where a proxy may serve many clients.
  func admit(_ channel: any Channel, from address: String?) throws(Rejection) -> String? {
    let id = ObjectIdentifier(channel)
    let client = address.flatMap { ClientAddress.isLocal($0) ? nil : ClientAddress.name($0) }
    let (claim, displaced) = state.withLock { state -> (Claim?, (any Channel)?) in
      let oldest = state.channels.count < limit ? nil : state.silent.min { $0.value < $1.value }?.key
      guard !state.isClosed, state.channels.count < limit || oldest != nil,
        let claim = budget.claim(of: .connections, by: client.map { [.client($0)] } ?? [])
      else { return (nil, nil) }
      let displaced = oldest.flatMap { state.forget($0) }
      state.channels[id] = channel
      if client == nil { state.silence(id) }
      return (claim, displaced)
    }
    displaced?.close(promise: nil)
    guard let claim else { throw Rejection() }
    channel.closeFuture.whenComplete { _ in
      _ = self.state.withLock { $0.forget(id) }
      claim.end()
    }
    return client
  }

  /// Records that a connection waits for a request, or that its request has begun.
  func setSilent(_ channel: any Channel, _ isSilent: Bool) {
    guard channel.remoteAddress?.ipAddress.map(ClientAddress.isLocal) ?? true else { return }
    let id = ObjectIdentifier(channel)
    state.withLock { state in
      guard state.channels[id] != nil else { return }
      if isSilent { state.silence(id) } else { state.silent[id] = nil }
    }
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
