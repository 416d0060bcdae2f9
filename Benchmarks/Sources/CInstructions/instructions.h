// SPDX-License-Identifier: Apache-2.0

#ifndef LODE_BENCH_INSTRUCTIONS_H
#define LODE_BENCH_INSTRUCTIONS_H

// Requests to callgrind, which counts the instructions of a program that it runs; anywhere else
// they are a few instructions without effect. Swift has no inline assembler for them.

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>

// Whether the program was built with the requests.
static inline int instructions_are_known(void) { return 1; }
// Counts from 0 again.
static inline void instructions_reset(void) { CALLGRIND_ZERO_STATS; }
// Has the count written out under a name.
static inline void instructions_write(const char *name) { CALLGRIND_DUMP_STATS_AT(name); }
#else
static inline int instructions_are_known(void) { return 0; }
static inline void instructions_reset(void) {}
static inline void instructions_write(const char *name) { (void)name; }
#endif

#endif
