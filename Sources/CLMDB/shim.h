// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lmdb.h>

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

#if defined(__linux__)
// statfs: not in Swift's Glibc module.
#include <sys/vfs.h>
// sync_file_range, memfd_create and fallocate: neither are those.
#include <sys/syscall.h>
#include <unistd.h>
// statx: its structure, its number, and what makes a device of its two halves.
#include <fcntl.h>
#include <linux/stat.h>
#include <sys/sysmacros.h>
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

// Asks for the device and the inode of a path, or of a descriptor with an empty path, and for
// nothing else; returns 0, -1 with errno, or 1 where the system cannot be asked like that.
//
// stat asks for the times as well. From Linux 6.13 on, a file whose times were looked at gets new
// ones with its next write, and a sync then writes the inode too: a fifth of a small commit's time
// (fill_mg_cmtime in fs/stat.c).
static inline int lode_identity(int file, const char *path, uint64_t *device, uint64_t *inode) {
#if defined(SYS_statx) && defined(STATX_INO)
  struct statx status;
  const int flags = path[0] ? 0 : 0x1000;  // AT_EMPTY_PATH
  if (syscall(SYS_statx, file, path, flags, STATX_INO, &status) != 0) {
    // A sandbox that does not know the call refuses it with EPERM.
    return errno == ENOSYS || errno == EPERM ? 1 : -1;
  }
  *device = makedev(status.stx_dev_major, status.stx_dev_minor);
  *inode = status.stx_ino;
  return 0;
#else
  return 1;
#endif
}

// Makes a file that is in memory only and has no name; returns its descriptor, or -1 with errno.
static inline int lode_memory_file(const char *label) {
#if defined(SYS_memfd_create)
  return (int)syscall(SYS_memfd_create, label, 1U /* MFD_CLOEXEC */);
#else
  errno = ENOSYS;
  return -1;
#endif
}

// Has the file system keep room for the first bytes of a file, whose size stays; returns 0 or an
// errno value.
static inline int lode_reserve(int file, long size) {
#if defined(SYS_fallocate) && defined(__LP64__)
  long status;
  do {
    status = syscall(SYS_fallocate, file, 1 /* FALLOC_FL_KEEP_SIZE */, 0L, size);
  } while (status != 0 && errno == EINTR);
  return status == 0 ? 0 : errno;
#else
  return EOPNOTSUPP;
#endif
}

// The first fields of an environment, which are the same in all releases of LMDB 0.9.
struct lode_env_head {
  int file, lock_file, header_file;
  uint32_t flags;
  unsigned int page_size, system_page_size, max_readers;
  int used_readers;
  unsigned int databases, max_databases;
  int process;
  char *path;
  char *map;
  void *readers;
  char *headers[2];  // in the map, behind the first 16 bytes of each of its first two pages
};

// The fields of an environment; NULL where it does not look as expected.
static inline struct lode_env_head *lode_head(MDB_env *env) {
  struct lode_env_head *head = (struct lode_env_head *)env;
  unsigned int flags;
  const char *path;
  int file;
  if (mdb_env_get_fd(env, &file) != 0 || mdb_env_get_flags(env, &flags) != 0) return NULL;
  if (mdb_env_get_path(env, &path) != 0) return NULL;
  if (head->file != file || (head->flags & flags) != flags || head->path != path) return NULL;
  return head;
}

// The lock file of an environment; -1 where it has none, or does not look as expected.
static inline int lode_lock_file(MDB_env *env) {
  struct lode_env_head *head = lode_head(env);
  return head && head->readers ? head->lock_file : -1;
}

// Takes the pages of the map out of the process's memory, as far as the file is used; returns 0, or
// -1 where the environment does not look as expected or the system refuses.
//
// The map shows the file, and the process never writes to it: what is read again comes from the
// page cache, or from the file.
static inline int lode_release_map(MDB_env *env, size_t used) {
  struct lode_env_head *head = lode_head(env);
  if (!head || !head->map || (head->flags & MDB_WRITEMAP)) return -1;
  return madvise(head->map, used, MADV_DONTNEED);
}

// Takes back the flag with which LMDB refuses all transactions after a header could not be written;
// returns 0, or -1 where the environment does not look as expected or does not have the flag.
//
// LMDB has no function for it. Its own state needs no repair: the failed transaction has ended as
// any other that is undone, and both readers and writers begin by the number of the last commit
// that succeeded, which other processes go on with as well.
static inline int lode_forget_failure(MDB_env *env) {
  const uint32_t failed = 0x80000000U, active = 0x20000000U;
  struct lode_env_head *head = lode_head(env);
  if (!head || (head->flags & (failed | active)) != (failed | active)) return -1;
  head->flags &= ~failed;
  return 0;
}

// Maps a file again that mdb_env_set_mapsize has left without a map; returns 0, also if there is a
// map still, an errno value, or -1 where the environment does not look as expected.
//
// LMDB has no function for it: without a map, that one only notes the size, which it does here.
// No thread may use the environment meanwhile. Transactions that are reset know nothing of the map.
static inline int lode_map_again(MDB_env *env, size_t size, size_t page_size) {
  const size_t header = 16;
  struct lode_env_head *head = lode_head(env);
  if (!head || head->page_size != page_size) return -1;
  // These still say where the headers were.
  if (head->headers[1] - head->headers[0] != (ptrdiff_t)page_size) return -1;
  if (head->map) return head->headers[0] == head->map + header ? 0 : -1;
  void *map = mmap(NULL, size, PROT_READ, MAP_SHARED, head->file, 0);
  if (map == MAP_FAILED) return errno;
  int status = mdb_env_set_mapsize(env, size);
  if (status != 0) {
    munmap(map, size);
    return status;
  }
  head->map = (char *)map;
  head->headers[0] = head->map + header;
  head->headers[1] = head->headers[0] + page_size;
  return 0;
}

// Pages are read directly: the layout is that of 0.9, and later versions have another one.
#if MDB_VERSION_MAJOR != 0 || MDB_VERSION_MINOR != 9 || MDB_VERSION_PATCH < 24
#error "Lode needs LMDB 0.9, from 0.9.24 on: apt-get install liblmdb-dev"
#endif
