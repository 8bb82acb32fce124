#define XXH_INLINE_ALL
#include <xxhash.h>

#include "CHash.h"

uint64_t cairn_hash64(const void *bytes, size_t count, uint64_t seed) {
    return XXH3_64bits_withSeed(bytes, count, seed);
}
