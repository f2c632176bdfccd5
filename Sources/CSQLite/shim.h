#include <sqlite3.h>

// Swift can't call functions with a variable number of arguments.

/// Turns off SQLite's memory statistics, which Trunk doesn't use and which take a lock for every allocation. Call it
/// before the first connection.
static inline int trunk_sqlite3_count_no_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

/// Sets whether closing the last connection moves the write-ahead log into the file and removes it, which is the
/// default.
static inline int trunk_sqlite3_checkpoint_on_close(sqlite3 *database, int does) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, !does, (int *)0);
}
