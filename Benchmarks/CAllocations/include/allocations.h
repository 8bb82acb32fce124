#ifndef CAIRN_ALLOCATIONS_H
#define CAIRN_ALLOCATIONS_H

#include <stdint.h>

/// The number of allocations that the calling thread has made so far.
///
/// A program that is linked with this module has its `malloc`, `calloc`, `realloc` and aligned forms counted,
/// those of the libraries it uses included.
uint64_t cairn_allocation_count(void);

#endif
