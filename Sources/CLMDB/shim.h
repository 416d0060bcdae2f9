// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lmdb.h>

#if defined(__linux__)
// statfs: not in Swift's Glibc module.
#include <sys/vfs.h>
#endif

#if MDB_VERSION_FULL < MDB_VERINT(0, 9, 24)
#error "Lode needs LMDB 0.9.24 or newer: apt-get install liblmdb-dev"
#endif

// Swift has no name for the processor's prefetch instructions.
static inline void lode_prefetch(const void *address) { __builtin_prefetch(address); }
