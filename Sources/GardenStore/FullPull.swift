import Garden

/// A download of all rows of the server that has begun.
public struct FullPull: Sendable {
  /// Another download that begins later makes this one void.
  let number: Int64
  /// What came into the log later than this, or was unsent then, may be missing among the rows.
  let lastSeq: Int64
  let unsent: Set<Int64>
}

/// What the replacement of everything confirmed would do.
public struct FullPullPreview: Sendable, Equatable {
  /// Confirmed events here that the rows could hold.
  public let here: Int
  /// Rows of the server.
  public let there: Int
  /// Of those here, how many no row holds.
  public let missing: Int
}

/// Why a download is not applied.
public enum FullPullFailure: Error, Sendable, Equatable {
  /// Another program, or another part of this one, has begun one since.
  case superseded
  case store(StoreError)
}

extension GardenStore {
  /// The form in which rows of the server are kept here.
  public static let cacheVersion = "1"

  /// Stands in its place while what is here is to be compared with a server that has moved.
  static let movedVersion = "moved"

  /// Whether what is here came from the server in the form of this version.
  public func hasValidCache() throws(StoreError) -> Bool {
    try value(.cacheVersion) == GardenStore.cacheVersion
  }

  /// Whether the server is at another address than before, and may be an older copy: what it lacks is no reason to let
  /// anything go.
  public func hasServerMoved() throws(StoreError) -> Bool {
    try value(.cacheVersion) == GardenStore.movedVersion
  }

  /// Begins the first download. While nothing here came from the server there is nothing to replace: rows are merged as
  /// they come, and a download that breaks off goes on where it was.
  /// - Parameter clears: as for `merge`.
  /// - Returns: false if something came from the server, which only `replace` may put aside.
  public func beginFirstPull(unlessClearedSince clears: Int64? = nil) throws(StoreError) -> Bool {
    try write { database in
      let tables = FullPullTables(database: database)
      try tables.check(clears: clears)
      guard try tables.confirmedCount() == 0 else { return false }
      try tables.set(nil)
      try tables.set(GardenStore.cacheVersion, for: .cacheVersion)
      return true
    }
  }

  /// Begins a download of all rows: they are collected aside, and nothing changes until `replace`.
  public func beginFullPull() throws(StoreError) -> FullPull {
    try write(durably: false) { database in
      let tables = FullPullTables(database: database)
      try database.execute("DELETE FROM staged_rows")
      return FullPull(
        number: try tables.nextNumber(), lastSeq: try database.integer("SELECT max(seq) FROM events"),
        unsent: Set(try database.all("SELECT seq FROM events WHERE upload <> 1") { $0.integer(0) }))
    }
  }

  /// Collects the rows of one page.
  public func stage(_ rows: [ServerRow], _ pull: FullPull) throws(FullPullFailure) {
    try change(pull, durably: false) { tables in
      for row in rows { try tables.stage(row) }
    }
  }

  public func preview(_ pull: FullPull) throws(FullPullFailure) -> FullPullPreview {
    do throws(StoreError) {
      return try read { database in
        let tables = FullPullTables(database: database)
        let plan = try tables.plan(pull)
        return FullPullPreview(
          here: plan.candidates, there: try tables.stagedCount(), missing: plan.missing.count)
      }
    } catch {
      throw .store(error)
    }
  }

  /// Puts the collected rows in the place of everything confirmed, and keeps every event that is unsent or refused.
  /// - Parameters:
  ///   - cursor: the place of the last row; `nil` if there is none.
  ///   - keepsMissing: events that the server lacks are not removed, but sent to it again.
  public func replace(
    _ pull: FullPull, cursor: Cursor?, keepsMissing: Bool = false
  ) throws(FullPullFailure) -> MergeResult {
    try change(pull, durably: true) { tables in
      let log = EventLog(database: tables.database)
      let generation = try log.generation()
      var result = MergeResult()
      try tables.prepare(try tables.plan(pull), keepsMissing: keepsMissing)
      result.new = try tables.insertStaged()
      try tables.set(cursor)
      try tables.set(cursor?.createdAt, for: .latestConfirmed)
      try tables.set(GardenStore.cacheVersion, for: .cacheVersion)
      try tables.database.execute("DELETE FROM staged_rows")
      result.isRewritten = try log.generation() != generation
      return result
    }
  }

  /// Gives up what was collected. What is here stays as it is.
  public func abandon(_ pull: FullPull) throws(FullPullFailure) {
    try change(pull, durably: false) { try $0.database.execute("DELETE FROM staged_rows") }
  }

  private func change<Value>(
    _ pull: FullPull, durably: Bool, _ body: (FullPullTables) throws -> Value
  ) throws(FullPullFailure) -> Value {
    var isSuperseded = false
    do throws(StoreError) {
      let value: Value? = try write(durably: durably) { database in
        let tables = FullPullTables(database: database)
        isSuperseded = try tables.number() != pull.number
        return isSuperseded ? nil : try body(tables)
      }
      if let value { return value }
    } catch {
      throw .store(error)
    }
    throw .superseded
  }
}
