import Dispatch
import Foundation
import SQLiteKit
import Synchronization
import TemporaryFolders
import TestSupport
import Testing
import TrunkModel

@testable import TrunkServer

/// Accounts and clients that compete for the connections of one database.
@Suite final class ReaderPoolTests {
  private static let endless = """
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers) SELECT count(*) FROM numbers
    """
  private static let neighbour = Requester(account: "neighbour", client: "192.0.2.1")
  private static let secret = [UInt8](repeating: 7, count: 32)

  private let temporary = TemporaryFolder("trunk-readers")
  private var folder: String { temporary.path }

  private func attacker(_ number: Int, client: Int = 0) -> Requester {
    Requester(account: "attacker \(number)", client: "203.0.113.\(client)")
  }

  @Test(arguments: [1, 12]) func longQueriesOfManyAccountsLeaveConnectionsToOthers(clients: Int) async throws {
    let store = try ServerStore(folder: folder, queryTime: .seconds(3600))
    try await withThrowingTaskGroup(of: RestError?.self) { group in
      for number in 0..<12 {
        let attacker = attacker(number, client: number % clients)
        group.addTask {
          do {
            _ = try await store.queries.read(attacker) { try $0.integer(Self.endless) }
            return nil
          } catch { return error as? RestError }
        }
      }
      try await until { store.queries.waitingCount >= 8 }
      for _ in 0..<100 {
        #expect(try await store.queries.read(Self.neighbour) { try $0.integer("SELECT 7") } == 7)
      }
      group.cancelAll()
      for try await error in group { #expect(error == .timeout) }
    }
  }

  @Test func oneClientCannotOccupyAllConnections() async throws {
    let store = try ServerStore(folder: folder)
    let gate = DispatchSemaphore(value: 0)
    let (starts, start) = AsyncStream<Void>.makeStream()
    let attack = (0..<6).map { number in
      Task { [attacker = attacker(number)] in
        try await store.queries.read(attacker) { _ in
          start.yield()
          gate.wait()
        }
      }
    }
    for await _ in starts { break }
    try await until { store.queries.waitingCount >= 5 }
    #expect(try await store.queries.read(Self.neighbour) { try $0.integer("SELECT 7") } == 7)
    for _ in attack { gate.signal() }
    for task in attack { try await task.value }
  }

  @Test func aLongQueryWaitsOnlyForTheRunningOneOfAnotherClient() async throws {
    let store = try ServerStore(folder: folder, queryTime: .seconds(1))
    let order = LineLog()
    func task(_ requester: Requester) -> Task<Void, Never> {
      Task {
        await #expect(throws: RestError.timeout) {
          try await store.queries.read(requester) { try $0.integer(Self.endless) }
        }
        order.add(requester.account)
      }
    }
    let attack = (0..<6).map { task(attacker($0)) }
    try await until { store.queries.waitingCount >= 5 }
    await task(Self.neighbour).value
    // Usually the neighbour's query is the second or third to end. On a busy computer, another long query can end
    // before the neighbour's is known to be long. In the order of arrival, the neighbour's would be the last of seven.
    #expect(order.all.count <= 5, "\(order.all)")
    for task in attack { await task.value }
  }

  @Test func aCancelledQueryGivesUpItsPlace() async throws {
    let store = try ServerStore(folder: folder, queryTime: .seconds(3600))
    let (starts, start) = AsyncStream<Void>.makeStream()
    var events = starts.makeAsyncIterator()
    func endless(_ requester: Requester) -> Task<Int64, any Error> {
      Task {
        try await store.queries.read(requester) { database in
          start.yield()
          return try database.integer(Self.endless)
        }
      }
    }
    let running = endless(attacker(0))
    // First as a short query, then as a long one.
    await events.next()
    await events.next()
    let waiting = endless(Self.neighbour)
    await events.next()
    try await until { store.queries.waitingCount > 0 }
    waiting.cancel()
    await #expect(throws: RestError.timeout) { try await waiting.value }
    #expect(store.queries.waitingCount == 0)
    running.cancel()
    await #expect(throws: RestError.timeout) { try await running.value }
  }

  @Test func longQueriesDoNotMakeTheWriteAheadLogGrow() async throws {
    let limit: Int64 = 8 << 20
    // The first query runs until it is cancelled, so that SQLite has no opportunity to restart the log.
    let store = try ServerStore(folder: folder, queryTime: .seconds(3600), logLimit: limit)
    try await fill(Self.neighbour.account, rows: 1, store)
    let attack = (0..<2).map { number in
      Task { [attacker = attacker(number)] in
        _ = await #expect(throws: RestError.timeout) {
          try await store.queries.read(attacker) { try $0.integer("SELECT count(*) FROM events, (\(Self.endless))") }
        }
      }
    }
    try await until { store.queries.waitingCount > 0 }
    var largest: Int64 = 0
    for index in 0..<40 {
      // SQLite doesn't write pages that stay the same.
      let payload = String(repeating: index.isMultiple(of: 2) ? "x" : "y", count: 1 << 20)
      try await store.commits.commit { try $0.execute("UPDATE events SET payload = ?", .text(payload)) }
      largest = max(largest, PrivateFiles.size(of: folder + "/" + ServerStore.fileName + "-wal"))
    }
    #expect(largest < 2 * limit, "\(largest)")
    for task in attack { task.cancel() }
    for task in attack { await task.value }
  }

  @Test func committedPagesMoveIntoTheDatabaseFile() async throws {
    let store = try ServerStore(folder: folder)
    try await fill(Self.neighbour.account, rows: 1, store)
    for number in 0..<5 {
      // SQLite doesn't write a page again that stays the same.
      let payload = String(repeating: "\(number)", count: 1 << 20)
      try await store.commits.commit { try $0.execute("UPDATE events SET payload = ?", .text(payload)) }
    }
    let path = folder + "/" + ServerStore.fileName
    try await until { PrivateFiles.size(of: path) > 1 << 20 }
  }

  /// Several accounts with many rows send queries that compare all rows with many values, one after the other, so that
  /// the queue is never empty.
  @Test func aClientIsAnsweredBeforeTheWaitingQueriesOfAnother() async throws {
    let store = try ServerStore(folder: folder)
    let attackers = (0..<12).map { _ in RandomUUID.text() }
    let neighbour = RandomUUID.text()
    for account in attackers + [neighbour] { try await fill(account, rows: account == neighbour ? 10 : 20_000, store) }
    var configuration = ServerConfiguration(folder: folder, delivery: PrintedCodes())
    configuration.limitsRates = false
    let service = Service(
      store: store, hub: RealtimeHub(limit: 1), secret: Self.secret, configuration: configuration)
    let (answered, conditions) = (LineLog(), (0..<49).map { "client_timestamp=neq.\($0)" }.joined(separator: "&"))
    let attack = attackers.map { account in
      let request = request(account, "order=client_timestamp.desc,type&select=id&" + conditions, peer: "203.0.113.7")
      return Task {
        while !Task.isCancelled {
          _ = await service.answer(request)
          answered.add(account)
        }
      }
    }
    try await until { store.queries.waitingCount >= 9 }
    let before = answered.all.count
    #expect(await service.answer(request(neighbour, "select=id&limit=1", peer: "192.0.2.1")).status == 200)
    // In the order of arrival, at least nine queries would end first. The running ones may still end first, and on a
    // busy computer a few more, before this task continues.
    #expect(answered.all.count - before < 6)
    for task in attack { task.cancel() }
    for task in attack { await task.value }
  }

  private func fill(_ account: String, rows: Int, _ store: ServerStore) async throws {
    try await store.commits.exclusively { database in
      try database.execute(
        "INSERT INTO users VALUES (?, ?, '{}', 1, 1, 1)", .text(account), .text(account + "@example.org"))
      try database.execute(
        """
        WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
        INSERT INTO events (id, user_id, type, payload, client_id, client_timestamp, created_at)
        SELECT lower(hex(randomblob(16))), ?, 't', '{}', n, 'x' || n, n FROM numbers
        """, .integer(rows), .text(account))
    }
  }

  private func request(_ account: String, _ query: String, peer: String) -> Request {
    let user = User(id: account, email: "me@example.org", metadata: .object([]), at: .now)
    let token = VerifiedToken.sign(user: user, sessionID: "s", issuedAt: .now, life: 60, secret: Self.secret)
    return Request(
      method: "GET", path: "/rest/v1/events", query: query,
      headers: ["apikey": "trunk", "authorization": "Bearer " + token], body: [], peer: peer)
  }
}
