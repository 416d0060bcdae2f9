// SPDX-License-Identifier: Apache-2.0
#pragma once

// Functions of Swift's runtime, and of the processor, that the language has no words for.

// Retains an object unless its deinit has begun, and returns null then. Weak references do the same
// at the cost of a side table for each object.
void *_Nullable swift_tryRetain(void *_Nonnull object);

// Keep the memory of an object, though not the object, and let go of it.
void *_Nonnull swift_unownedRetain(void *_Nonnull object);
void swift_unownedRelease(void *_Nonnull object);

// Makes an object of a class without calling an initialiser: everything behind its head is
// undefined. The alignment mask is the alignment in bytes less one.
void *_Nonnull swift_allocObject(
    const void *_Nonnull metadata, unsigned long size, unsigned long alignmentMask);

// Has the processor load what lies at an address, which may be any: it is used soon. As
// lode_prefetch of CLMDB, which layers without the file do not see.
static inline void lode_prepare(const void *_Nullable address) { __builtin_prefetch(address); }

// The context whose block the thread is in, see CurrentContext; null outside. Swift has no
// variables of a thread, and the system's calls for them take twenty instructions for each object.
extern _Thread_local const void *_Nullable lode_innermost_context_of_thread;

static inline const void *_Nullable lode_innermost_context(void) {
  return lode_innermost_context_of_thread;
}

static inline _Bool lode_is_innermost_context(const void *_Nonnull context) {
  return lode_innermost_context_of_thread == context;
}

static inline void lode_set_innermost_context(const void *_Nullable context) {
  lode_innermost_context_of_thread = context;
}
