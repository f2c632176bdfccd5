/// One step of the schema's history. New steps are always added at the end.
package struct Migration: Sendable {
  /// Describes the step in error messages.
  package let name: String
  package let script: String

  package init(name: String, script: String) {
    self.name = name
    self.script = script
  }
}

extension Database {
  /// `user_version`: the number of migrations applied to the file.
  package var schemaVersion: Int {
    get throws(DatabaseError) { Int(try integer("PRAGMA user_version")) }
  }

  /// Applies missing migrations, each with its number in one transaction, so that a migration is applied completely or
  /// not at all.
  package func migrate(_ migrations: [Migration]) throws {
    while try schemaVersion < migrations.count {
      try transaction {
        // Another process may have applied the migration while this one waited for the lock.
        let version = try schemaVersion
        guard version < migrations.count else { return }
        try run(migrations[version].script)
        try run("PRAGMA user_version = \(version + 1)")
      }
    }
  }
}
