// The door to SQLite: only the benchmarks import this module.
#include <sqlite3.h>
