import Foundation
import Garden
import Storage
import Synchronization
import Testing

@testable import TrunkServer

/// The database of the server, without a process around it.
@Suite(.timeLimit(.minutes(5))) struct StoreTests {
  private static let me = "00000000-0000-4000-8000-000000000001"
  private static let other = "00000000-0000-4000-8000-000000000002"
  private static let endOfTime = Microseconds("9999-12-31T23:59:59.999999Z") ?? Microseconds(0)
  private static let counting = """
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers) SELECT count(*) FROM numbers
    """

  private let folder = Folder()

  private final class Folder: Sendable {
    let path = NSTemporaryDirectory() + "trunk-store-" + UUID().uuidString

    // Best effort: the system clears its folder for temporary files.
    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  private final class Order: Sendable {
    private let list = Mutex<[String]>([])

    var names: [String] { list.withLock { $0 } }

    func add(_ name: String) { list.withLock { $0.append(name) } }
  }

  /// A database of the first version, with two accounts.
  private func oldDatabase() throws -> Database {
    try PrivateFiles.makeFolder(folder.path)
    let path = folder.path + "/" + ServerStore.fileName
    try PrivateFiles.makeFile(path)
    let database = try Database(path: path, mode: .readWrite, busyTimeout: 10_000)
    try database.migrate(Array(ServerSchema.migrations.prefix(1)))
    for (id, email) in [(Self.me, "me@example.org"), (Self.other, "other@example.org")] {
      try database.execute(
        "INSERT INTO users VALUES (?, ?, '{}', 1, 1, 1)", .text(id), .text(email))
    }
    return database
  }

  private func insert(_ clientID: String, _ userID: String, at instant: Int64, _ database: Database) throws {
    try database.execute(
      "INSERT INTO events VALUES (?, ?, 't', '{}', ?, NULL, ?)", .text(Secrets.uuid()), .text(userID), .text(clientID),
      .integer(instant))
  }

  private func table(_ store: ServerStore) -> EventTable {
    EventTable(store: store, quota: .init(rows: 100, bytes: 1 << 20), now: { .now }, inserted: { _, _ in })
  }

  private func newRow(_ clientID: String, bytes: Int = 2) -> EventTable.NewRow {
    var row = EventTable.NewRow()
    (row.type, row.clientID) = ("t", clientID)
    row.payload = "\"" + String(repeating: "x", count: bytes) + "\""
    return row
  }

  @Test func rowsOfTheFutureAreRepaired() async throws {
    let now = Microseconds.now.value
    let old = try oldDatabase()
    for (clientID, userID, instant) in [
      ("a", Self.me, now - 3000), ("b", Self.other, now - 2000), ("forged", Self.other, Self.endOfTime.value),
      ("c", Self.me, now - 1000), ("d", Self.me, Self.endOfTime.value + 1), ("e", Self.me, Self.endOfTime.value + 2),
    ] { try insert(clientID, userID, at: instant, old) }
    let store = try ServerStore(folder: folder.path)
    let rows = try await store.reader.read { database in
      try database.all("SELECT client_id, created_at FROM events ORDER BY created_at") {
        ($0.text(0), $0.integer(1) - now)
      }
    }
    #expect(rows.map(\.0) == ["a", "b", "c", "forged", "d", "e"])
    #expect(rows.map(\.1) == [-3000, -2000, -1000, -999, -998, -997])

    let table = table(store)
    let stored = try await table.insert([newRow("f"), newRow("g")], userID: Self.me, conflict: .fails)
    #expect(stored[0].createdAt.value >= now && stored[1].createdAt > stored[0].createdAt)
    // A reader that saw a row of the future goes on with the repaired ones; the others stay where they are.
    #expect(table.cursor(Self.endOfTime) == Microseconds(now - 1000))
    #expect(table.cursor(Microseconds(now)) == Microseconds(now))
    let query = try RestQuery(
      Request(
        method: "GET", path: "", query: "created_at=gt.\(Self.endOfTime.rfc3339)", headers: [:], body: [], peer: ""),
      cursor: table.cursor)
    let page = try await table.page(userID: Self.me, filter: .all(query.filters), order: " ORDER BY seq", limit: nil)
    let missed = try await table.rows(of: page, part: 0) { $0.clientID ?? "" }
    #expect(missed == ["d", "e", "f", "g"])
  }

  @Test func rowsAreNotRepairedWhenTheClockIsWrong() async throws {
    let old = try oldDatabase()
    let later = Microseconds.now.value + 400 * 86_400 * 1_000_000
    // Only the server writes this: it has seen that time.
    try old.execute("UPDATE users SET last_sign_in_at = ?", .integer(later))
    try insert("a", Self.me, at: later + 1000, old)
    let store = try ServerStore(folder: folder.path)
    #expect(store.resumedAt == nil)
    #expect(store.newest == Microseconds(later + 1000))
    let stored = try await table(store).insert([newRow("b")], userID: Self.me, conflict: .fails)
    #expect(stored[0].createdAt == Microseconds(later + 1001))
  }

  @Test func anOldDatabaseGetsClientIDsPerAccount() async throws {
    let old = try oldDatabase()
    try insert("a", Self.me, at: 1, old)
    let table = table(try ServerStore(folder: folder.path))
    #expect(try await table.insert([newRow("a")], userID: Self.other, conflict: .skipsClientID).count == 1)
    #expect(try await table.insert([newRow("a")], userID: Self.me, conflict: .skipsClientID).isEmpty)
    #expect(try await table.count(userID: Self.me, filter: nil) == 1)
    let usage = try await table.store.reader.read { database in
      try database.all("SELECT row_count, bytes FROM usage ORDER BY user_id") { [$0.integer(0), $0.integer(1)] }
    }
    #expect(usage == [[1, 204], [1, 206]])
  }

  @Test func aQueryEndsWhenItsTimeIsOverOrItsTaskIsCancelled() async throws {
    _ = try oldDatabase()
    let short = try ServerStore(folder: folder.path, queryTime: .milliseconds(50))
    await #expect(throws: RestError.timeout) {
      try await short.queries.read(account: Self.me) { try $0.integer(Self.counting) }
    }
    #expect(try await short.queries.read(account: Self.me) { try $0.integer("SELECT 7") } == 7)

    let long = try ServerStore(folder: folder.path, queryTime: .seconds(3600))
    let (starts, start) = AsyncStream<Void>.makeStream()
    let query = Task {
      try await long.queries.read(account: Self.me) { database in
        start.yield()
        return try database.integer(Self.counting)
      }
    }
    for await _ in starts { break }
    query.cancel()
    await #expect(throws: RestError.timeout) { try await query.value }
  }

  @Test func slowQueriesOfOneAccountLeaveConnectionsToOthers() async throws {
    _ = try oldDatabase()
    let store = try ServerStore(folder: folder.path, queryTime: .seconds(3600))
    let slow = (0..<8).map { _ in
      Task { try await store.queries.read(account: Self.me) { try $0.integer(Self.counting) } }
    }
    #expect(try await store.queries.read(account: Self.other) { try $0.integer("SELECT 7") } == 7)
    for query in slow { query.cancel() }
    for query in slow { await #expect(throws: RestError.timeout) { try await query.value } }
  }

  @Test func queriesOfOneAccountThatWaitAreLimited() async throws {
    _ = try oldDatabase()
    let store = try ServerStore(folder: folder.path, queryTime: .seconds(3600))
    let refused = await withTaskGroup(of: RestError?.self) { group in
      for _ in 0..<80 {
        group.addTask {
          do {
            _ = try await store.queries.read(account: Self.me) { try $0.integer(Self.counting) }
            return nil
          } catch {
            return error as? RestError
          }
        }
      }
      // One runs and 64 wait, so the first of those that end were refused.
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
    #expect(refused == .noConnection)
  }

  @Test func anAccountSharesTransactionsWithOthers() async throws {
    _ = try oldDatabase()
    let store = try ServerStore(folder: folder.path)
    let order = Order()
    let (starts, start) = AsyncStream<Void>.makeStream()
    let go = DispatchSemaphore(value: 0)
    async let first: Void = store.commits.commit { _ in
      start.yield()
      go.wait()
    }
    for await _ in starts { break }
    // All of this waits for the first transaction.
    let work =
      (0..<4).map { index in
        (CommitQueue.Share(account: "busy", bytes: 200 << 10), "busy \(index)")
      } + [(CommitQueue.Share(account: "quiet", bytes: 100), "quiet")]
    let tasks = work.map { share, name in
      Task {
        try await store.commits.commit(share) { _ in
        } committed: { _ in
          order.add(name)
        }
      }
    }
    while store.commits.waitingCount < work.count { await Task.yield() }
    go.signal()
    try await first
    for task in tasks { try await task.value }
    let quiet = try #require(order.names.firstIndex(of: "quiet"))
    #expect(quiet <= 1, "\(order.names)")
  }

  @Test func aFullDiskIsToldToTheClient() async throws {
    _ = try oldDatabase()
    let store = try ServerStore(folder: folder.path)
    var configuration = ServerConfiguration(folder: folder.path, delivery: PrintedCodes())
    configuration.limitsRates = false
    let secret = [UInt8](repeating: 7, count: 32)
    let service = Service(store: store, hub: RealtimeHub(limit: 1), secret: secret, configuration: configuration)
    let user = User(id: Self.me, email: "me@example.org", metadata: .object([]), at: .now)
    let token = AccessToken.sign(user: user, sessionID: "s", issuedAt: .now, life: 60, secret: secret)
    let row = #"{"user_id":"\#(Self.me)","type":"t","payload":{"t":"\#(String(repeating: "x", count: 200_000))"}}"#
    let request = Request(
      method: "POST", path: "/rest/v1/events", query: "",
      headers: ["apikey": "trunk", "authorization": "Bearer " + token], body: Array(row.utf8), peer: "127.0.0.1")
    #expect(await service.answer(request).status == 201)
    try await store.commits.alone { database in
      let pages = try database.integer("PRAGMA page_count")
      try database.run("PRAGMA max_page_count = \(pages + 2)")
    }
    let answer = await service.answer(request)
    #expect(answer.status == 503)
    #expect(try JSON(answer.body)["code"]?.text == "53100")
    try await store.commits.alone { try $0.run("PRAGMA max_page_count = 1073741823") }
    #expect(await service.answer(request).status == 201)
  }
}
