import Storage

/// The tables. Instants are microseconds since 1970.
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

        -- One code an address: a new one takes the place of the one before.
        CREATE TABLE codes (
          email TEXT PRIMARY KEY,
          hash BLOB NOT NULL,
          sent_at INTEGER NOT NULL,
          -- What the account begins with, if the code makes one.
          metadata TEXT NOT NULL,
          is_used INTEGER NOT NULL DEFAULT 0
        ) STRICT;

        -- Wrong codes, whether the address is known or not.
        CREATE TABLE failures (
          email TEXT PRIMARY KEY,
          count INTEGER NOT NULL,
          first_at INTEGER NOT NULL,
          locked_until INTEGER
        ) STRICT;

        CREATE TABLE sessions (
          id TEXT PRIMARY KEY,
          user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
          -- 0: the interface of Supabase, 1: our own.
          kind INTEGER NOT NULL,
          created_at INTEGER NOT NULL,
          refreshed_at INTEGER NOT NULL,
          -- The number of the refresh token that is to be used next.
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
        """)
  ]
}
