import SQLiteKit

/// The database schema. Instants are microseconds since 1970.
enum ServerSchema {
  static let migrations = [
    Migration(
      name: "accounts and events",
      script: """
        CREATE TABLE users (
          id TEXT PRIMARY KEY,
          email TEXT NOT NULL UNIQUE,
          metadata TEXT NOT NULL DEFAULT '{}',
          created_at INTEGER NOT NULL,
          updated_at INTEGER NOT NULL,
          last_sign_in_at INTEGER NOT NULL
        ) STRICT;

        -- One code per address: a new one replaces the previous one.
        CREATE TABLE codes (
          email TEXT PRIMARY KEY,
          hash BLOB NOT NULL,
          sent_at INTEGER NOT NULL,
          -- The metadata of the account, if the code creates one.
          metadata TEXT NOT NULL,
          is_used INTEGER NOT NULL DEFAULT 0
        ) STRICT;

        -- The number of wrong codes per address, whether or not it has an account.
        CREATE TABLE failures (
          email TEXT PRIMARY KEY,
          count INTEGER NOT NULL,
          first_at INTEGER NOT NULL,
          locked_until INTEGER
        ) STRICT;

        CREATE TABLE sessions (
          id TEXT PRIMARY KEY,
          user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
          -- 0: Supabase's interface, 1: our own.
          kind INTEGER NOT NULL,
          created_at INTEGER NOT NULL,
          refreshed_at INTEGER NOT NULL,
          -- The number of the refresh token to use next.
          counter INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX sessions_user ON sessions (user_id);

        CREATE TABLE refresh_tokens (
          session_id TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
          counter INTEGER NOT NULL,
          hash TEXT NOT NULL,
          used_at INTEGER,
          PRIMARY KEY (session_id, counter)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE events (
          id TEXT NOT NULL UNIQUE,
          user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
          type TEXT NOT NULL,
          payload TEXT NOT NULL,
          client_id TEXT UNIQUE,
          client_timestamp TEXT,
          created_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX events_user_created ON events (user_id, created_at, id);
        """),
    Migration(
      name: "client ids per account, rows of the future",
      script: """
        CREATE TABLE new_events (
          -- The order of arrival. Numbers are never reused, so a row can be deleted by its number later.
          seq INTEGER PRIMARY KEY AUTOINCREMENT,
          id TEXT NOT NULL UNIQUE,
          user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
          type TEXT NOT NULL,
          client_id TEXT,
          client_timestamp TEXT,
          created_at INTEGER NOT NULL,
          -- The row's share of the account's size, in bytes: its texts, and 200 for the rest and the indexes.
          bytes INTEGER NOT NULL GENERATED ALWAYS AS (
            200 + length(CAST(type AS BLOB)) + length(CAST(payload AS BLOB))
            + coalesce(length(CAST(client_id AS BLOB)), 0) + coalesce(length(CAST(client_timestamp AS BLOB)), 0)
          ) STORED,
          -- Last, so that conditions on the other columns don't read it.
          payload TEXT NOT NULL,
          UNIQUE (user_id, client_id)
        ) STRICT;
        INSERT INTO new_events (id, user_id, type, client_id, client_timestamp, created_at, payload)
          SELECT id, user_id, type, client_id, client_timestamp, created_at, payload FROM events ORDER BY rowid;
        DROP TABLE events;
        ALTER TABLE new_events RENAME TO events;
        CREATE INDEX events_user_created ON events (user_id, created_at, id);

        -- The number of rows and bytes per account, which the triggers keep up to date.
        CREATE TABLE usage (
          user_id TEXT PRIMARY KEY REFERENCES users ON DELETE CASCADE,
          row_count INTEGER NOT NULL,
          bytes INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        INSERT INTO usage SELECT user_id, count(*), sum(bytes) FROM events GROUP BY user_id;
        CREATE TRIGGER events_inserted AFTER INSERT ON events BEGIN
          INSERT INTO usage VALUES (new.user_id, 1, new.bytes)
            ON CONFLICT (user_id) DO UPDATE SET row_count = row_count + 1, bytes = usage.bytes + excluded.bytes;
        END;
        CREATE TRIGGER events_deleted AFTER DELETE ON events BEGIN
          UPDATE usage SET row_count = row_count - 1, bytes = bytes - old.bytes WHERE user_id = old.user_id;
        END;

        -- Earlier versions let clients set created_at. Rows with a time in the future, and all rows after them, get
        -- times right after the newest valid one, in the order of arrival. The clock may be wrong during this
        -- migration, so times that only the server has written count as reached, too.
        CREATE TABLE repairs (
          -- The newest valid time; `created_at` of the repaired rows starts after it.
          resumed_at INTEGER NOT NULL,
          -- Times above this one were repaired.
          latest INTEGER NOT NULL
        ) STRICT;
        INSERT INTO repairs SELECT 0, 86400000000 + max(
          unixepoch('now') * 1000000,
          coalesce((SELECT max(refreshed_at) FROM sessions), 0),
          coalesce((SELECT max(max(updated_at, last_sign_in_at)) FROM users), 0),
          coalesce((SELECT max(sent_at) FROM codes), 0));
        UPDATE repairs SET resumed_at = coalesce(
          (SELECT max(created_at) FROM events WHERE created_at <= latest), latest - 86400000000);
        UPDATE events SET created_at = moved.resumed_at + moved.place
          FROM (
            SELECT seq, resumed_at, row_number() OVER (ORDER BY seq) AS place
            FROM events, repairs WHERE created_at > latest
          ) AS moved
          WHERE events.seq = moved.seq;
        DELETE FROM repairs WHERE NOT EXISTS (SELECT 1 FROM events WHERE created_at > resumed_at);
        """),
    Migration(
      name: "sign-in limits per client",
      script: """
        -- Codes of earlier versions become invalid.
        DROP TABLE codes;
        DROP TABLE failures;

        CREATE TABLE codes (
          id INTEGER PRIMARY KEY,
          email TEXT NOT NULL,
          -- The code is derived from it with the server's key, so that it can be sent again.
          seed BLOB NOT NULL,
          created_at INTEGER NOT NULL,
          -- The metadata of the account, if the code creates one.
          metadata TEXT NOT NULL
        ) STRICT;
        CREATE INDEX codes_email ON codes (email);

        CREATE TABLE code_requests (
          id INTEGER PRIMARY KEY,
          email TEXT NOT NULL,
          client TEXT NOT NULL,
          requested_at INTEGER NOT NULL,
          is_mailed INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX code_requests_email ON code_requests (email, client);

        -- The number of wrong codes per address and client, whether or not the address has an account. An empty client
        -- counts those of all clients.
        CREATE TABLE failures (
          email TEXT NOT NULL,
          client TEXT NOT NULL,
          count INTEGER NOT NULL,
          first_at INTEGER NOT NULL,
          locked_until INTEGER,
          PRIMARY KEY (email, client)
        ) STRICT, WITHOUT ROWID;
        """),
    Migration(
      name: "steps of the clock",
      script: """
        -- One row: when the server last looked at its clock, to recognise a step.
        CREATE TABLE clock (seen_at INTEGER NOT NULL) STRICT;
        INSERT INTO clock SELECT coalesce(max(refreshed_at), 0) FROM sessions;
        """),
  ]
}
