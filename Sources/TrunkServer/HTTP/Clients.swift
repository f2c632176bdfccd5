import NIOCore
import Synchronization

/// Those who are connected.
final class Clients: Sendable {
  /// There are as many as there may be, or the server is about to end.
  struct Refusal: Error {}

  private struct State {
    var channels: [ObjectIdentifier: any Channel] = [:]
    var isClosed = false
  }

  private let state = Mutex(State())
  private let limit: Int

  init(limit: Int) {
    self.limit = limit
  }

  /// Counts one until it is closed.
  func admit(_ channel: any Channel) throws(Refusal) {
    let id = ObjectIdentifier(channel)
    let isWelcome = state.withLock { state in
      guard !state.isClosed, state.channels.count < limit else { return false }
      state.channels[id] = channel
      return true
    }
    guard isWelcome else { throw Refusal() }
    channel.closeFuture.whenComplete { _ in self.state.withLock { _ = $0.channels.removeValue(forKey: id) } }
  }

  /// Admits nobody any more, and asks those who are there to come to an end.
  /// - Returns: those who are there.
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
