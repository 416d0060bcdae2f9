// SPDX-License-Identifier: Apache-2.0

// The functions below replace those of the C library, whatever the headers make of their names.
#undef _FORTIFY_SOURCE
#undef _FILE_OFFSET_BITS
#define _GNU_SOURCE 1

#include "FaultInterposer.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#if defined(__linux__)

// From <fcntl.h> and <sys/mman.h>, which declare some of the functions as others in disguise.
#define AT_FDCWD (-100)
#define O_CREAT 0100
#define O_TMPFILE 020200000
#define O_DSYNC 010000
#define O_CLOEXEC 02000000
#define O_WRONLY 01
#define O_TRUNC 01000
#define MAP_FAILED ((void *)-1)
#define LOCK_COMMAND(c) ((c) == 5 || (c) == 6 || (c) == 7 || ((c) >= 36 && (c) <= 38))

enum { MAX_FILES = 65536 };

static char folder[PATH_MAX];
static size_t folder_size;
static _Atomic bool is_watching;
// By descriptor: the inode of a watched file, or 0. The highest bit: writes are synced at once.
static _Atomic uint64_t files[MAX_FILES];
#define SYNCED (1ULL << 63)

static _Atomic uint64_t counts[LODE_FAULT_CALLS];
static _Atomic uint64_t hits;
static _Atomic int armed_call = -1;
static int armed_action, armed_error;
static bool armed_stays;
static _Atomic int64_t armed_rest;

static _Atomic int log_file = -1;
static atomic_flag log_lock = ATOMIC_FLAG_INIT;

void lode_fault_watch(const char *path) {
  strncpy(folder, path, sizeof folder - 1);
  folder_size = strlen(folder);
  for (int i = 0; i < LODE_FAULT_CALLS; i++) counts[i] = 0;
  hits = 0;
  is_watching = true;
}

void lode_fault_arm(int call, int action, int error, uint64_t nth, bool stays) {
  armed_call = -1;
  armed_action = action;
  armed_error = error;
  armed_stays = stays;
  armed_rest = (int64_t)nth;
  armed_call = call;
}

void lode_fault_disarm(void) { armed_call = -1; }
uint64_t lode_fault_count(int call) { return counts[call]; }
uint64_t lode_fault_hits(void) { return hits; }

// Whether a path is the folder or in it.
static bool is_inside(const char *path) {
  return is_watching && path && strncmp(path, folder, folder_size) == 0 &&
         (path[folder_size] == '/' || path[folder_size] == 0);
}

static uint64_t watched(int file) {
  if (file < 0 || file >= MAX_FILES) return 0;
  return atomic_load_explicit(&files[file], memory_order_relaxed);
}

// Counts a call; the action to take, or -1.
static int next_action(int call) {
  counts[call]++;
  if (armed_call != call) return -1;
  int64_t rest = atomic_fetch_sub(&armed_rest, 1);
  if (rest > 1 || (rest < 1 && !armed_stays)) return -1;
  hits++;
  if (armed_action == LODE_FAULT_KILL_BEFORE) kill(getpid(), SIGKILL);
  return armed_action == LODE_FAULT_LATE && rest < 1 ? LODE_FAULT_FAIL : armed_action;
}

static bool fails(int action) {
  return action >= LODE_FAULT_FAIL && action <= LODE_FAULT_TEAR;
}

static void finish(int action) {
  if (action == LODE_FAULT_KILL_AFTER || action == LODE_FAULT_KILL_AMID) kill(getpid(), SIGKILL);
}

static long refused(void) {
  errno = armed_error;
  return -1;
}

// The record

static void put(const void *bytes, size_t size) {
  const char *from = bytes;
  while (size > 0) {
    long done = syscall(SYS_write, log_file, from, size);
    if (done <= 0) abort();
    from += done;
    size -= (size_t)done;
  }
}

static void lock_log(void) {
  while (atomic_flag_test_and_set(&log_lock)) syscall(SYS_sched_yield);
}

static void unlock_log(void) { atomic_flag_clear(&log_lock); }

static void note_entry(struct lode_fault_record entry, const void *first, const struct iovec *more,
                       int count) {
  if (log_file < 0) return;
  int saved = errno;
  lock_log();
  put(&entry, sizeof entry);
  uint64_t rest = entry.size;
  if (first) {
    put(first, rest);
  } else {
    for (int i = 0; i < count && rest > 0; i++) {
      uint64_t size = more[i].iov_len < rest ? more[i].iov_len : rest;
      put(more[i].iov_base, size);
      rest -= size;
    }
  }
  unlock_log();
  errno = saved;
}

bool lode_fault_record_to(const char *path) {
  log_file = (int)syscall(SYS_openat, AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC,
                          0600);
  return log_file >= 0;
}

void lode_fault_note(uint64_t number) {
  struct lode_fault_record entry = {LODE_FAULT_ENTRY_NOTE, 0, 0, number, 0};
  note_entry(entry, "", NULL, 0);
}

static void note_write(uint64_t file, uint64_t offset, const struct iovec *parts, int count,
                       long done) {
  if (done <= 0) return;
  struct lode_fault_record entry = {LODE_FAULT_ENTRY_WRITE, (file & SYNCED) != 0, file & ~SYNCED,
                                    offset, (uint64_t)done};
  note_entry(entry, NULL, parts, count);
}

// Opening and closing

static int open_file(int base, const char *path, int flags, int mode) {
  if (!is_inside(path)) return (int)syscall(SYS_openat, base, path, flags, mode);
  int action = next_action(LODE_FAULT_OPEN);
  if (fails(action)) return (int)refused();
  struct stat before;
  bool exists = syscall(SYS_newfstatat, AT_FDCWD, path, &before, 0) == 0;
  int file = (int)syscall(SYS_openat, base, path, flags, mode);
  struct stat status;
  if (file >= 0 && file < MAX_FILES && syscall(SYS_fstat, file, &status) == 0) {
    struct lode_fault_record entry = {LODE_FAULT_ENTRY_OPEN, !exists, status.st_ino,
                                      exists ? (uint64_t)before.st_size : 0, strlen(path)};
    note_entry(entry, path, NULL, 0);
    files[file] = status.st_ino | ((flags & O_DSYNC) ? SYNCED : 0);
  }
  finish(action);
  return file;
}

static int open_mode(int flags, va_list list) {
  return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(list, int) : 0;
}

#define OPEN(name)                                    \
  int name(const char *path, int flags, ...) {        \
    va_list list;                                     \
    va_start(list, flags);                            \
    int mode = open_mode(flags, list);                \
    va_end(list);                                     \
    return open_file(AT_FDCWD, path, flags, mode);    \
  }
#define OPENAT(name)                                          \
  int name(int base, const char *path, int flags, ...) {      \
    va_list list;                                             \
    va_start(list, flags);                                    \
    int mode = open_mode(flags, list);                        \
    va_end(list);                                             \
    return open_file(base, path, flags, mode);                \
  }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)
int __open_2(const char *path, int flags) { return open_file(AT_FDCWD, path, flags, 0); }
int __open64_2(const char *path, int flags) { return open_file(AT_FDCWD, path, flags, 0); }
int __openat_2(int base, const char *path, int flags) { return open_file(base, path, flags, 0); }

int close(int file) {
  if (watched(file)) files[file] = 0;
  return (int)syscall(SYS_close, file);
}

// Writing

static long do_write(int file, const struct iovec *parts, int count, int64_t offset) {
  if (offset < 0) return syscall(SYS_writev, file, parts, count);
  return syscall(SYS_pwritev, file, parts, count, (long)offset, 0L);
}

// Writes the first half of the bytes.
static long write_half(int file, const struct iovec *parts, int count, int64_t offset) {
  size_t size = 0;
  for (int i = 0; i < count; i++) size += parts[i].iov_len;
  size_t half = size / 2;
  long done = 0;
  for (int i = 0; i < count && half > 0; i++) {
    struct iovec part = parts[i];
    if (part.iov_len > half) part.iov_len = half;
    long more = do_write(file, &part, 1, offset < 0 ? offset : offset + done);
    if (more <= 0) break;
    done += more;
    half -= (size_t)more;
  }
  return done;
}

// Writes at an offset, or with -1 where the descriptor stands.
static long write_parts(int file, const struct iovec *parts, int count, int64_t offset) {
  uint64_t inode = watched(file);
  if (!inode) return do_write(file, parts, count, offset);
  int action = next_action(LODE_FAULT_WRITE);
  if (action == LODE_FAULT_FAIL) return refused();
  bool isPart = action == LODE_FAULT_SHORTEN || action == LODE_FAULT_TEAR ||
                action == LODE_FAULT_KILL_AMID;
  long done = isPart ? write_half(file, parts, count, offset)
                     : do_write(file, parts, count, offset);
  // Behind the call, so that a file that is appended to has its place.
  int64_t start = offset < 0 ? syscall(SYS_lseek, file, 0L, SEEK_CUR) - done : offset;
  note_write(inode, (uint64_t)start, parts, count, done);
  finish(action);
  return action == LODE_FAULT_TEAR || action == LODE_FAULT_LATE ? refused() : done;
}

ssize_t write(int file, const void *bytes, size_t size) {
  if (!watched(file)) return syscall(SYS_write, file, bytes, size);
  struct iovec part = {(void *)bytes, size};
  return write_parts(file, &part, 1, -1);
}

#define PWRITE(name)                                                        \
  ssize_t name(int file, const void *bytes, size_t size, off_t offset) {    \
    if (!watched(file)) return syscall(SYS_pwrite64, file, bytes, size, offset); \
    struct iovec part = {(void *)bytes, size};                              \
    return write_parts(file, &part, 1, offset);                             \
  }
PWRITE(pwrite)
PWRITE(pwrite64)

ssize_t writev(int file, const struct iovec *parts, int count) {
  return write_parts(file, parts, count, -1);
}

#define PWRITEV(name)                                                             \
  ssize_t name(int file, const struct iovec *parts, int count, off_t offset) {    \
    return write_parts(file, parts, count, offset);                               \
  }
PWRITEV(pwritev)
PWRITEV(pwritev64)

// Syncing, sizes, maps, locks

static int sync_file(int file, long number) {
  uint64_t inode = watched(file);
  if (!inode) return (int)syscall(number, file);
  int action = next_action(LODE_FAULT_SYNC);
  if (fails(action)) return (int)refused();
  int result = (int)syscall(number, file);
  if (result == 0) {
    struct lode_fault_record entry = {LODE_FAULT_ENTRY_SYNC, 0, inode & ~SYNCED, 0, 0};
    note_entry(entry, "", NULL, 0);
  }
  finish(action);
  return result;
}

int fsync(int file) { return sync_file(file, SYS_fsync); }
int fdatasync(int file) { return sync_file(file, SYS_fdatasync); }
int msync(void *map, size_t size, int flags) {
  // The file of a map is not known here. No code here writes to data through a map.
  return (int)syscall(SYS_msync, map, size, flags);
}

static void note_size(uint64_t inode, uint64_t size, uint32_t grows) {
  struct lode_fault_record entry = {LODE_FAULT_ENTRY_TRUNCATE, grows, inode & ~SYNCED, size, 0};
  note_entry(entry, "", NULL, 0);
}

#define TRUNCATE(name)                                                 \
  int name(int file, off_t size) {                                     \
    uint64_t inode = watched(file);                                    \
    if (!inode) return (int)syscall(SYS_ftruncate, file, size);        \
    int action = next_action(LODE_FAULT_TRUNCATE);                     \
    if (fails(action)) return (int)refused();                          \
    int result = (int)syscall(SYS_ftruncate, file, size);              \
    if (result == 0) note_size(inode, (uint64_t)size, 0);              \
    finish(action);                                                    \
    return result;                                                     \
  }
TRUNCATE(ftruncate)
TRUNCATE(ftruncate64)

#define ALLOCATE(name)                                                           \
  int name(int file, off_t offset, off_t size) {                                 \
    uint64_t inode = watched(file);                                              \
    int action = inode ? next_action(LODE_FAULT_TRUNCATE) : -1;                  \
    if (fails(action)) return armed_error;                                       \
    int saved = errno;                                                           \
    int result = syscall(SYS_fallocate, file, 0, offset, size) == 0 ? 0 : errno; \
    errno = saved;                                                               \
    if (inode && result == 0) note_size(inode, (uint64_t)(offset + size), 1);    \
    finish(action);                                                              \
    return result;                                                               \
  }
ALLOCATE(posix_fallocate)
ALLOCATE(posix_fallocate64)

#define MAP(name)                                                                          \
  void *name(void *address, size_t size, int protection, int flags, int file, off_t at) {  \
    int action = watched(file) ? next_action(LODE_FAULT_MAP) : -1;                         \
    if (fails(action)) {                                                                   \
      errno = armed_error;                                                                 \
      return MAP_FAILED;                                                                   \
    }                                                                                      \
    void *map = (void *)syscall(SYS_mmap, address, size, protection, flags, file, at);     \
    finish(action);                                                                        \
    return map;                                                                            \
  }
MAP(mmap)
MAP(mmap64)

#define CONTROL(name)                                                                \
  int name(int file, int command, ...) {                                             \
    va_list list;                                                                    \
    va_start(list, command);                                                         \
    long argument = va_arg(list, long);                                              \
    va_end(list);                                                                    \
    int action = LOCK_COMMAND(command) && watched(file) ? next_action(LODE_FAULT_LOCK) : -1; \
    if (fails(action)) return (int)refused();                                        \
    int result = (int)syscall(SYS_fcntl, file, command, argument);                   \
    finish(action);                                                                  \
    return result;                                                                   \
  }
CONTROL(fcntl)
CONTROL(fcntl64)

// Names

static int rename_file(const char *from, const char *to, uint32_t keeps) {
  int action = is_inside(to) ? next_action(LODE_FAULT_NAME) : -1;
  if (fails(action)) return (int)refused();
  int result = keeps ? (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0)
                     : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
  if (result == 0 && is_inside(to) && log_file >= 0) {
    char both[2 * PATH_MAX];
    size_t first = strlen(from), second = strlen(to);
    if (first + second + 1 <= sizeof both) {
      memcpy(both, from, first + 1);
      memcpy(both + first + 1, to, second);
      struct lode_fault_record entry = {LODE_FAULT_ENTRY_RENAME, keeps, 0, 0, first + 1 + second};
      note_entry(entry, both, NULL, 0);
    }
  }
  finish(action);
  return result;
}

int rename(const char *from, const char *to) { return rename_file(from, to, 0); }
int link(const char *from, const char *to) { return rename_file(from, to, 1); }

int unlink(const char *path) {
  bool counts_here = is_inside(path);
  int action = counts_here ? next_action(LODE_FAULT_NAME) : -1;
  if (fails(action)) return (int)refused();
  int result = (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
  if (result == 0 && counts_here) {
    struct lode_fault_record entry = {LODE_FAULT_ENTRY_UNLINK, 0, 0, 0, strlen(path)};
    note_entry(entry, path, NULL, 0);
  }
  finish(action);
  return result;
}

#else

void lode_fault_watch(const char *path) {}
void lode_fault_arm(int call, int action, int error, uint64_t nth, bool stays) {}
void lode_fault_disarm(void) {}
uint64_t lode_fault_count(int call) { return 0; }
uint64_t lode_fault_hits(void) { return 0; }
bool lode_fault_record_to(const char *path) { return false; }
void lode_fault_note(uint64_t number) {}

#endif
