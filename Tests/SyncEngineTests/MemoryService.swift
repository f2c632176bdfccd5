import EventStore
import SyncEngine
import Synchronization
import TrunkModel

/// A service in memory that behaves like real databases: a row's time is when its transaction began, transactions may
/// commit late, pages are limited, and a `client_id` is unique among all users.
final class MemoryService: Sendable {
  enum Call: String, Sendable { case rows, head, insert, find, removeAll, refresh, signOut }

  /// A fault that is injected into one request.
  enum Fault: Sendable {
    /// The request never arrives.
    case lost
    /// The request is processed, but the response is lost.
    case answerLost
    /// The request is processed twice.
    case doubled
    /// An error of the server or a proxy; nothing is processed.
    case failing(ServiceFailure)
    /// The page has fewer rows than exist and were requested.
    case shortPage
    /// The rows of the page are in another order.
    case shuffled
    /// Pages are empty and the count is 0, as for another user.
    case blind
    /// Nothing is processed, and the response is an empty list.
    case empty
    /// The list ends early: this page and all after it are empty. The first has the number 0.
    case emptyFromPage(Int)
    /// The page is always the first one.
    case firstPage
    /// The server returns this count.
    case counts(Int)
  }

  struct Row: Sendable {
    let id: String
    let microseconds: Int64
    let userID: String
    let clientID: String
    let columns: JSON

    var createdAt: String { MemoryService.text(microseconds) }
  }

  /// The last used refresh token still works; an older one ends the session.
  struct Session: Sendable {
    let userID: String
    var active: String
    var parent: String?
    var old: Set<String> = []
  }

  struct State {
    var rows: [Row] = []
    var random: SeededRandom
    /// The text of all further access tokens; `nil` for the usual ones.
    var nextAccessToken: String?
    /// Server time, in microseconds since 1970.
    var time: Int64 = 1_780_000_000_000_000
    var pageLimit = 1000
    var log: [Call] = []
    var accessTokens: [String: String] = [:]
    var sessions: [Session] = []
    var tokenCount = 0
    /// The profile that is sent with new tokens.
    var profile: Profile.Values?
    /// The lifetime of access tokens, in seconds.
    var tokenLife: Int64 = 3600
    /// Whether the rows of one request share a time, as if `created_at` were the transaction's time.
    var sharesTimes = false
    var rejectsRow: @Sendable (OutgoingRow) -> Bool = { _ in false }
    var listeners: [Int: (userID: String, continuation: AsyncThrowingStream<LiveSignal, any Error>.Continuation)] = [:]
    var listenerCount = 0
  }

  let state: Mutex<State>
  let faults = Mutex<@Sendable (Call, inout SeededRandom) -> Fault?>({ _, _ in nil })
  /// Runs in the middle of requests, for tests that act at that moment.
  let gate = Mutex<(@Sendable (Call) async -> Void)?>(nil)

  init(seed: Int = 1) { state = Mutex(State(random: SeededRandom(seed: seed))) }

  // MARK: For tests

  func setFaults(_ fault: @escaping @Sendable (Call, inout SeededRandom) -> Fault?) { faults.withLock { $0 = fault } }

  func clearFaults() { setFaults { _, _ in nil } }

  /// Injects a fault into the next request of this kind.
  func failOnce(_ call: Call, _ fault: Fault) {
    let isDone = Atomic(false)
    setFaults { asked, _ in
      guard asked == call, isDone.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged
      else { return nil }
      return fault
    }
  }

  func setGate(_ body: (@Sendable (Call) async -> Void)?) { gate.withLock { $0 = body } }

  var log: [Call] {
    get { state.withLock { $0.log } }
    set { state.withLock { $0.log = newValue } }
  }

  var rows: [Row] { state.withLock { $0.rows } }

  func configure(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

  func advance(seconds: Int64) { state.withLock { $0.time += seconds * 1_000_000 } }

  /// Returns a new session, as a sign-in does.
  func grant(_ userID: String) -> Grant {
    state.withLock { state in
      state.tokenCount += 1
      state.sessions.append(Session(userID: userID, active: "refresh-\(state.tokenCount)"))
      return MemoryService.grant(state.sessions.count - 1, &state)
    }
  }

  func expireAccessTokens() { state.withLock { $0.accessTokens = [:] } }

  func endSessions() { state.withLock { ($0.accessTokens, $0.sessions) = ([:], []) } }

  /// Inserts rows of another client in one transaction; all rows have the same time.
  /// - Parameter microseconds: when the transaction began; `nil` for now.
  @discardableResult
  func write(_ events: [Event], userID: String, began microseconds: Int64? = nil) -> [Receipt] {
    commit(events.map { OutgoingRow($0) }, userID: userID, began: microseconds)
  }

  /// Removes rows without notifying clients.
  func remove(_ isGone: (Row) -> Bool) { state.withLock { $0.rows.removeAll(where: isGone) } }

  var time: Int64 { state.withLock { $0.time } }

  static func text(_ microseconds: Int64) -> String {
    let seconds = Instant(milliseconds: microseconds / 1_000_000 * 1000).description.dropLast(5)
    var fraction = String(microseconds % 1_000_000 + 1_000_000).dropFirst()
    while fraction.last == "0" { fraction = fraction.dropLast() }
    return seconds + (fraction.isEmpty ? "" : ".") + fraction + "+00:00"
  }
}

// MARK: - Events

extension MemoryService: EventService {
  func rows(after position: Cursor?, limit: Int, token: AccessToken) async throws(ServiceFailure) -> [ServerRow] {
    try await request(.rows, token) { state, userID, fault in
      var rows = state.rows.filter { $0.userID == userID }
      rows.sort { ($0.microseconds, $0.id) < ($1.microseconds, $1.id) }
      let own = rows.count
      let isFirst = if case .firstPage = fault { true } else { false }
      if let position, !isFirst {
        let time = Int64(Self.microseconds(position.createdAt))
        rows.removeAll {
          position.id.isEmpty ? $0.microseconds < time : ($0.microseconds, $0.id) <= (time, position.id)
        }
      }
      var page = Array(rows.prefix(min(limit, state.pageLimit)))
      switch fault {
      case .shortPage: page = Array(page.prefix(1 + state.random.next(below: max(page.count, 1))))
      case .shuffled: page.shuffle(using: &state.random)
      case .blind, .empty: page = []
      case .emptyFromPage(let number) where own - rows.count >= number * state.pageLimit: page = []
      default: break
      }
      return page.compactMap { ServerRow($0.columns) }
    }
  }

  func head(token: AccessToken) async throws(ServiceFailure) -> TableHead {
    try await request(.head, token) { state, userID, fault in
      let time = Instant(milliseconds: state.time / 1000)
      if case .blind = fault { return TableHead(count: 0, latest: nil, serverTime: time) }
      let own = state.rows.filter { $0.userID == userID }
      let count = if case .counts(let count) = fault { count } else { own.count }
      return TableHead(
        count: count, latest: own.map(\.microseconds).max().map { Self.text($0) }, serverTime: time)
    }
  }

  func insert(_ rows: [OutgoingRow], token: AccessToken) async throws(ServiceFailure) -> [Receipt] {
    let result = try await request(.insert, token) { state, userID, fault -> Result<[Receipt], ServiceFailure> in
      if case .empty = fault { return .success([]) }
      if rows.contains(where: state.rejectsRow) {
        return .failure(.rejected(status: 400, code: "22P05", message: "unsupported Unicode"))
      }
      return .success(Self.insert(rows, userID: userID, began: nil, sharesTimes: state.sharesTimes, &state))
    }
    return try result.get()
  }

  func insertNew(_ row: OutgoingRow, token: AccessToken) async throws(ServiceFailure) -> Receipt? {
    let result = try await request(.insert, token) { state, userID, fault -> Result<Receipt?, ServiceFailure> in
      if case .empty = fault { return .failure(.unintelligible(detail: "[]")) }
      return .success(Self.insert([row], userID: userID, began: nil, sharesTimes: state.sharesTimes, &state).first)
    }
    return try result.get()
  }

  func find(clientIDs: [String], token: AccessToken) async throws(ServiceFailure) -> [Receipt] {
    try await request(.find, token) { state, userID, fault in
      if case .empty = fault { return [] }
      return state.rows.filter { $0.userID == userID && clientIDs.contains($0.clientID) }.map {
        Receipt(clientID: $0.clientID, id: $0.id, createdAt: $0.createdAt)
      }
    }
  }

  func removeAll(token: AccessToken) async throws(ServiceFailure) {
    try await request(.removeAll, token) { state, userID, _ in state.rows.removeAll { $0.userID == userID } }
  }

  private func commit(_ rows: [OutgoingRow], userID: String, began: Int64?) -> [Receipt] {
    state.withLock { Self.insert(rows, userID: userID, began: began, sharesTimes: true, &$0) }
  }

  private static func insert(
    _ rows: [OutgoingRow], userID: String, began: Int64?, sharesTimes: Bool, _ state: inout State
  ) -> [Receipt] {
    state.time += Int64(1 + state.random.next(below: 2_000_000))
    var time = began ?? state.time
    var taken = Set(state.rows.map(\.clientID))
    var receipts: [Receipt] = []
    for row in rows where taken.insert(row.clientID).inserted {
      if !sharesTimes { time += 1 }
      let id = RandomUUID.text(using: &state.random)
      guard case .object(let columns) = row.json(userID: nil) else { continue }
      // Reorders members as jsonb does.
      let members = columns.map { member in
        member.name == JSONString("payload")
          ? JSON.Member("payload", (try? JSON(member.value.canonicalText)) ?? .null) : member
      }
      let stored = Row(
        id: id, microseconds: time, userID: userID, clientID: row.clientID,
        columns: .object([.init("id", .string(id)), .init("created_at", .string(text(time)))] + members))
      state.rows.append(stored)
      receipts.append(Receipt(clientID: row.clientID, id: id, createdAt: text(time)))
      for listener in state.listeners.values where listener.userID == userID {
        if let row = ServerRow(stored.columns) { listener.continuation.yield(.row(row)) }
      }
    }
    if began == nil { state.time = max(state.time, time) }
    return receipts
  }

  private static func microseconds(_ text: String) -> Int64 {
    let milliseconds = Instant(text)?.milliseconds ?? .max / 1000
    let fraction = text.split(separator: ".").dropFirst().first?.prefix { $0.isNumber } ?? ""
    let rest = Int64((fraction.dropFirst(3) + "000").prefix(3)) ?? 0
    return milliseconds * 1000 + rest
  }

  func request<Value: Sendable>(
    _ call: Call, _ token: AccessToken, _ body: @Sendable (inout State, String, Fault?) -> Value
  ) async throws(ServiceFailure) -> Value {
    let fault = faults.withLock { faults in state.withLock { faults(call, &$0.random) } }
    await gate.withLock { $0 }?(call)
    if case .failing(let failure) = fault {
      state.withLock { $0.log.append(call) }
      throw failure
    }
    let value = state.withLock { state -> Value? in
      state.log.append(call)
      if case .lost = fault { return nil }
      guard let userID = state.accessTokens[token.text] else { return nil }
      let value = body(&state, userID, fault)
      if case .doubled = fault { return body(&state, userID, nil) }
      return value
    }
    switch fault {
    case .lost: throw .unreachable(detail: "lost")
    case .answerLost: throw .unreachable(detail: "answer lost")
    default: break
    }
    guard let value else { throw .unauthorized(code: "PGRST303") }
    return value
  }
}
