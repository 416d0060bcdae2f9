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
