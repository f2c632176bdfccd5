import SQLiteKit
import TrunkModel

// Copies the contents of the damaged file and the backup row by row.
extension Salvage {
  /// Copies events one by one, so that an unreadable page costs only the events on it.
  /// - Parameter isFirst: whether no event was found in another reading of the file.
  func copyEvents(
    from damaged: Database, to log: EventLog, isFirst: Bool = true
  ) throws -> (seqs: [Int64], unreadable: Int) {
    var (seqs, unreadable) = ([Int64](), 0)
    let formerIDs = FormerIDs(database: log.database)
    let size = max(PrivateFiles.size(of: copy), mark)
    let known = lastNumber(of: "events", key: "seq", in: damaged, atMost: size)
    let last = known ?? (isFirst ? size : 0)
    for seq in stride(from: 1, through: last, by: 1) {
      do {
        let found = try damaged.first(
          """
          SELECT upload, server_id, server_created_at, held_until, sha256, raw FROM events NOT INDEXED WHERE seq = ?
          """, .integer(seq)
        ) { row -> (Event, UploadRecord)? in
          guard SHA256().digest(of: row.bytes(5)) == row.blob(4), let event = event(row.text(5)) else { return nil }
          let record = UploadRecord(
            state: UploadState(rawValue: row.integer(0)) ?? .pending, serverID: row.optionalText(1),
            serverCreatedAt: row.optionalText(2),
            undoableUntil: row.optionalInteger(3).map { Instant(milliseconds: $0) })
          return (event, record)
        }
        switch found {
        case .some(.some(let (event, record))):
          // The state before the damage may have the event under its former `client_id`.
          _ = try log.insert(formerIDs.current(event), record, from: .file)
          seqs.append(seq)
        case .some(.none): unreadable += 1
        // Removed, or never used.
        case .none: break
        }
      } catch let error as DatabaseError where error.isDamage {
        unreadable += 1
      } catch let error as DatabaseError where error.isOfSchema {
        // The whole table is lost.
        unreadable += 1
        break
      }
    }
    // Most of the numbers that were tried never had an event.
    if known == nil { unreadable = min(unreadable, Int(max(mark, 1))) }
    return (seqs, unreadable)
  }

  /// The last number that rows of a table had, from its rows or from SQLite's record of it.
  /// - Parameter size: of the file: it has fewer rows than bytes, so a larger number is damaged.
  /// - Returns: `nil` if neither says a possible number. Then try every number up to the size.
  private func lastNumber(of table: String, key: String, in damaged: Database, atMost size: Int64) -> Int64? {
    ["SELECT max(\(key)) FROM \(table) NOT INDEXED", "SELECT seq FROM sqlite_sequence WHERE name = '\(table)'"]
      // Where one can't be read, the other may be intact.
      .compactMap { try? damaged.integer($0) }.filter { $0 <= size }.max()
  }

  /// - Returns: `nil` if a text is not that of an event.
  private func event(_ text: String) -> Event? {
    do throws(JSONError) { return try Event(json: text) } catch { return nil }
  }

  /// Copies superseded versions and displaced events, because the user wrote their texts too.
  /// - Returns: the number of unreadable versions and events. A damaged part of `displaced` counts as one.
  func copySuperseded(from damaged: Database, to log: EventLog) throws -> Int {
    try copySupersededTable(from: damaged, to: log) + copyDisplaced(from: damaged, to: log)
  }

  private func copySupersededTable(from damaged: Database, to log: EventLog) throws -> Int {
    var unreadable = 0
    do {
      let last = try damaged.integer("SELECT max(id) FROM superseded")
      // The number may be damaged too. A file has fewer rows than bytes.
      for id in stride(from: 1, through: min(last, PrivateFiles.size(of: copy)), by: 1) {
        do {
          let event = try damaged.first("SELECT raw, sha256 FROM superseded NOT INDEXED WHERE id = ?", .integer(id)) {
            SHA256().digest(of: $0.bytes(0)) == $0.blob(1) ? self.event($0.text(0)) : nil
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
        // These texts have no hash, so only one that doesn't parse is known to be damaged.
        if let event = event(row.text(0)) { try log.supersede(event) } else { unreadable += 1 }
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

  func copyDrafts(from damaged: Database, to table: DraftTable) throws -> (count: Int, unreadable: Int) {
    // Stop at the first unreadable draft: drafts have no numbers by which to skip it.
    var (drafts, unreadable) = ([Draft](), 0)
    do {
      try DraftTable(database: damaged).each { drafts.append($0) }
    } catch let error as DatabaseError where error.isDamage || error.isOfSchema {
      unreadable = 1
    }
    drafts = try drafts.filter { try !$0.text.isEmpty && table.load($0.key) == nil }
    for draft in drafts { try table.save(draft) }
    return (drafts.count, unreadable)
  }

  /// Copies earlier pages one by one. A page whose source can't be read is kept under the name of its format alone.
  func copyPages(from damaged: Database, to table: PageTable) throws -> (count: Int, unreadable: Int) {
    var journals: [Int64: EarlierJournal] = [:]
    var unreadable = 0
    do {
      try damaged.rows("SELECT id, imported_at, format, name FROM sources NOT INDEXED") { row in
        journals[row.integer(0)] = EarlierJournal(
          format: row.text(2), name: row.text(3), importedAt: Instant(milliseconds: row.integer(1)))
        return true
      }
    } catch let error as DatabaseError where error.isDamage || error.isOfSchema {
      // Their pages may be readable.
    }
    do {
      let size = PrivateFiles.size(of: copy)
      let known = lastNumber(of: "pages", key: "id", in: damaged, atMost: size)
      for id in stride(from: 1, through: known ?? size, by: 1) {
        do {
          let entry = try damaged.first(
            "SELECT \(PageTable.columns) FROM pages NOT INDEXED WHERE id = ?", .integer(id), map: table.entry)
          guard let entry else { continue }
          guard entry.isSound else {
            unreadable += 1
            continue
          }
          let format = String(entry.page.sourceID.prefix { $0 != ":" })
          let unknown = EarlierJournal(format: format, name: "", importedAt: Instant(milliseconds: 0))
          if entry.isRemoved {
            journals[entry.source, default: unknown].removed.append(entry.page.sourceID)
          } else {
            journals[entry.source, default: unknown].pages.append(entry.page)
          }
        } catch let error as DatabaseError where error.isDamage {
          unreadable += 1
        }
      }
      // Most of the numbers that were tried never had a page.
      if known == nil { unreadable = min(unreadable, 1) }
    } catch let error as DatabaseError where error.isOfSchema {
      // An older file lacks the table.
    }
    return (try table.add(journals.sorted { $0.key < $1.key }.map(\.value)), unreadable)
  }

  /// Copies the records of events that got a new `client_id`. Call it first: they tell which events are the same.
  func copyFormerIDs(from damaged: Database, to database: Database) throws {
    do {
      let former = try damaged.all("SELECT identity, client_id FROM former_ids") { ($0.text(0), $0.text(1)) }
      for (identity, clientID) in former {
        try FormerIDs(database: database).addIfNew(identity, successor: clientID)
      }
    } catch let error as DatabaseError where error.isDamage || error.isOfSchema {
      // Without the table, the server rejects the former IDs again, the events get the same new IDs, and duplicates
      // merge.
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

  /// Copies the marks of hidden entries.
  func copyHidden(from damaged: Database, to table: HiddenTable) throws {
    do {
      try table.add(HiddenTable(database: damaged).marks())
    } catch let error as DatabaseError where error.isDamage || error.isOfSchema {
      // A backup may have them. Without one, the hidden entries are shown again.
    }
  }

  /// Copies the values that only this computer has. Without them, the garden could be synced with the wrong server, or
  /// a part of it be shown as the whole. The cursor is not copied, so that everything is fetched again.
  func copyMeta(from damaged: Database, to meta: MetaTable) throws {
    let keys = [
      MetaKey.server, .account, .owner, .profile, .localEvents, .localDrafts, .localPages, .restoreAnswered,
      .draftsRestored, .marksRestored, .removedSources, .backups, .backupDisks, .initialSync, .serverRowsFormat,
      .recoveries,
    ]
    for key in keys {
      do {
        guard try meta.value(key) == nil, let value = try MetaTable(database: damaged).value(key) else { continue }
        if key != .serverRowsFormat || value == EventStore.movedServer { try meta.set(value, for: key) }
      } catch let error as DatabaseError where error.isDamage || error.isOfSchema {
        // An unreadable value must not keep the others from being copied.
      }
    }
  }
}
