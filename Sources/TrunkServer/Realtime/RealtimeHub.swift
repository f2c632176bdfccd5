import Synchronization

/// Knows who listens to whose events, and brings them there. It is a hint without memory: who was not there pulls.
final class RealtimeHub: Sendable {
  private struct State {
    var connections: [ObjectIdentifier: RealtimeConnection] = [:]
    var byUser: [String: Set<ObjectIdentifier>] = [:]
    var isClosed = false
    /// Looks for tokens that have expired, while anybody is connected.
    var clock: Task<Void, Never>?
  }

  private let state = Mutex(State())
  private let limit: Int

  /// - Parameter limit: connections, at most.
  init(limit: Int) {
    self.limit = limit
  }

  /// - Returns: `false` if there are too many.
  func add(_ connection: RealtimeConnection) -> Bool {
    state.withLock { state in
      guard !state.isClosed, state.connections.count < limit else { return false }
      state.connections[ObjectIdentifier(connection)] = connection
      if state.clock == nil {
        state.clock = Task { [weak self] in
          while (try? await Task.sleep(for: .seconds(1))) != nil, self?.expireTokens() == true {}
        }
      }
      return true
    }
  }

  func remove(_ connection: RealtimeConnection, users: Set<String>) {
    update(connection, from: users, to: [])
    state.withLock { _ = $0.connections.removeValue(forKey: ObjectIdentifier(connection)) }
  }

  /// Notes whose events a connection wants from now on.
  func update(_ connection: RealtimeConnection, from old: Set<String>, to new: Set<String>) {
    let id = ObjectIdentifier(connection)
    state.withLock { state in
      guard state.connections[id] != nil else { return }
      for user in old.subtracting(new) {
        state.byUser[user]?.remove(id)
        if state.byUser[user]?.isEmpty == true { state.byUser[user] = nil }
      }
      for user in new.subtracting(old) { state.byUser[user, default: []].insert(id) }
    }
  }

  /// Tells of rows that were stored.
  func publish(_ rows: [EventRow], userID: String, at instant: Microseconds) {
    let listeners = state.withLock { state in
      (state.byUser[userID] ?? []).compactMap { state.connections[$0] }
    }
    guard !listeners.isEmpty else { return }
    for row in rows {
      let change = RealtimeChange(row, committedAt: instant)
      for listener in listeners { listener.deliver(change) }
    }
  }

  /// Ends all connections: the server goes away.
  func close() {
    let connections = state.withLock { state in
      state.isClosed = true
      state.clock?.cancel()
      return Array(state.connections.values)
    }
    for connection in connections { connection.close(.goingAway) }
  }

  /// - Returns: whether anybody is left.
  private func expireTokens() -> Bool {
    let connections = state.withLock { state in
      if state.connections.isEmpty { state.clock = nil }
      return Array(state.connections.values)
    }
    for connection in connections { connection.expireTokens() }
    return !connections.isEmpty
  }
}

/// One new row, as it is told to listeners.
struct RealtimeChange: Sendable {
  let row: EventRow
  /// JSON.
  let data: String

  /// Rows above this many bytes are told without their large values, and then listeners have to pull.
  private static let sizeLimit = 1 << 20

  init(_ row: EventRow, committedAt instant: Microseconds) {
    self.row = row
    var columns = EventColumn.allCases
    let isTooLarge = row.payload.utf8.count + row.type.utf8.count + (row.clientID ?? "").utf8.count > Self.sizeLimit
    if isTooLarge { columns.removeAll { row.json($0).utf8.count > 64 } }
    let types = EventColumn.allCases.map { #"{"name":"\#($0.rawValue)","type":"\#($0.typeName)"}"# }
    data =
      #"{"schema":"public","table":"events","type":"INSERT","commit_timestamp":"\#(instant.milliseconds)","#
      + #""columns":[\#(types.joined(separator: ","))],"record":\#(row.json(columns)),"#
      + #""errors":\#(isTooLarge ? #"["Error 413: Payload Too Large"]"# : "null")}"#
  }
}
