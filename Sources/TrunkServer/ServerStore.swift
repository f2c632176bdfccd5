import Glibc
import Storage

/// The database of all accounts: one writer, one reader beside it.
final class ServerStore: Sendable {
  let commits: CommitQueue
  let reader: StoreReader
  /// The newest `created_at` that was there at the start.
  let newest: Microseconds

  static let fileName = "trunk-server.db"

  /// Opens the database of a folder, or makes both.
  /// - Throws: `PrivateFiles.Failure`, `DatabaseError`.
  init(folder: String) throws {
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
    commits = CommitQueue(database)
    reader = StoreReader(try Database(path: path, mode: .readOnly, busyTimeout: 10_000))
  }
}

/// Reads what is committed, on a thread of its own.
actor StoreReader {
  private let database: Database
  private let executor = QueueExecutor(label: "reads")

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ database: sending Database) {
    self.database = database
  }

  func read<Result: Sendable>(_ body: @Sendable (Database) throws -> Result) throws -> Result {
    try body(database)
  }
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
