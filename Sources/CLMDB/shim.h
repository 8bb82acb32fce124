// The door to LMDB: only the target CairnLMDB imports this module.
#include <lmdb.h>
