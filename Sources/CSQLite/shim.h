#include <sqlite3.h>

// Swift can't call functions with a variable number of arguments.

/// Does without SQLite's count of its memory, which nobody reads and which takes a lock for every allocation. Must come
/// before the first connection.
static inline int trunk_sqlite3_count_no_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
