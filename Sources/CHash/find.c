#include "CFind.h"

#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>

/// Which of eight numbers equal the wanted one: two bits a number, the lower two for the first.
static inline unsigned matches(const unsigned char *at, __m128i wanted) {
    __m128i low = _mm_cmpeq_epi32(_mm_loadu_si128((const __m128i *)at), wanted);
    __m128i high = _mm_cmpeq_epi32(_mm_loadu_si128((const __m128i *)(at + 16)), wanted);
    return (unsigned)_mm_movemask_epi8(_mm_packs_epi32(low, high));
}
#endif

size_t cairn_find32(const void *numbers, size_t count, size_t start, uint32_t wanted) {
    const unsigned char *bytes = numbers;
    size_t place = start;
#if defined(__SSE2__)
    __m128i all = _mm_set1_epi32((int)wanted);
    for (; place + 8 <= count; place += 8) {
        unsigned mask = matches(bytes + place * 4, all);
        if (mask != 0) return place + (size_t)__builtin_ctz(mask) / 2;
    }
#endif
    for (; place < count; place += 1) {
        uint32_t next;
        memcpy(&next, bytes + place * 4, sizeof next);
        if (next == wanted) return place;
    }
    return count;
}
