// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Stands between a program and the system's calls for files: counts those for the files of one
// folder, lets the n-th one fail, and records what is written.
//
// A program that links this target calls these functions in place of the C library's, and so do
// the shared libraries that it loads, as its symbols come first. Calls for files of other folders
// go straight to the kernel.

// The kinds of calls, counted apart.
enum lode_fault_call {
  LODE_FAULT_WRITE = 0,     // write, pwrite, writev, pwritev
  LODE_FAULT_SYNC = 1,      // fsync, fdatasync, msync
  LODE_FAULT_TRUNCATE = 2,  // ftruncate, posix_fallocate
  LODE_FAULT_MAP = 3,       // mmap
  LODE_FAULT_OPEN = 4,      // open, openat
  LODE_FAULT_LOCK = 5,      // fcntl that takes or asks for a lock
  LODE_FAULT_NAME = 6,      // rename, link, unlink
  LODE_FAULT_CALLS = 7
};

enum lode_fault_action {
  LODE_FAULT_FAIL = 0,         // does nothing and reports an error
  LODE_FAULT_SHORTEN = 1,      // writes the first half and says so; other calls fail
  LODE_FAULT_TEAR = 2,         // writes the first half and reports an error; other calls fail
  LODE_FAULT_KILL_BEFORE = 3,  // ends the process by SIGKILL before the call
  LODE_FAULT_KILL_AFTER = 4,   // ends the process by SIGKILL after the call
  LODE_FAULT_LATE = 5,         // writes everything and reports an error; those that follow fail
  LODE_FAULT_KILL_AMID = 6     // writes the first half and ends the process by SIGKILL
};

// Sets the folder whose files count, as an absolute path without symbolic links. Files that are
// open already do not count.
void lode_fault_watch(const char *folder);

// Lets calls of a kind fail: the n-th one from now on, or with `stays` also all that follow.
void lode_fault_arm(int call, int action, int error, uint64_t nth, bool stays);
void lode_fault_disarm(void);

// How many calls of a kind there were since watching began, and how many calls failed on purpose.
uint64_t lode_fault_count(int call);
uint64_t lode_fault_hits(void);

// Begins to record into a file; false where it cannot be made. The format is a sequence of
// `lode_fault_record`, each followed by its bytes.
bool lode_fault_record_to(const char *path);

// Puts a mark into the record.
void lode_fault_note(uint64_t number);

enum lode_fault_entry {
  LODE_FAULT_ENTRY_OPEN = 1,      // file, size before; bytes: the path. flags: 1 it was made now
  LODE_FAULT_ENTRY_WRITE = 2,     // file, offset; bytes: what was written. flags: 1 synced at once
  LODE_FAULT_ENTRY_SYNC = 3,      // file
  LODE_FAULT_ENTRY_TRUNCATE = 4,  // file, size. flags: 1 never makes it smaller
  LODE_FAULT_ENTRY_RENAME = 5,    // bytes: old path, a zero, new path. flags: 1 both stay
  LODE_FAULT_ENTRY_UNLINK = 6,    // bytes: the path
  LODE_FAULT_ENTRY_NOTE = 7       // offset: the number
};

struct lode_fault_record {
  uint32_t kind;
  uint32_t flags;
  uint64_t file;  // the inode
  uint64_t offset;
  uint64_t size;  // of the bytes that follow
};
