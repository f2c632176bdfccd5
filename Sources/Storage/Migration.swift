/// One step of the schema's history. Steps are only ever added at the end.
package struct Migration: Sendable {
  /// Says what the step brings; appears in errors.
  package let name: String
  package let script: String

  package init(name: String, script: String) {
    self.name = name
    self.script = script
  }
}

extension Database {
  /// `user_version`: how many migrations the file has seen.
  package var schemaVersion: Int {
    get throws(DatabaseError) { Int(try integer("PRAGMA user_version")) }
  }

  /// Brings the file up to date, each step with its number in one transaction, so that a step is there or not.
  package func migrate(_ migrations: [Migration]) throws {
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
