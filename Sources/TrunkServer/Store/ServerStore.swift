import Glibc
import SQLiteKit

/// The database of all accounts: one writer, one reader for accounts and several for events.
final class ServerStore: Sendable {
  let commits: CommitQueue
  let reader: StoreReader
  /// Serves queries that clients compose.
  let queries: ReaderPool
  /// The newest `created_at` at startup.
  let newest: Microseconds
  /// The newest correct `created_at` when rows with future instants were repaired; `nil` if there were none.
  let resumedAt: Microseconds?

  static let fileName = "trunk-server.db"
  /// How long a statement waits for a lock, in milliseconds.
  static let busyTimeout: Int32 = 10_000

  /// Opens the database of a folder, or creates both.
  /// - Parameters:
  ///   - queryTime: the time limit of one query.
  ///   - logLimit: the size of the write-ahead log that queries may cause, in bytes.
  /// - Throws: `PrivateFiles.Failure`, `DatabaseError`.
  init(
    folder: String, queryTime: Duration = ServerConfiguration.queryTime,
    logLimit: Int64 = ServerConfiguration.logLimit, metrics: ServerMetrics = .off
  ) throws {
    try PrivateFiles.makeFolder(folder)
    let path = folder + "/" + ServerStore.fileName
    try ServerStore.checkLog(of: path)
    try PrivateFiles.makeFile(path)
    let database = try Database(path: path, mode: .readWrite, busyTimeout: ServerStore.busyTimeout)
    try database.run(
      """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY;
      PRAGMA trusted_schema = OFF; PRAGMA journal_size_limit = 67108864; PRAGMA recursive_triggers = ON
      """)
    guard try database.schemaVersion <= ServerSchema.migrations.count else { throw ServerProblem.newerVersion }
    try database.migrate(ServerSchema.migrations)
    newest = Microseconds(try database.integer("SELECT max(created_at) FROM events"))
    resumedAt = try database.first("SELECT resumed_at FROM repairs") { Microseconds($0.integer(0)) }
    reader = StoreReader(try Database(path: path, mode: .readOnly, busyTimeout: ServerStore.busyTimeout))
    queries = try ReaderPool(path: path, limit: queryTime)
    let checkpointer = Checkpointer(try Database(path: path, mode: .readWrite, busyTimeout: ServerStore.busyTimeout))
    commits = CommitQueue(
      database, path: path, queries: queries, checkpointer: checkpointer, logLimit: logLimit, metrics: metrics)
  }

  /// Throws if the write-ahead log of a missing database has the last rows: SQLite would delete it with a new database.
  private static func checkLog(of path: String) throws {
    guard !PrivateFiles.exists(path), PrivateFiles.size(of: path + "-wal") > 0 else { return }
    throw ServerProblem.onlyLog(path)
  }

  /// Moves everything into the database file and closes it. Later reads and commits fail.
  /// - Throws: `DatabaseError`. Even then, committed data is safe in the write-ahead log.
  func close() async throws {
    await reader.close()
    await queries.close()
    // Closed last, because SQLite removes the write-ahead log with the last connection.
    try await commits.close()
  }
}

/// The server is stopping, and its database takes no more work.
struct StoreClosed: Error {}

/// Reads committed data on its own thread.
actor StoreReader {
  /// `nil` after it was closed.
  private var database: Database?
  private let executor = QueueExecutor(label: "reads")

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ database: sending Database) {
    self.database = database
  }

  func read<Result: Sendable>(_ body: @Sendable (Database) throws -> Result) throws -> Result {
    guard let database else { throw StoreClosed() }
    return try body(database)
  }

  func close() { database = nil }
}

/// Why a server can't start, store or make a backup.
enum ServerProblem: Error, CustomStringConvertible {
  case newerVersion
  /// Database and program have different versions, and only the server may migrate.
  case otherVersion
  case noDatabase(String)
  /// The database is missing, but its write-ahead log is there.
  case onlyLog(String)
  /// The database was moved, deleted or replaced while it was open.
  case moved(String)
  /// Another server serves this folder.
  case inUse(String)
  case badAddress(String)
  /// A system call failed.
  case system(Int32)
  case badSecret(String)
  case exists(String)
  case badBackup
  /// `crypt` failed.
  case noHash
  case backupIsRunning(String)
  /// In bytes.
  case noSpaceForBackup(free: Int64, needed: Int64)

  var description: String {
    switch self {
    case .newerVersion: "the database is from a newer version of trunk-server"
    case .otherVersion: "the database and trunk-server have different versions; start this version's server first"
    case .noDatabase(let path): "there is no \(path)"
    case .onlyLog(let path):
      "there is no \(path), but \(path)-wal has rows of it: put the database back, or remove that file to start without it"
    case .moved(let path): "\(path) was moved, deleted or replaced: nothing is stored until the server is restarted"
    case .inUse(let folder): "another trunk-server is using \(folder)"
    case .badAddress(let host): "\(host) is not a numeric address, such as 127.0.0.1"
    case .system(let code): String(cString: strerror(code))
    case .badSecret(let path): "\(path) is not a secret of at least 32 bytes"
    case .exists(let path): "\(path) exists"
    case .badBackup: "the copy of the database is damaged"
    case .noHash: "the system can’t hash a token with bcrypt"
    case .backupIsRunning(let path): "another backup is being written to \(path)"
    case .noSpaceForBackup(let free, let needed):
      "too little space for a backup: \(free >> 20) MiB are free, \(needed >> 20) MiB are needed"
    }
  }
}
