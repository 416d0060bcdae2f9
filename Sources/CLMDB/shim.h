// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lmdb.h>

#if defined(__linux__)
// statfs: not in Swift's Glibc module.
#include <sys/vfs.h>
// sync_file_range: neither is that.
#include <sys/syscall.h>
#include <unistd.h>
#endif

// Swift has no words for it: has the processor load what lies at an address, which may be any.
static inline void lode_prefetch(const void *address) { __builtin_prefetch(address); }

// Writes a file's changed pages to the disk and waits for them; returns 0, or -1 where the system
// has no such call or it failed. Neither new room of the file nor the disk's cache are made
// durable: that takes a sync.
static inline int lode_write_back(int file) {
#if defined(SYS_sync_file_range)
  // SYNC_FILE_RANGE_WAIT_BEFORE, _WRITE and _WAIT_AFTER: without all three the kernel throttles the
  // writes as background work. Both zeros stand for the whole file.
  const unsigned int flags = 1 | 2 | 4;
  return (int)syscall(SYS_sync_file_range, file, 0L, 0L, flags);
#else
  return -1;
#endif
}

// Pages are read directly: the layout is that of 0.9, and later versions have another one.
#if MDB_VERSION_MAJOR != 0 || MDB_VERSION_MINOR != 9 || MDB_VERSION_PATCH < 24
#error "Lode needs LMDB 0.9, from 0.9.24 on: apt-get install liblmdb-dev"
#endif
