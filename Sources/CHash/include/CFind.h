#ifndef CAIRN_FIND_H
#define CAIRN_FIND_H

#include <stddef.h>
#include <stdint.h>

/// The first place from `start` on whose 32-bit number equals `wanted`, or `count` where there is none.
///
/// Reads nothing behind `count` numbers, which may be unaligned. Eight at a time where there is SSE2:
/// the vectors of the Swift standard library cannot tell which lanes match without leaving the registers.
size_t cairn_find32(const void *_Nonnull numbers, size_t count, size_t start, uint32_t wanted);

#endif
