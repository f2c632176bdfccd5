import Garden
import Storage

/// What a copy of a garden holds.
public struct CopyContents: Sendable {
  /// Every event, the unsent and rejected ones included.
  public var events: [Event] = []
  public var drafts: [Draft] = []
  /// See `MetaKey.owner`.
  public var owner: String?
}

extension VerifiedCopy {
  /// Reads the copy without changing it.
  /// - Throws: `damaged` if it is not what was written.
  public func contents() throws(StoreError) -> CopyContents {
    do {
      let database = try Database(path: path, mode: .immutable, busyTimeout: 0)
      var contents = CopyContents()
      contents.owner = try MetaTable(database: database).value(.owner)
      let sha256 = SHA256()
      try database.rows("SELECT sha256, raw FROM events ORDER BY seq") { row in
        guard sha256.digest(of: row.bytes(1)) == row.blob(0) else { throw StoreError.damaged(path: path) }
        contents.events.append(try Event(json: row.text(1)))
        return true
      }
      try DraftTable(database: database).each { contents.drafts.append($0) }
      return contents
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// See `MetaKey.owner`.
  public func owner() throws(StoreError) -> String? {
    do {
      return try MetaTable(database: try Database(path: path, mode: .immutable, busyTimeout: 0)).value(.owner)
    } catch {
      throw StoreError(error, path: path)
    }
  }
}

extension GardenStore {
  /// What `MetaKey.owner` holds: a digest, so that no e-mail address is in a file.
  public nonisolated static func owner(_ email: String, at server: String) -> String {
    SHA256().digest(of: server + "\n" + email.trimmed.lowercased()).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }

  /// Those of these events that the log lacks, each once. Compares identities, and where events without a `client_id`
  /// are involved also their content.
  public func lacking(_ events: [Event]) throws(StoreError) -> [Event] {
    struct Undone: Error {}
    // An event that got another id since is here under that one.
    let former = try read { try $0.all("SELECT identity FROM former_ids") { $0.text(0) } }
    let known = Set(try localIdentities().map(\.identity) + former)
    var candidates = events.filter { !known.contains($0.identity) }
    if candidates.isEmpty { return [] }
    do throws(any Error) {
      // The log itself knows best what is a duplicate: it takes them in, and gives them up again.
      try database.transaction {
        let outcomes = try EventLog(database: database).append(candidates, EventLog.Mark(), from: .file).outcomes
        candidates = zip(candidates, outcomes).compactMap { event, outcome in
          if case .inserted = outcome { event } else { nil }
        }
        throw Undone()
      }
    } catch {
      guard error is Undone else { throw failure(error) }
    }
    return candidates
  }

  /// Brings drafts back, in front of what was begun in their place since. Doing it twice changes nothing.
  /// - Returns: how many were not here.
  public func restore(_ drafts: [Draft]) throws(StoreError) -> Int {
    let lacking = try self.lacking(drafts)
    if lacking.isEmpty { return 0 }
    try write { database in
      for draft in lacking { try DraftTable(database: database).restore(draft) }
    }
    return lacking.count
  }

  /// Those of these drafts whose text is in no draft of the same place.
  public func lacking(_ drafts: [Draft]) throws(StoreError) -> [Draft] {
    try read { database in
      let table = DraftTable(database: database)
      return try drafts.filter { draft in
        let present = try table.load(draft.key)?.text ?? ""
        return !(present == draft.text || present.hasPrefix(draft.text + "\n"))
      }
    }
  }
}
