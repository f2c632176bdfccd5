import Foundation
import SQLiteKit
import Synchronization
import TemporaryFolders
import TestSupport
import Testing
import TrunkModel

@testable import TrunkServer

/// Tests the server's database without a server process.
@Suite struct StoreTests {
  private static let me = "00000000-0000-4000-8000-000000000001"
  private static let other = "00000000-0000-4000-8000-000000000002"
  private static let endOfTime = Microseconds("9999-12-31T23:59:59.999999Z") ?? Microseconds(0)
  private static let counting = """
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers) SELECT count(*) FROM numbers
    """

  private static let secret = [UInt8](repeating: 7, count: 32)

  private let folder = TemporaryFolder("trunk-store")

  /// A database of the first schema version, with two accounts.
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
      "INSERT INTO events VALUES (?, ?, 't', '{}', ?, NULL, ?)", .text(RandomUUID.text()), .text(userID),
      .text(clientID),
      .integer(instant))
  }

  private func table(_ store: ServerStore) -> EventTable {
    let space = SpaceLimit(databaseLimit: nil) { DiskSpace(free: 1 << 40, total: 1 << 40) }
    return EventTable(
      store: store, budget: Budget(), quota: .init(rows: 100, bytes: 1 << 20), space: space, now: { .now },
      inserted: { _, _ in })
  }

  private func requester(_ account: String) -> Requester {
    Requester(account: account, client: "203.0.113.7")
  }

  private func newRow(_ clientID: String, bytes: Int = 2) -> EventTable.NewRow {
    var row = EventTable.NewRow()
    (row.type, row.clientID) = ("t", clientID)
    row.payload = "\"" + String(repeating: "x", count: bytes) + "\""
    return row
  }

  @Test func futureInstantsAreRepaired() async throws {
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
    // A reader that saw a future instant continues at the repaired rows. Other readers keep their position.
    #expect(table.cursor(Self.endOfTime) == Microseconds(now - 1000))
    #expect(table.cursor(Microseconds(now)) == Microseconds(now))
    let query = try RestQuery(
      Request(
        method: "GET", path: "", query: "created_at=gt.\(Self.endOfTime.rfc3339)", headers: [:], body: [], peer: ""),
      cursor: table.cursor)
    let missed = try await table.page(
      requester(Self.me), filter: .all(query.filters), order: " ORDER BY seq", limit: nil
    ) { $0.clientID ?? "" }.first
    #expect(missed == ["d", "e", "f", "g"])
  }

  @Test func rowsAreNotRepairedWhenTheClockIsWrong() async throws {
    let old = try oldDatabase()
    let later = Microseconds.now.value + 400 * 86_400 * 1_000_000
    // Only the server writes this value, so that time has been reached.
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
    #expect(try await table.count(requester(Self.me), filter: nil) == 1)
    let usage = try await table.store.reader.read { database in
      try database.all("SELECT row_count, bytes FROM usage ORDER BY user_id") { [$0.integer(0), $0.integer(1)] }
    }
    #expect(usage == [[1, 204], [1, 206]])
  }

  /// The next start would not find what is written to a file that is no longer at its path.
  @Test func nothingIsStoredInAFileThatWasMoved() async throws {
    _ = try oldDatabase()
    let path = folder.path + "/" + ServerStore.fileName
    let service = service(try ServerStore(folder: folder.path))
    #expect(await service.answer(insertion("a", bytes: 2)).status == 201)
    #expect(rename(path, path + ".moved") == 0)
    #expect(await service.answer(insertion("b", bytes: 2)).status == 500)
    try Data().write(to: URL(fileURLWithPath: path))
    #expect(await service.answer(insertion("b", bytes: 2)).status == 500, "another file is at its path")
    #expect(rename(path + ".moved", path) == 0)
    #expect(await service.answer(insertion("b", bytes: 2)).status == 201)
  }

  /// SQLite would delete the log.
  @Test func theLogOfAMissingDatabaseIsKept() async throws {
    _ = try oldDatabase()
    let path = folder.path + "/" + ServerStore.fileName
    let store = try ServerStore(folder: folder.path)
    #expect(await service(store).answer(insertion("a", bytes: 2)).status == 201)
    // Closing moves the log into the database and empties it, which a power failure would not.
    let (log, kept) = (path + "-wal", path + ".kept")
    try FileManager.default.copyItem(atPath: log, toPath: kept)
    #expect(rename(path, path + ".moved") == 0)
    try await store.close()
    #expect(rename(kept, log) == 0)
    #expect(throws: ServerProblem.self) { try ServerStore(folder: folder.path) }
    #expect(rename(path + ".moved", path) == 0)
    #expect(try await table(try ServerStore(folder: folder.path)).count(requester(Self.me), filter: nil) == 1)
  }

  @Test func queriesEndAtTheirTimeLimitOrWhenCancelled() async throws {
    _ = try oldDatabase()
    let short = try ServerStore(folder: folder.path, queryTime: .milliseconds(50))
    await #expect(throws: RestError.timeout) {
      try await short.queries.read(requester(Self.me)) { try $0.integer(Self.counting) }
    }
    #expect(try await short.queries.read(requester(Self.me)) { try $0.integer("SELECT 7") } == 7)

    let long = try ServerStore(folder: folder.path, queryTime: .seconds(3600))
    let (starts, start) = AsyncStream<Void>.makeStream()
    let query = Task {
      try await long.queries.read(requester(Self.me)) { database in
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
    try await withThrowingTaskGroup(of: RestError?.self) { group in
      for _ in 0..<80 {
        group.addTask {
          do {
            _ = try await store.queries.read(requester(Self.me)) { try $0.integer(Self.counting) }
            return nil
          } catch {
            return error as? RestError
          }
        }
      }
      // The first to end was rejected because too many others already wait.
      #expect(try await group.next() == .some(.noConnection))
      #expect(try await store.queries.read(requester(Self.other)) { try $0.integer("SELECT 7") } == 7)
      group.cancelAll()
      for try await error in group { #expect(error == .timeout || error == .noConnection) }
    }
  }

  @Test func waitingQueriesPerAccountAreLimited() async throws {
    _ = try oldDatabase()
    let store = try ServerStore(folder: folder.path, queryTime: .seconds(3600))
    let rejected = await withTaskGroup(of: RestError?.self) { group in
      for _ in 0..<80 {
        group.addTask {
          do {
            _ = try await store.queries.read(requester(Self.me)) { try $0.integer(Self.counting) }
            return nil
          } catch {
            return error as? RestError
          }
        }
      }
      // 64 wait or run, so the first to end are those that were rejected.
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
    #expect(rejected == .noConnection)
  }

  @Test func anAccountSharesTransactionsWithOthers() async throws {
    _ = try oldDatabase()
    let store = try ServerStore(folder: folder.path)
    let order = LineLog()
    let first = await BlockingWork { work in try await store.commits.commit { _ in work() } }
    // All of this work waits for the first transaction.
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
    try await until { store.commits.waitingCount >= work.count }
    try await first.end()
    for task in tasks { try await task.value }
    let quiet = try #require(order.all.firstIndex(of: "quiet"))
    #expect(quiet <= 1, "\(order.all)")
  }

  @Test func manySmallRowsAreALargeShareOfATransaction() async throws {
    _ = try oldDatabase()
    let store = try ServerStore(folder: folder.path)
    let order = LineLog()
    let table = EventTable(
      store: store, budget: Budget(), quota: .init(rows: 10_000, bytes: 1 << 30),
      space: SpaceLimit(databaseLimit: nil) { DiskSpace(free: 1 << 40, total: 1 << 40) }, now: { .now },
      inserted: { user, _ in order.add(user) })
    let first = await BlockingWork { work in try await store.commits.commit { _ in work() } }
    var tasks: [Task<Int, any Error>] = []
    for index in 0..<5 {
      let rows = (0..<(index < 4 ? 1000 : 1)).map { newRow("\(index)-\($0)") }
      tasks.append(
        Task { try await table.insert(rows, userID: index < 4 ? Self.me : Self.other, conflict: .fails).count })
      try await until { store.commits.waitingCount > index }
    }
    try await first.end()
    for task in tasks { #expect(try await task.value > 0) }
    let other = try #require(order.all.firstIndex(of: Self.other))
    #expect(other <= 1, "\(order.all)")
  }

  @Test func aClosingStoreFinishesItsWorkAndRejectsMore() async throws {
    let store = try ServerStore(folder: folder.path)
    let order = LineLog()
    let first = await BlockingWork { work in try await store.commits.commit { _ in work() } }
    let accepted = Task { try await store.commits.commit { _ in 7 } }
    try await until { store.commits.waitingCount == 1 }
    let closing = Task { try await store.close() }
    try await until { store.commits.isClosing }
    let late = Task {
      do {
        try await store.commits.commit { _ in }
      } catch is StoreClosed {
        order.add("refused")
      }
    }
    try await until { store.commits.waitingCount == 2 || !order.all.isEmpty }
    #expect(order.all == ["refused"])
    try await first.end()
    #expect(try await accepted.value == 7)
    try await closing.value
    _ = await late.result
  }

  @Test(arguments: [
    ("GET", "/rest/v1/events"), ("POST", "/rest/v1/events"), ("GET", "/api/sync/status"), ("POST", "/auth/v1/otp"),
  ])
  func requestsToAClosedStoreGetATemporaryError(method: String, path: String) async throws {
    let store = try ServerStore(folder: folder.path)
    let service = Service(
      store: store, hub: RealtimeHub(limit: 1), secret: Self.secret,
      configuration: ServerConfiguration(folder: folder.path, delivery: PrintedCodes()))
    try await store.close()
    let user = User(id: Self.me, email: "me@example.org", metadata: .object([]), at: .now)
    let token = VerifiedToken.sign(user: user, sessionID: "s", issuedAt: .now, life: 60, secret: Self.secret)
    let body =
      path == "/auth/v1/otp"
      ? #"{"email": "me@example.org"}"# : #"{"user_id": "\#(Self.me)", "type": "t", "payload": {}}"#
    let request = Request(
      method: method, path: path, query: "", headers: ["apikey": "trunk", "authorization": "Bearer " + token],
      body: Array(body.utf8), peer: "203.0.113.7")
    let answer = await service.answer(request)
    #expect(answer.status == 503)
    #expect(answer.body.contains("57P01"))
  }

  /// Its metadata can be large.
  @Test(arguments: ["/auth/v1/user", "/api/auth/profile"])
  func readingTheAccountWaitsForItsTurn(path: String) async throws {
    let store = try ServerStore(folder: folder.path)
    let service = Service(
      store: store, hub: RealtimeHub(limit: 1), secret: Self.secret,
      configuration: ServerConfiguration(folder: folder.path, delivery: PrintedCodes()))
    let first = await BlockingWork { work in try await store.queries.read(requester(Self.me)) { _ in work() } }
    let user = User(id: Self.me, email: "me@example.org", metadata: .object([]), at: .now)
    let token = VerifiedToken.sign(user: user, sessionID: "s", issuedAt: .now, life: 60, secret: Self.secret)
    let request = Request(
      method: "GET", path: path, query: "", headers: ["apikey": "trunk", "authorization": "Bearer " + token], body: [],
      peer: "203.0.113.7")
    async let answer = service.answer(request)
    try await until { store.queries.waitingCount == 1 }
    try await first.end()
    #expect(await answer.body.contains("user_not_found"))
  }

  @Test func backupsRemoveTheOldestOnesIfTheDiskIsSmall() throws {
    _ = try ServerStore(folder: folder.path)
    let backups = folder.path + "/backups"
    try PrivateFiles.makeFolder(backups)
    let old = (1...4).map { "trunk-server-2020-01-0\($0)T000000000Z.db" }
    for name in old { try PrivateFiles.write(String(repeating: "x", count: 1 << 20), to: backups + "/" + name) }
    // The database is smaller than these files.
    let reserve = 4 * 128 << 20 as Int64
    func disk(_ free: Int64) -> (String) -> DiskSpace { { _ in DiskSpace(free: free, total: 1 << 40) } }

    #expect(throws: ServerProblem.self) {
      try ServerBackup.write(folder: folder.path, diskSpace: disk(reserve - 3 << 20))
    }
    #expect(try PrivateFiles.names(in: backups) == old, "removing all but the newest would not be enough")
    let second = try ServerBackup.write(folder: folder.path, diskSpace: disk(reserve - 3 << 19))
    #expect(
      try PrivateFiles.names(in: backups).map { backups + "/" + $0 } == old[2...].map { backups + "/" + $0 } + [second])
    try ServerBackup.write(folder: folder.path, diskSpace: disk(reserve + 1 << 20))
    #expect(try PrivateFiles.names(in: backups).count == 4, "there is enough space")
  }

  /// It was made while the clock was ahead.
  @Test func aBackupOfTheFutureDoesNotReplaceNewOnes() throws {
    _ = try ServerStore(folder: folder.path)
    let backups = folder.path + "/backups"
    try PrivateFiles.makeFolder(backups)
    try PrivateFiles.write("x", to: backups + "/trunk-server-2099-01-01T000000000Z.db")
    try ServerBackup.writeIfDue(folder: folder.path, hours: 24)
    #expect(try PrivateFiles.names(in: backups).count == 2)
    try ServerBackup.writeIfDue(folder: folder.path, hours: 24)
    #expect(try PrivateFiles.names(in: backups).count == 2)
  }

  /// The clock was ahead for some weeks.
  @Test func manyBackupsOfTheFutureDoNotDisplaceNewOnes() throws {
    _ = try ServerStore(folder: folder.path)
    let backups = folder.path + "/backups"
    try PrivateFiles.makeFolder(backups)
    for day in 10...29 { try PrivateFiles.write("x", to: backups + "/trunk-server-2099-01-\(day)T000000000Z.db") }
    let first = try ServerBackup.write(folder: folder.path)
    #expect(PrivateFiles.exists(first))
    // A small disk has space for a new one after one was removed.
    let disk = DiskSpace(free: 0, total: 100 << 20)
    #expect(throws: ServerProblem.self) { try ServerBackup.write(folder: folder.path, diskSpace: { _ in disk }) }
    #expect(PrivateFiles.exists(first))
  }

  @Test func onlyTheNewestBackupsAreKept() throws {
    _ = try ServerStore(folder: folder.path)
    let backups = folder.path + "/backups"
    try PrivateFiles.makeFolder(backups)
    let old = (10...29).map { "trunk-server-2020-01-\($0)T000000000Z.db" }
    for name in old { try PrivateFiles.write("x", to: backups + "/" + name) }
    let path = try ServerBackup.write(folder: folder.path)
    #expect(
      try PrivateFiles.names(in: backups).map { backups + "/" + $0 } == old[7...].map { backups + "/" + $0 } + [path])
  }

  @Test func backupsRemoveInterruptedOnes() throws {
    _ = try ServerStore(folder: folder.path)
    let backups = folder.path + "/backups"
    try PrivateFiles.makeFolder(backups)
    let running = try PrivateFiles.NewFile(backups + "/trunk-server-2.db.part")
    let others = backups + "/notes.part"
    try PrivateFiles.write("mine", to: others)
    for name in ["trunk-server-1.db.part", "trunk-server-1.db.part-journal"] {
      try PrivateFiles.write("half", to: backups + "/" + name)
    }
    let path = try ServerBackup.write(folder: folder.path)
    let names = try PrivateFiles.names(in: backups).map { backups + "/" + $0 }
    #expect(Set(names) == [path, running.path, others])
  }

  @Test func aDamagedCopyIsNotKept() throws {
    _ = try ServerStore(folder: folder.path)
    let database = try Database(path: folder.path + "/" + ServerStore.fileName, mode: .readWrite, busyTimeout: 0)
    // SQLite copies a row that breaks a rule of its table, and reports it when it checks the copy.
    try database.run("CREATE TABLE marks (mark)")
    try database.run("INSERT INTO marks VALUES (NULL)")
    try database.run("PRAGMA writable_schema = ON")
    try database.run("UPDATE sqlite_schema SET sql = 'CREATE TABLE marks (mark NOT NULL)' WHERE name = 'marks'")
    let problem = #expect(throws: ServerProblem.self) { try ServerBackup.write(folder: folder.path) }
    guard case .badBackup = problem else { Issue.record("\(String(describing: problem))"); return }
    #expect(try PrivateFiles.names(in: folder.path + "/backups").isEmpty)
  }

  @Test func backupsNeverFollowALink() throws {
    _ = try ServerStore(folder: folder.path)
    let (victim, path) = (folder.path + "/victim", folder.path + "/copy.db")
    try PrivateFiles.write("mine", to: victim)
    for link in [path, path + ".part"] {
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: victim)
      if link == path {
        #expect(throws: ServerProblem.self) { try ServerBackup.write(folder: folder.path, to: path) }
        try FileManager.default.removeItem(atPath: link)
      } else {
        try ServerBackup.write(folder: folder.path, to: path)
      }
      #expect(try PrivateFiles.read(victim) == Array("mine".utf8))
    }
    // A draft that another program is writing is kept.
    let draft = try PrivateFiles.NewFile(folder.path + "/other.db.part")
    #expect(throws: ServerProblem.self) {
      try ServerBackup.write(folder: folder.path, to: folder.path + "/other.db")
    }
    #expect(PrivateFiles.exists(draft.path))
  }

  private func service(
    _ store: ServerStore, databaseLimit: Int? = nil, total: Int64 = 1 << 40,
    free: @escaping @Sendable () -> Int64 = { 1 << 40 }
  ) -> Service {
    var configuration = ServerConfiguration(folder: folder.path, delivery: PrintedCodes())
    configuration.limitsRates = false
    configuration.databaseByteLimit = databaseLimit
    configuration.diskSpace = { _ in DiskSpace(free: free(), total: total) }
    return Service(store: store, hub: RealtimeHub(limit: 1), secret: Self.secret, configuration: configuration)
  }

  private func request(
    _ method: String, _ path: String, query: String = "", body: String = "", headers: [String: String] = [:]
  ) -> Request {
    let user = User(id: Self.me, email: "me@example.org", metadata: .object([]), at: .now)
    let token = VerifiedToken.sign(user: user, sessionID: "s", issuedAt: .now, life: 60, secret: Self.secret)
    return Request(
      method: method, path: path, query: query,
      headers: ["apikey": "trunk", "authorization": "Bearer " + token].merging(headers) { $1 },
      body: Array(body.utf8), peer: "127.0.0.1")
  }

  /// Rows that only name columns must be readable even if every payload is not.
  @Test func idsAreFoundWithoutReadingPayloads() async throws {
    _ = try oldDatabase()
    let store = try ServerStore(folder: folder.path)
    for name in ["a", "b"] {
      _ = try await table(store).insert([newRow(name, bytes: 200_000)], userID: Self.me, conflict: .fails)
    }
    try await store.close()
    let path = folder.path + "/" + ServerStore.fileName
    let bytes = try PrivateFiles.read(path)
    // A page of a large payload has the number of the next one, then only text.
    for page in stride(from: 0, to: bytes.count, by: 4096)
    where bytes[(page + 4)..<(page + 4096)].allSatisfy({ $0 == UInt8(ascii: "x") }) {
      try PrivateFiles.overwrite([0xff, 0xff, 0xff, 0xff], at: path, from: page)
    }
    let service = service(try ServerStore(folder: folder.path))
    #expect(await service.answer(request("GET", "/api/sync/events")).status == 500, "the payloads are damaged")
    let ids = await service.answer(request("GET", "/api/sync/ids"))
    #expect(ids.status == 200)
    #expect(try JSON(ids.body)["ids"]?.elements?.compactMap { $0["client_id"]?.text } == ["a", "b"])
    let selected = await service.answer(request("GET", "/rest/v1/events", query: "select=client_id&order=id"))
    #expect(selected.status == 200)
  }

  @Test func newEventsLeaveSpaceForDeletionsAndSignIns() async throws {
    _ = try oldDatabase()
    let free = Mutex<Int64>(1 << 40)
    let store = try ServerStore(folder: folder.path)
    let service = service(store) { free.withLock { $0 } }
    func insert(_ name: String) async -> Response {
      let payload = #"{"t":"\#(String(repeating: "x", count: 200_000))"}"#
      return await service.answer(
        request(
          "POST", "/rest/v1/events", query: "on_conflict=client_id",
          body: #"{"user_id":"\#(Self.me)","type":"t","client_id":"\#(name)","payload":\#(payload)}"#,
          headers: ["prefer": "resolution=ignore-duplicates"]))
    }
    for name in ["a", "aa", "aaa"] { #expect(await insert(name).status == 201) }
    try await store.commits.exclusively { try $0.run("PRAGMA wal_checkpoint(TRUNCATE)") }
    free.withLock { $0 = 128 << 20 - 100_000 }
    let rejected = await insert("b")
    #expect(rejected.status == 503)
    #expect(try JSON(rejected.body)["code"]?.text == "53100")
    let plain = await service.answer(
      request("POST", "/api/sync/events", body: #"{"events":[{"type":"t","client_id":"b","payload":{}}]}"#))
    #expect(plain.status == 507)
    #expect(try JSON(plain.body)["code"]?.text == "53100")
    #expect(await insert("a").status == 201, "it is stored already")
    let code = #"{"email":"new@example.org"}"#
    #expect(await service.answer(request("POST", "/api/auth/request-code", body: code)).status == 200)
    #expect(await service.answer(request("GET", "/api/sync/events")).status == 200)
    #expect(await service.answer(request("DELETE", "/api/sync/events", query: "confirm=all")).status == 200)
    // The pages of the deleted rows are used again.
    #expect(await insert("b").status == 201)
    free.withLock { $0 = 64 << 20 - 1 }
    #expect(await service.answer(request("DELETE", "/api/sync/events", query: "confirm=all")).status == 200)
    #expect(await insert("c").status == 503, "the write-ahead log needs space too")
    free.withLock { $0 = 129 << 20 }
    #expect(await insert("c").status == 201)
  }

  private func insertion(_ name: String, bytes: Int) -> Request {
    let payload = #"{"t":"\#(String(repeating: "x", count: bytes))"}"#
    return request(
      "POST", "/rest/v1/events",
      body: #"{"user_id":"\#(Self.me)","type":"t","client_id":"\#(name)","payload":\#(payload)}"#)
  }

  /// Unused pages of the database count as free space, but only for half of the tenth.
  @Test func insertionsLeaveATenthOfTheDiskFree() async throws {
    _ = try oldDatabase()
    let free = Mutex<Int64>(1 << 40)
    let store = try ServerStore(folder: folder.path)
    let service = service(store, total: 10 << 20) { free.withLock { $0 } }
    func insert(_ name: String) async -> Int { await service.answer(insertion(name, bytes: 1000)).status }
    for name in 0..<4 { #expect(await service.answer(insertion("large \(name)", bytes: 200_000)).status == 201) }
    try await store.commits.exclusively { try $0.run("PRAGMA wal_checkpoint(TRUNCATE)") }
    free.withLock { $0 = 1 << 20 - 1 }
    #expect(await insert("a") == 503)
    free.withLock { $0 = 5 << 19 - 1 }
    #expect(await insert("a") == 503, "a quarter is left to small accounts")
    free.withLock { $0 = 5 << 19 + 100_000 }
    #expect(await insert("a") == 201)
    #expect(await service.answer(request("DELETE", "/api/sync/events", query: "confirm=all")).status == 200)
    try await store.commits.exclusively { try $0.run("PRAGMA wal_checkpoint(TRUNCATE)") }
    // The deleted rows leave 800,000 bytes of unused pages.
    free.withLock { $0 = 600_000 }
    #expect(await insert("b") == 201)
    free.withLock { $0 = 500_000 }
    #expect(await insert("c") == 503)
  }

  @Test func pagesInTheWriteAheadLogWillTakeSpaceAgain() async throws {
    _ = try oldDatabase()
    let free = Mutex<Int64>(1 << 40)
    let store = try ServerStore(folder: folder.path)
    let service = service(store) { free.withLock { $0 } }
    for name in 0..<4 { #expect(await service.answer(insertion("large \(name)", bytes: 200_000)).status == 201) }
    free.withLock { $0 = 128 << 20 + 400_000 }
    #expect(await service.answer(insertion("a", bytes: 1000)).status == 503)
    try await store.commits.exclusively { try $0.run("PRAGMA wal_checkpoint(TRUNCATE)") }
    #expect(await service.answer(insertion("a", bytes: 1000)).status == 201)
  }

  @Test func unusedPagesDoNotCountTowardsTheLimitOfTheDatabase() async throws {
    _ = try oldDatabase()
    let store = try ServerStore(folder: folder.path)
    for name in 0..<8 { #expect(await service(store).answer(insertion("large \(name)", bytes: 200_000)).status == 201) }
    let limited = service(store, databaseLimit: 1 << 20)
    #expect(await limited.answer(insertion("a", bytes: 1000)).status == 507)
    #expect(await limited.answer(request("DELETE", "/api/sync/events", query: "confirm=all")).status == 200)
    #expect(await limited.answer(insertion("a", bytes: 1000)).status == 201)
  }

  @Test func theDatabaseHasALimit() async throws {
    _ = try oldDatabase()
    let service = service(try ServerStore(folder: folder.path), databaseLimit: 1 << 20)
    let row = #"{"user_id":"\#(Self.me)","type":"t","payload":{"t":"\#(String(repeating: "x", count: 200_000))"}}"#
    let insertion = request("POST", "/rest/v1/events", body: row)
    // The last quarter is left to small accounts.
    for _ in 0..<3 { #expect(await service.answer(insertion).status == 201) }
    let rejected = await service.answer(insertion)
    #expect(rejected.status == 507)
    #expect(try JSON(rejected.body)["code"]?.text == "53400")
    #expect(await service.answer(request("DELETE", "/api/sync/events", query: "confirm=all")).status == 200)
    #expect(await service.answer(insertion).status == 201)
  }

  @Test func aFullDiskIsReportedToTheClient() async throws {
    _ = try oldDatabase()
    let store = try ServerStore(folder: folder.path)
    let service = service(store)
    let row = #"{"user_id":"\#(Self.me)","type":"t","payload":{"t":"\#(String(repeating: "x", count: 200_000))"}}"#
    let request = request("POST", "/rest/v1/events", body: row)
    #expect(await service.answer(request).status == 201)
    try await store.commits.exclusively { database in
      let pages = try database.integer("PRAGMA page_count")
      try database.run("PRAGMA max_page_count = \(pages + 2)")
    }
    let answer = await service.answer(request)
    #expect(answer.status == 503)
    #expect(try JSON(answer.body)["code"]?.text == "53100")
    let event = #"{"type":"t","client_id":"a","payload":{"t":"\#(String(repeating: "x", count: 200_000))"}}"#
    let plain = await service.answer(self.request("POST", "/api/sync/events", body: "{\"events\":[\(event)]}"))
    #expect(plain.status == 507 && (try? JSON(plain.body))?["code"]?.text == "53100", "\(plain.status)")
    try await store.commits.exclusively { try $0.run("PRAGMA max_page_count = 1073741823") }
    #expect(await service.answer(request).status == 201)
  }
}
