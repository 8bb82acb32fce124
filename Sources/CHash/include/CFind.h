#ifndef CAIRN_FIND_H
#define CAIRN_FIND_H

#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/// Which of eight 32-bit numbers equal `wanted`: a bit each, the lowest for the first.
///
/// The numbers may be unaligned. In C because the vectors of the Swift standard library cannot tell which
/// lanes match without leaving the registers.
static inline uint32_t cairn_matches8(const void *_Nonnull numbers, uint32_t wanted) {
#if defined(__SSE2__)
    const __m128i *at = (const __m128i *)numbers;
    __m128i all = _mm_set1_epi32((int)wanted);
    __m128i low = _mm_cmpeq_epi32(_mm_loadu_si128(at), all);
    __m128i high = _mm_cmpeq_epi32(_mm_loadu_si128(at + 1), all);
    __m128i words = _mm_packs_epi32(low, high);
    return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(words, words)) & 0xFF;
#else
    uint32_t mask = 0;
    for (int place = 0; place < 8; place += 1) {
        uint32_t next;
        memcpy(&next, (const char *)numbers + place * 4, sizeof next);
        if (next == wanted) mask |= (uint32_t)1 << place;
    }
    return mask;
#endif
}

#endif
