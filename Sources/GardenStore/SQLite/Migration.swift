/// One step of the schema's history. Steps are only ever added at the end.
struct Migration: Sendable {
  /// Says what the step brings; appears in errors.
  let name: String
  let script: String
}

extension Database {
  /// `user_version`: how many migrations the file has seen.
  var schemaVersion: Int {
    get throws(DatabaseError) { Int(try integer("PRAGMA user_version")) }
  }

  /// Brings the file up to date, each step with its number in one transaction, so that a step is there or not.
  func migrate(_ migrations: [Migration]) throws {
    while try schemaVersion < migrations.count {
      try transaction {
        // Another process may have taken the step while this one waited for the lock.
        let version = try schemaVersion
        guard version < migrations.count else { return }
        try run(migrations[version].script)
        try run("PRAGMA user_version = \(version + 1)")
      }
    }
  }
}
