#ifndef CAIRN_HASH_H
#define CAIRN_HASH_H

#include <stddef.h>
#include <stdint.h>

/// XXH3-64 of `count` bytes, with a seed (https://xxhash.com, Debian's libxxhash-dev).
///
/// Used for two things that are stored in a file and must therefore never change: checksums
/// (the seed is the key the bytes are stored under) and the hash index (the seed is the file's).
uint64_t cairn_hash64(const void *_Nullable bytes, size_t count, uint64_t seed);

#endif
