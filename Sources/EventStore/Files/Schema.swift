import SQLiteKit

/// The tables of one garden.
///
/// Other clients store the same data under named keys: `trunk-events-v1` corresponds to the table `events`, and
/// `trunk-pending-uploads` to its column `upload`, so that one transaction changes an event and its place in the
/// outbox. `trunk-last-sync` and `trunk-cache-version` are rows of `meta`.
enum Schema {
  /// Each one must change a definition. A file whose version differs in one bit from this one, with the definitions of
  /// this version, is taken for damaged.
  static let migrations = [
    Migration(name: "the log", script: log),
    Migration(name: "checkpoints and drafts", script: checkpointsAndDrafts),
    Migration(name: "search", script: search),
    Migration(name: "rows of the server", script: serverRows),
    Migration(name: "what drafts answer", script: askedOfDrafts),
    Migration(name: "lighter rows of the server", script: lighterRows),
    Migration(name: "entries that stay here", script: localOnly),
    Migration(name: "superseded versions", script: superseded),
    Migration(name: "search in questions", script: newSearch),
    Migration(name: "search with plain letters", script: newSearch),
    Migration(name: "earlier pages", script: earlierPages),
    Migration(name: "hidden entries", script: hiddenEntries),
    Migration(name: "hidden entries of one instant", script: hiddenEntriesOfOneInstant),
  ]

  /// `events.sha256` detects damage that SQLite's own check misses. `raw` is the last column, because the others are
  /// read more often. `rank` is NULL for events that the projection ignores. `entity` is empty for events that name
  /// none. `held_until` is the end of the undo window, in milliseconds since 1970.
  ///
  /// `displaced` holds events without a `client_id` that have the natural key of an event with one. They return to the
  /// log if that event leaves it, so that the log never depends on the order of arrival.
  private static let log = """
    CREATE TABLE events (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      type TEXT NOT NULL,
      instant INTEGER,
      rank INTEGER CHECK (rank IS NULL OR instant IS NOT NULL),
      client_id TEXT UNIQUE CHECK (client_id <> ''),
      entity TEXT NOT NULL,
      upload INTEGER NOT NULL CHECK (upload BETWEEN 0 AND 2),
      attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
      last_answer TEXT,
      held_until INTEGER,
      server_id TEXT,
      server_created_at TEXT,
      sha256 BLOB NOT NULL CHECK (length(sha256) = 32),
      raw TEXT NOT NULL
    ) STRICT;
    CREATE INDEX events_in_order ON events (instant, rank, client_id);
    CREATE INDEX events_ignored ON events (type) WHERE rank IS NULL;
    CREATE INDEX events_anonymous ON events (entity, type, instant) WHERE client_id IS NULL;
    CREATE UNIQUE INDEX events_server_id ON events (server_id) WHERE server_id IS NOT NULL;
    CREATE INDEX events_unsent ON events (upload, seq) WHERE upload <> 1;
    CREATE TABLE displaced (
      type TEXT NOT NULL,
      entity TEXT NOT NULL,
      instant INTEGER NOT NULL,
      upload INTEGER NOT NULL CHECK (upload BETWEEN 0 AND 2),
      server_id TEXT,
      server_created_at TEXT,
      raw TEXT NOT NULL,
      PRIMARY KEY (entity, type, instant)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE meta (
      key TEXT PRIMARY KEY,
      value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    """

  private static let checkpointsAndDrafts = """
    CREATE TABLE checkpoints (
      id INTEGER PRIMARY KEY,
      format INTEGER NOT NULL,
      zone TEXT NOT NULL,
      last_seq INTEGER NOT NULL,
      instant INTEGER NOT NULL,
      rank INTEGER NOT NULL,
      client_id TEXT NOT NULL,
      canonical TEXT NOT NULL,
      event_count INTEGER NOT NULL CHECK (event_count >= 0),
      state BLOB NOT NULL
    ) STRICT;
    CREATE TABLE drafts (
      kind TEXT NOT NULL,
      entity TEXT NOT NULL,
      day TEXT NOT NULL,
      updated INTEGER NOT NULL,
      text TEXT NOT NULL,
      PRIMARY KEY (kind, entity, day)
    ) STRICT, WITHOUT ROWID;
    """

  /// `merged_rows` lists server rows whose event the log already has under another row; they are only counted.
  /// `staged_rows` collects, during a full download, the server rows that differ from the log, in the server's order.
  /// `EventStore.replace` then applies them.
  private static let serverRows = """
    CREATE TABLE merged_rows (
      server_id TEXT PRIMARY KEY
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE staged_rows (
      place INTEGER PRIMARY KEY,
      server_id TEXT NOT NULL UNIQUE,
      created_at TEXT NOT NULL,
      identity TEXT NOT NULL,
      raw TEXT NOT NULL
    ) STRICT;
    CREATE INDEX staged_rows_identity ON staged_rows (identity);
    CREATE INDEX displaced_server_id ON displaced (server_id) WHERE server_id IS NOT NULL;
    CREATE INDEX events_server_created_at ON events (server_created_at) WHERE server_created_at IS NOT NULL;
    """

  /// Moves the question that the sun's draft answers into that draft's new column. Older versions stored it as a
  /// separate draft.
  private static let askedOfDrafts = """
    ALTER TABLE drafts ADD COLUMN asked TEXT;
    UPDATE drafts SET asked = (SELECT text FROM drafts AS other WHERE other.kind = 'sun' AND other.entity = 'asked')
      WHERE kind = 'sun' AND entity = '';
    DELETE FROM drafts WHERE kind = 'sun' AND entity = 'asked';
    """

  /// Reduces what is written for each server row. Row IDs are random, so each new row changes an arbitrary page of
  /// their index. The first eight characters distinguish rows nearly as well as all 36, and a third as many pages
  /// change. Only the latest of the `created_at` times is ever queried, so `meta` stores it and their index is dropped.
  private static let lighterRows = """
    DROP INDEX events_server_id;
    CREATE INDEX events_server_id ON events (substr(server_id, 1, 8)) WHERE server_id IS NOT NULL;
    INSERT INTO meta (key, value) SELECT 'latest-confirmed', max(server_created_at) FROM events
      WHERE server_created_at IS NOT NULL GROUP BY 1;
    DROP INDEX events_server_created_at;
    """

  /// `local_only` is 1 for a rejected event that the user keeps on this computer only.
  ///
  /// `former_ids` lists the events that got a new `client_id` because another account on the server uses theirs:
  /// `identity` is the former one. Events that older versions left rejected for this reason (409 23505) are sent again.
  private static let localOnly = """
    ALTER TABLE events ADD COLUMN local_only INTEGER NOT NULL DEFAULT 0 CHECK (local_only BETWEEN 0 AND 1);
    CREATE TABLE former_ids (
      identity TEXT PRIMARY KEY,
      client_id TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX former_ids_client_id ON former_ids (client_id);
    UPDATE events SET upload = 0 WHERE upload = 2 AND last_answer LIKE '409 23505%';
    """

  /// Versions of events that lost against another version: see `EventLog.supersede`.
  private static let superseded = """
    CREATE TABLE superseded (
      id INTEGER PRIMARY KEY,
      sha256 BLOB NOT NULL UNIQUE CHECK (length(sha256) = 32),
      raw TEXT NOT NULL
    ) STRICT;
    """

  /// Makes the search index again. The events are indexed by the next search. Version 9 added the questions and
  /// separated letters in scripts without spaces, version 10 plain letters.
  private static let newSearch = """
    DROP TABLE journal;
    \(search)
    INSERT OR REPLACE INTO meta (key, value) SELECT 'first-unsearchable', '1' WHERE EXISTS (SELECT 1 FROM events);
    """

  /// The pages of other journals. `day` is the day of `date`. `removed` is 1 for a page that the user has removed: its
  /// words are gone, and its ID stays so that an import doesn't bring it back. See `PageTable`.
  private static let earlierPages = """
    CREATE TABLE sources (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      format TEXT NOT NULL,
      name TEXT NOT NULL,
      imported_at INTEGER NOT NULL,
      UNIQUE (format, name)
    ) STRICT;
    CREATE TABLE pages (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      source INTEGER NOT NULL,
      source_id TEXT NOT NULL,
      date TEXT NOT NULL,
      day INTEGER NOT NULL,
      title TEXT NOT NULL,
      tags TEXT NOT NULL,
      place TEXT NOT NULL,
      pictures INTEGER NOT NULL,
      removed INTEGER NOT NULL CHECK (removed BETWEEN 0 AND 1),
      sha256 BLOB NOT NULL CHECK (length(sha256) = 32),
      text TEXT NOT NULL,
      UNIQUE (source, source_id)
    ) STRICT;
    CREATE INDEX pages_in_order ON pages (day, date) WHERE removed = 0;
    """

  /// The entries that are hidden on this computer, by their natural keys. See `HiddenTable`.
  private static let hiddenEntries = """
    CREATE TABLE hidden (
      type TEXT NOT NULL,
      entity TEXT NOT NULL,
      instant INTEGER NOT NULL,
      PRIMARY KEY (entity, type, instant)
    ) STRICT, WITHOUT ROWID;
    """

  /// Adds the `client_id` of each hidden entry; empty if it has none or an older version has hidden it. See
  /// `HiddenTable`.
  private static let hiddenEntriesOfOneInstant = """
    ALTER TABLE hidden RENAME TO older;
    CREATE TABLE hidden (
      type TEXT NOT NULL,
      entity TEXT NOT NULL,
      instant INTEGER NOT NULL,
      client_id TEXT NOT NULL DEFAULT '',
      PRIMARY KEY (entity, type, instant, client_id)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO hidden (type, entity, instant) SELECT type, entity, instant FROM older;
    DROP TABLE older;
    """

  /// The texts and questions of events by their `seq`, and the pages of earlier journals by their negative `id`.
  static let search = """
    CREATE VIRTUAL TABLE journal USING fts5 (
      text, question, tokenize = 'unicode61 remove_diacritics 2', columnsize = 0
    );
    """
}

extension Schema {
  /// The definition of a table or an index.
  struct Definition: Hashable {
    let type: String
    let name: String
    let table: String
    /// Empty for an index that SQLite created for a constraint.
    let sql: String

    fileprivate var isOfSearch: Bool { Schema.isOfSearch(name) }
  }

  /// The definitions in a new file of this version.
  static func definitions() throws -> Set<Definition> { try ownDefinitions.get() }

  private static let ownDefinitions = Result {
    let database = try Database(path: ":memory:", mode: .readWrite, busyTimeout: 0)
    try database.migrate(migrations)
    return try definitions(in: database)
  }

  /// Describes each table and index of this version that the file lacks or defines differently; empty for a file of
  /// another version. A file may have more of them, such as the statistics of `ANALYZE`, and may lack the whole search
  /// index, which the next search creates.
  static func differences(in database: Database) throws -> [String] {
    guard try database.schemaVersion == migrations.count else { return [] }
    let found = try definitions(in: database)
    let hasSearch = found.contains(where: \.isOfSearch)
    return try definitions().subtracting(found).filter { hasSearch || !$0.isOfSearch }
      .map { "\($0.type) \($0.name) is damaged" }.sorted()
  }

  /// The tables that hold what a garden consists of, sorted: all except `meta`, SQLite's own and the search index. A
  /// cleared garden has no row in any of them.
  static func tablesOfGarden(in database: Database) throws -> [String] {
    try database.all("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name") { $0.text(0) }
      .filter { !$0.hasPrefix("sqlite_") && !isOfSearch($0) && $0 != "meta" }
  }

  /// Those of them with something that only this computer may have: the user's words. A garden without a row in these
  /// is empty.
  static let tablesOfWords = ["events", "displaced", "superseded", "drafts", "pages"]

  private static func isOfSearch(_ table: String) -> Bool { table.hasPrefix("journal") }

  /// Whether a file has tables, but none of any version's: another program made it.
  static func isForeign(_ database: Database) throws -> Bool {
    let names = try definitions(in: database).filter { $0.type == "table" }.map(\.name)
    return !names.isEmpty && Set(names).isDisjoint(with: ["events", "displaced", "meta", "checkpoints", "drafts"])
  }

  private static func definitions(in database: Database) throws -> Set<Definition> {
    Set(
      try database.all("SELECT type, name, tbl_name, sql FROM sqlite_schema") { row in
        Definition(type: row.text(0), name: row.text(1), table: row.text(2), sql: row.text(3))
      })
  }
}
