#include "CFingerprints.h"

#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>

/// Which of sixteen numbers equal the wanted one: bit i for the i-th.
static inline unsigned matches(const unsigned char *at, __m128i wanted) {
    __m128i low = _mm_cmpeq_epi16(_mm_loadu_si128((const __m128i *)at), wanted);
    __m128i high = _mm_cmpeq_epi16(_mm_loadu_si128((const __m128i *)(at + 16)), wanted);
    return (unsigned)_mm_movemask_epi8(_mm_packs_epi16(low, high));
}
#endif

size_t cairn_find16(const void *numbers, size_t count, size_t start, uint16_t wanted) {
    const unsigned char *bytes = numbers;
    size_t place = start;
#if defined(__SSE2__)
    __m128i all = _mm_set1_epi16((short)wanted);
    for (; place + 16 <= count; place += 16) {
        unsigned mask = matches(bytes + place * 2, all);
        if (mask != 0) return place + (size_t)__builtin_ctz(mask);
    }
#endif
    for (; place < count; place += 1) {
        uint16_t next;
        memcpy(&next, bytes + place * 2, sizeof next);
        if (next == wanted) return place;
    }
    return count;
}
