import SQLiteKit
import TrunkModel

// Copies the contents of the damaged file and the backup row by row.
extension Salvage {
  /// Copies events one by one, so that an unreadable page costs only the events on it.
  func copyEvents(from damaged: Database, to log: EventLog) throws -> (seqs: [Int64], unreadable: Int) {
    var (seqs, unreadable) = ([Int64](), 0)
    let formerIDs = FormerIDs(database: log.database)
    let limits = ["SELECT max(seq) FROM events", "SELECT seq FROM sqlite_sequence WHERE name = 'events'"]
    // These numbers may be damaged too. There are never more events than bytes.
    let size = max(PrivateFiles.size(of: copy), mark)
    let last = limits.compactMap { try? damaged.integer($0) }.filter { $0 <= size }.max() ?? size
    for seq in stride(from: 1, through: last, by: 1) {
      do {
        let found = try damaged.first(
          """
          SELECT upload, server_id, server_created_at, held_until, sha256, raw FROM events NOT INDEXED WHERE seq = ?
          """, .integer(seq)
        ) { row -> (Event, EventLog.Mark)? in
          guard SHA256().digest(of: row.bytes(5)) == row.blob(4) else { return nil }
          let mark = EventLog.Mark(
            upload: UploadState(rawValue: row.integer(0)) ?? .pending, serverID: row.optionalText(1),
            serverCreatedAt: row.optionalText(2),
            heldUntil: row.optionalInteger(3).map { Instant(milliseconds: $0) })
          return (try Event(json: row.text(5)), mark)
        }
        switch found {
        case .some(.some(let (event, mark))):
          // The state before the damage may have it under the `client_id` that it had before.
          _ = try log.insert(formerIDs.current(event), mark, from: .file)
          seqs.append(seq)
        case .some(.none): unreadable += 1
        // Taken back, or never used.
        case .none: break
        }
      } catch let error as DatabaseError where error.isDamage {
        unreadable += 1
      }
    }
    return (seqs, unreadable)
  }

  /// Also what gave way to an event with a `client_id`: its words are the user's.
  /// - Returns: how many of them can't be read, each damaged part of `displaced` counted once.
  func copySuperseded(from damaged: Database, to log: EventLog) throws -> Int {
    try copySupersededTable(from: damaged, to: log) + copyDisplaced(from: damaged, to: log)
  }

  private func copySupersededTable(from damaged: Database, to log: EventLog) throws -> Int {
    var unreadable = 0
    do {
      let last = try damaged.integer("SELECT max(id) FROM superseded")
      // The number may be damaged too. There are never more than bytes.
      for id in stride(from: 1, through: min(last, PrivateFiles.size(of: copy)), by: 1) {
        do {
          let event = try damaged.first("SELECT raw, sha256 FROM superseded NOT INDEXED WHERE id = ?", .integer(id)) {
            SHA256().digest(of: $0.bytes(0)) == $0.blob(1) ? try Event(json: $0.text(0)) : nil
          }
          guard let event else { continue }
          if let event { try log.supersede(event) } else { unreadable += 1 }
        } catch let error as DatabaseError where error.isDamage {
          unreadable += 1
        }
      }
    } catch let error as DatabaseError where error.isDamage {
      unreadable += 1
    } catch let error as DatabaseError where error.isOfSchema {
      // An older file lacks the table.
    }
    return unreadable
  }

  private func copyDisplaced(from damaged: Database, to log: EventLog) throws -> Int {
    var unreadable = 0
    do {
      try damaged.rows("SELECT raw FROM displaced") { row in
        let event: Event
        // These texts have no hash: one that is no event any more is damaged.
        do throws(JSONError) { event = try Event(json: row.text(0)) } catch {
          unreadable += 1
          return true
        }
        try log.supersede(event)
        return true
      }
    } catch let error as DatabaseError where error.isDamage {
      // Rows before the unreadable one are kept.
      unreadable += 1
    } catch let error as DatabaseError where error.isOfSchema {
      // An older file lacks the table.
    }
    return unreadable
  }

  func copyDrafts(from damaged: Database, to table: DraftTable, _ counts: inout Counts) throws {
    // All or what comes before the first unreadable one: a draft has no number to ask for.
    var drafts: [Draft] = []
    do {
      try DraftTable(database: damaged).each { drafts.append($0) }
    } catch let error as DatabaseError where error.isDamage {
      counts.unreadable += 1
    }
    for draft in drafts { try table.save(draft) }
    counts.drafts = drafts.count
  }

  /// Which events have another `client_id` than before. It comes first: by it the other events are recognised.
  func copyFormerIDs(from damaged: Database, to database: Database) throws {
    do {
      let former = try damaged.all("SELECT identity, client_id FROM former_ids") { ($0.text(0), $0.text(1)) }
      for (identity, clientID) in former {
        try database.execute(
          "INSERT OR IGNORE INTO former_ids (identity, client_id) VALUES (?, ?)", .text(identity), .text(clientID))
      }
    } catch let error as DatabaseError where error.isDamage || error.isOfSchema {
      // Without it the server says again which ids are taken, and an event that is here twice becomes one.
    }
  }

  /// Copies which events are local-only.
  func copyLocalOnly(from damaged: Database, to database: Database) throws {
    do {
      let kept = try damaged.all("SELECT client_id FROM events WHERE local_only = 1 AND client_id IS NOT NULL") {
        $0.text(0)
      }
      for clientID in kept {
        try database.execute("UPDATE events SET local_only = 1 WHERE client_id = ? AND upload = 2", .text(clientID))
      }
    } catch let error as DatabaseError where error.isDamage || error.isOfSchema {
      // If it can't be read, the user is asked again.
    }
  }

  /// What only this computer knows: else the garden could be synced with a wrong server, or a part of it be shown as
  /// the whole. How far the server was read stays behind, so that all of it is fetched again.
  func copyMeta(from damaged: Database, to meta: MetaTable) throws {
    for key in [MetaKey.server, .owner, .profile, .localEvents, .restoreAnswered, .firstSync, .cacheVersion] {
      do {
        guard let value = try MetaTable(database: damaged).value(key) else { continue }
        if key != .cacheVersion || value == EventStore.movedVersion { try meta.set(value, for: key) }
      } catch let error as DatabaseError where error.isDamage || error.isOfSchema {
        // An unreadable value must not cost the others.
      }
    }
  }
}
