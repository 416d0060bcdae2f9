// SPDX-License-Identifier: Apache-2.0
#ifndef LODE_BENCH_ALLOCATIONS_H
#define LODE_BENCH_ALLOCATIONS_H

#include <stdint.h>

/// How often the calling thread has asked for memory so far.
uint64_t allocation_count(void);

/// The bytes of the process's heap that are in use, with the allocator's own headers.
uint64_t heap_bytes_in_use(void);

#endif
