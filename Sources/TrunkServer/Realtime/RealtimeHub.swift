import Dispatch
import Synchronization

/// Delivers new rows to the connections that subscribe to them. It stores nothing: a client that wasn't connected
/// pulls.
///
/// New rows wait in a queue for each account. A dedicated thread delivers one row of each account in turn, so that
/// subscriptions never delay writers or the listeners of other accounts.
final class RealtimeHub: Sendable {
  /// The listeners of one account, and the rows that wait to be delivered to them.
  private struct Account {
    /// The number of subscriptions per connection.
    var connections: [ObjectIdentifier: Int] = [:]
    var pending: [(row: EventRow, instant: Microseconds)] = []
    /// The index of the next row in `pending`.
    var next = 0
    var pendingBytes = 0
    /// Whether `turns` names the account.
    var hasTurn = false
  }

  private struct Listener {
    let connection: RealtimeConnection
    /// The users whose events it subscribes to.
    var users: Set<String> = []
  }

  private struct State {
    var listeners: [ObjectIdentifier: Listener] = [:]
    /// Keyed by user id.
    var accounts: [String: Account] = [:]
    /// Users with waiting rows, in the order of their turns.
    var turns: [String] = []
    var isDelivering = false
    var isClosed = false
    /// Checks for expired tokens while there are connections.
    var clock: Task<Void, Never>?
  }

  /// The number of delivered rows that may stay in the queue. Removing them one by one would move all others each time.
  private static let kept = 256
  /// Bytes that a waiting row takes in addition to its payload.
  private static let rowCost = 512

  private let state = Mutex(State())
  private let limit: Int
  private let queue = DispatchQueue(label: "realtime", qos: .utility)

  /// - Parameter limit: the maximum number of connections.
  init(limit: Int) {
    self.limit = limit
  }

  /// The number of open connections.
  var count: Int { state.withLock { $0.listeners.count } }

  /// - Returns: `false` if there are too many connections.
  func add(_ connection: RealtimeConnection) -> Bool {
    state.withLock { state in
      guard !state.isClosed, state.listeners.count < limit else { return false }
      state.listeners[ObjectIdentifier(connection)] = Listener(connection: connection)
      if state.clock == nil {
        state.clock = Task { [weak self] in
          // The sleep throws only if the task is cancelled.
          while (try? await Task.sleep(for: .seconds(1))) != nil, self?.expireTokens() == true {}
        }
      }
      return true
    }
  }

  func remove(_ connection: RealtimeConnection) {
    update(connection, subscriptions: [:])
    state.withLock { _ = $0.listeners.removeValue(forKey: ObjectIdentifier(connection)) }
  }

  /// Sets how many subscriptions a connection has to the events of each user.
  func update(_ connection: RealtimeConnection, subscriptions: [String: Int]) {
    let id = ObjectIdentifier(connection)
    state.withLock { state in
      guard let old = state.listeners[id]?.users else { return }
      for user in old where subscriptions[user] == nil {
        state.accounts[user]?.connections[id] = nil
        if let account = state.accounts[user], account.connections.isEmpty {
          state.accounts[user] = nil
          if account.hasTurn { state.turns.removeAll { $0 == user } }
        }
      }
      state.listeners[id]?.users = Set(subscriptions.keys)
      for (user, count) in subscriptions { state.accounts[user, default: Account()].connections[id] = count }
    }
  }

  /// Why the channel's account can't have another connection or subscription; `nil` if it can.
  func rejection(_ connection: RealtimeConnection, _ channel: RealtimeChannel) -> RealtimeRejection? {
    guard let user = channel.token?.userID, !channel.subscriptions.isEmpty else { return nil }
    let id = ObjectIdentifier(connection)
    return state.withLock { state in
      guard let others = state.accounts[user]?.connections else { return nil }
      let isNew = others[id] == nil
      if isNew, others.count >= RealtimeLimits.connectionsPerAccount { return .tooManyConnections }
      let total = others.values.reduce(channel.subscriptions.count, +)
      return total > RealtimeLimits.subscriptionsPerAccount ? .tooManySubscriptions : nil
    }
  }

  /// Queues stored rows for delivery and returns immediately. If too many rows wait, the account's listeners are
  /// disconnected and pull after they reconnect.
  func publish(_ rows: [EventRow], userID: String, at instant: Microseconds) {
    let bytes = rows.reduce(0) { $0 + $1.payload.utf8.count + RealtimeHub.rowCost }
    let (overflow, isFirst) = state.withLock { state -> ([RealtimeConnection], Bool) in
      guard var account = state.accounts.removeValue(forKey: userID) else { return ([], false) }
      defer { state.accounts[userID] = account }
      guard account.pendingBytes + bytes <= RealtimeLimits.pendingBytes else {
        (account.pending, account.next, account.pendingBytes) = ([], 0, 0)
        return (account.connections.keys.compactMap { state.listeners[$0]?.connection }, false)
      }
      if !account.hasTurn { state.turns.append(userID) }
      account.hasTurn = true
      account.pending += rows.map { ($0, instant) }
      account.pendingBytes += bytes
      defer { state.isDelivering = true }
      return ([], !state.isDelivering)
    }
    for connection in overflow { connection.close(.tryAgainLater) }
    if isFirst { queue.async { self.deliver() } }
  }

  private func deliver() {
    while let (row, instant, listeners) = state.withLock({ RealtimeHub.next(&$0) }) {
      let change = RealtimeChange(row, committedAt: instant)
      for listener in listeners { listener.deliver(change) }
    }
  }

  /// Takes the next row of the account whose turn it is; `nil` when all rows are delivered.
  private static func next(_ state: inout State) -> (EventRow, Microseconds, [RealtimeConnection])? {
    while !state.turns.isEmpty {
      let user = state.turns.removeFirst()
      guard var account = state.accounts.removeValue(forKey: user) else { continue }
      defer { state.accounts[user] = account }
      account.hasTurn = false
      // The account has no rows if its queue was full.
      guard account.next < account.pending.count else { continue }
      let (row, instant) = account.pending[account.next]
      account.next += 1
      account.pendingBytes -= row.payload.utf8.count + rowCost
      if account.next == account.pending.count {
        (account.pending, account.next) = ([], 0)
      } else {
        state.turns.append(user)
        account.hasTurn = true
        if account.next == kept {
          account.pending.removeFirst(kept)
          account.next = 0
        }
      }
      return (row, instant, account.connections.keys.compactMap { state.listeners[$0]?.connection })
    }
    state.isDelivering = false
    return nil
  }

  /// Closes all connections because the server is stopping.
  func close() {
    let connections = state.withLock { state in
      state.isClosed = true
      state.clock?.cancel()
      return state.listeners.values.map(\.connection)
    }
    for connection in connections { connection.close(.goingAway) }
  }

  /// - Returns: whether there are connections.
  private func expireTokens() -> Bool {
    let connections = state.withLock { state in
      if state.listeners.isEmpty { state.clock = nil }
      return state.listeners.values.map(\.connection)
    }
    for connection in connections { connection.expireTokens() }
    return !connections.isEmpty
  }
}
