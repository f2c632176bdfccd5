import Glibc
import Storage

/// The database of all accounts: one writer, one reader for accounts and several for events.
final class ServerStore: Sendable {
  let commits: CommitQueue
  let reader: StoreReader
  /// For queries that clients put together.
  let queries: ReaderPool
  /// The newest `created_at` that was there at the start.
  let newest: Microseconds
  /// The newest true `created_at` before rows of the future were repaired; `nil` if there were none.
  let resumedAt: Microseconds?

  static let fileName = "trunk-server.db"

  /// Opens the database of a folder, or makes both.
  /// - Parameter queryTime: how long one query may run.
  /// - Throws: `PrivateFiles.Failure`, `DatabaseError`.
  init(folder: String, queryTime: Duration = ServerConfiguration.queryTime) throws {
    try PrivateFiles.makeFolder(folder)
    let path = folder + "/" + ServerStore.fileName
    try PrivateFiles.makeFile(path)
    let database = try Database(path: path, mode: .readWrite, busyTimeout: 10_000)
    try database.run(
      """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY;
      PRAGMA trusted_schema = OFF; PRAGMA journal_size_limit = 67108864; PRAGMA recursive_triggers = ON
      """)
    guard try database.schemaVersion <= ServerSchema.migrations.count else { throw ServerProblem.newerVersion }
    try database.migrate(ServerSchema.migrations)
    newest = Microseconds(try database.integer("SELECT max(created_at) FROM events"))
    resumedAt = try database.first("SELECT resumed_at FROM repairs") { Microseconds($0.integer(0)) }
    commits = CommitQueue(database)
    reader = StoreReader(try Database(path: path, mode: .readOnly, busyTimeout: 10_000))
    queries = try ReaderPool(path: path, limit: queryTime)
  }

  /// Writes everything into the database file and closes it; later reads and commits fail.
  /// - Throws: `DatabaseError`. What was committed is safe also then: it is in the write-ahead log.
  func close() async throws {
    await reader.close()
    await queries.close()
    // Last, because SQLite removes the write-ahead log with the last connection.
    try await commits.close()
  }
}

/// Reads what is committed, on a thread of its own.
actor StoreReader {
  /// `nil` once it is closed.
  private var database: Database?
  private let executor = QueueExecutor(label: "reads")

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ database: sending Database) {
    self.database = database
  }

  func read<Result: Sendable>(_ body: @Sendable (Database) throws -> Result) throws -> Result {
    guard let database else { throw CancellationError() }
    return try body(database)
  }

  func close() { database = nil }
}

/// Why a server does not start.
enum ServerProblem: Error, CustomStringConvertible {
  case newerVersion
  /// Of the database and the program, where neither may change the other.
  case otherVersion
  case noDatabase(String)
  case badAddress(String)
  /// A call of the system failed.
  case system(Int32)
  case badSecret(String)
  case exists(String)
  case badBackup

  var description: String {
    switch self {
    case .newerVersion: "the database is from a newer version of trunk-server"
    case .otherVersion: "the database is from another version of trunk-server; start the server of this one first"
    case .noDatabase(let path): "there is no \(path)"
    case .badAddress(let host): "\(host) is not the address of an interface; give it in digits, such as 127.0.0.1"
    case .system(let code): String(cString: strerror(code))
    case .badSecret(let path): "\(path) is not a secret of at least 32 bytes"
    case .exists(let path): "\(path) exists"
    case .badBackup: "the copy of the database is damaged"
    }
  }
}
