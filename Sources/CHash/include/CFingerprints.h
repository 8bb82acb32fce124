#ifndef CAIRN_FINGERPRINTS_H
#define CAIRN_FINGERPRINTS_H

#include <stddef.h>
#include <stdint.h>

/// The first place from `start` on whose 16-bit number equals `wanted`, or `count` where there is none.
///
/// Reads nothing behind `count` numbers, which may be unaligned. Sixteen at a time where there is SSE2:
/// the vectors of the Swift standard library cannot tell which lanes match without leaving the registers.
size_t cairn_find16(const void *_Nonnull numbers, size_t count, size_t start, uint16_t wanted);

#endif
